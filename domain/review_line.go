package domain

import "strings"

// ReviewLine is ReviewText on one line: line ends and tabs become escapes too. It is for what a
// person decides about, in the midst of lines of the workbench.
func ReviewLine(text string) string {
	return strings.NewReplacer("\r", `\r`, "\n", `\n`, "\t", `\t`).Replace(ReviewText(text))
}
