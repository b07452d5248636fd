package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
)

func newTrustCommand(options *options) *cobra.Command {
	var yes, list bool
	var remove string
	command := &cobra.Command{
		Use:   "trust [FILE]",
		Short: "Review the configuration of a folder, and let the workbench use it there",
		Args: func(command *cobra.Command, files []string) error {
			if (list || remove != "") && len(files) > 0 {
				return errors.New("--list takes no file, and --remove just one")
			}
			return commandline.WordsBetween(0, 1, "")(command, files)
		},
		RunE: func(_ *cobra.Command, files []string) error {
			user := options.consent(console.Out)
			switch {
			case list:
				return user.List()
			case remove != "":
				return user.Remove(remove)
			}
			from, err := options.sources()
			if err != nil {
				return err
			}
			return user.Trust(from, checkingTransports(), cmp.Or(strings.Join(files, ""), "."), yes, commandLine("--yes"))
		},
	}
	flags := command.Flags()
	flags.BoolVar(&yes, "yes", false, "show the file and trust it without asking")
	flags.BoolVar(&list, "list", false, "show the files that are trusted")
	flags.StringVar(&remove, "remove", "", "stop trusting a `file`")
	command.MarkFlagsMutuallyExclusive("yes", "list", "remove")
	return command
}

// consent returns the files that the user trusts, and asks on a screen. It reads them at first use.
func (o options) consent(screen *terminal.Output) trust.Consent {
	return trust.Consent{Records: trust.New(safefile.InStateFolder("trust")), Accepted: o.accepted, Screen: screen, Colour: o.colour}
}

// starting returns the options of a command that starts or contacts servers of a configuration:
// the user is asked whether a file of the working directory is trusted.
func (o options) starting() options {
	o.from.Untrusted, o.accepted = config.Refused, &trust.Accepted{}
	return o
}

// looking returns the options of validate, which starts nothing and so may read any file. The other commands use what
// hosts would.
func (o options) looking() options {
	o.from.Untrusted = config.LookedAt
	return o
}
