package commandline

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Again returns a command line of the program with these arguments and one more flag, for a shell.
func Again(args []string, flag string) string {
	words := []string{"mcp-workbench"}
	for _, word := range slices.Concat(args, []string{flag}) {
		words = append(words, domain.ShellWord(word))
	}
	return strings.Join(words, " ")
}
