package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// noWords refuses words behind a command that takes none.
func noWords(command *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	return fmt.Errorf("unknown argument %q: '%s' takes none", words[0], command.CommandPath())
}

// wordsBetween wants as many words as the usage of a command says; maximum is 0 for any
// number.
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
