package commandline

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/domain"
)

// NoWords returns an error if there are arguments. For the name of a configuration file, the error suggests --config.
func NoWords(command *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return fmt.Errorf("unknown argument %q: '%s' takes none%s", words[0], command.CommandPath(), forFile(command, words[0]))
}

// WordsBetween checks the number of arguments. The maximum is 0 for any number. The text missing says
// what to do if there are too few.
func WordsBetween(minimum, maximum int, missing string) cobra.PositionalArgs {
	return func(command *cobra.Command, words []string) error {
		switch {
		case len(words) < minimum:
			return fmt.Errorf("%s; use '%s'", missing, usage(command))
		case maximum > 0 && len(words) > maximum:
			return fmt.Errorf("unknown argument %q; use '%s'%s", words[maximum], usage(command), forFile(command, words[maximum]))
		}
		return nil
	}
}

// usage returns the usage of a command, after the names of its parents.
func usage(command *cobra.Command) string {
	if command.HasParent() {
		return command.Parent().CommandPath() + " " + command.Use
	}
	return command.Use
}

// forFile says how to run a command with another configuration, if a word is the name of a JSON
// file. Otherwise it returns "".
func forFile(command *cobra.Command, word string) string {
	if !isConfiguration(word) {
		return ""
	}
	return "; for another configuration use " + domain.QuotedCommand(command.CommandPath()+" --config "+domain.ShellWord(word))
}

// isConfiguration reports whether a word is the name of a JSON file, which need not exist.
func isConfiguration(word string) bool {
	if !strings.HasSuffix(word, ".json") && !strings.HasSuffix(word, ".jsonc") {
		return false
	}
	info, err := os.Stat(word)
	return err != nil || info.Mode().IsRegular()
}

// Again returns a command line that runs the program with the arguments and one more flag, quoted for a shell.
func Again(args []string, flag string) string {
	words := []string{"mcp-workbench"}
	for _, word := range slices.Concat(args, []string{flag}) {
		words = append(words, domain.ShellWord(word))
	}
	return strings.Join(words, " ")
}

// alternatives are advice about commands of other programs that this one does not have.
var alternatives = map[string]string{
	"mcp":                     "leave out 'mcp'",
	"get":                     "run 'mcp-workbench list TOOLBOX/SERVER'",
	"tools":                   "run 'mcp-workbench list TOOLBOX'",
	"add-from-claude-desktop": "run 'mcp-workbench import claude-desktop'",
	"install":                 "run 'mcp-workbench add NAME -- COMMAND ARGS…'",
	"run":                     "run 'mcp-workbench call TOOLBOX/SERVER/TOOL', or 'mcp-workbench serve'",
	"claude":                  "run 'mcp-workbench connect claude-code' or 'mcp-workbench connect claude-desktop'",
	"config":                  "the configuration is a file: 'mcp-workbench validate' names and checks it",
	"search":                  "run 'mcp-workbench list --find WORDS' to search the tools of your servers",
	"edit":                    "the configuration is a file: 'mcp-workbench validate' names and checks it",
}

// NoCommand returns an error for an unknown command, and suggests a similar one.
func NoCommand(command *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q for %q", words[0], command.CommandPath())
	if advice, known := alternatives[words[0]]; known {
		return fmt.Errorf("%w; %s", err, advice)
	}
	if advice := forFile(command, words[0]); advice != "" {
		return fmt.Errorf("%w%s", err, advice)
	}
	var names []string
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() && !child.IsAdditionalHelpTopicCommand() {
			names = append(names, child.Name())
		}
	}
	if near := domain.AllNearest(words[0], names); len(near) > 0 {
		return fmt.Errorf("%w; %s", err, domain.DidYouMean(near...))
	}
	return fmt.Errorf("%w; '%s help' lists the commands", err, command.CommandPath())
}
