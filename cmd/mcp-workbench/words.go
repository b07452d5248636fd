package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"mcp-workbench/domain"
)

// noWords refuses arguments of a command without any.
func noWords(command *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return fmt.Errorf("unknown argument %q: '%s' takes none", words[0], command.CommandPath())
}

// wordsBetween refuses fewer or more arguments than the usage of a command shows; maximum is 0
// for any number.
func wordsBetween(minimum, maximum int) cobra.PositionalArgs {
	return func(command *cobra.Command, words []string) error {
		usage := command.Use
		if command.HasParent() {
			usage = command.Parent().CommandPath() + " " + usage
		}
		switch {
		case len(words) < minimum:
			return fmt.Errorf("an argument is missing; use '%s'", usage)
		case maximum > 0 && len(words) > maximum:
			return fmt.Errorf("unknown argument %q; use '%s'", words[maximum], usage)
		}
		return nil
	}
}

// insteadOf are commands of other programs, with what to do here instead.
var insteadOf = map[string]string{
	"mcp":                     "leave out 'mcp'",
	"get":                     "run 'mcp-workbench list TOOLBOX/SERVER'",
	"tools":                   "run 'mcp-workbench list TOOLBOX'",
	"add-from-claude-desktop": "run 'mcp-workbench import claude-desktop'",
	"edit":                    "the configuration is a file: 'mcp-workbench validate' names and checks it",
}

// noCommand refuses an unknown command, and suggests the one that was meant.
func noCommand(command *cobra.Command, words []string) error {
	err := cobra.NoArgs(command, words)
	if err == nil {
		return nil
	}
	if advice, known := insteadOf[words[0]]; known {
		return fmt.Errorf("%w; %s", err, advice)
	}
	var names []string
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() && !child.IsAdditionalHelpTopicCommand() {
			names = append(names, child.Name())
		}
	}
	return fmt.Errorf("%w%s", err, domain.Suggest(words[0], names))
}
