package commandline

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Again returns a command line that runs the program with the arguments and one more flag, quoted for a shell.
func Again(args []string, flag string) string {
	words := []string{"mcp-workbench"}
	for _, word := range slices.Concat(args, []string{flag}) {
		words = append(words, domain.ShellWord(word))
	}
	return strings.Join(words, " ")
}
