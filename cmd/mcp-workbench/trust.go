package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/terminal/commandline"
)

func newTrustCommand(options *options) *cobra.Command {
	var list bool
	var answer trust.Answer
	var remove string
	command := &cobra.Command{
		Use:   "trust [FILE|PLUGIN]",
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
			answer.Command = commandLine("--yes")
			return user.Trust(from, checkingTransports(), cmp.Or(strings.Join(files, ""), "."), answer)
		},
	}
	flags := command.Flags()
	flags.BoolVar(&answer.Yes, "yes", false, "show the file and trust it without asking, unless something needs care")
	flags.BoolVar(&answer.AllowOptions, "allow-options", false, "with --yes, accept what needs care too")
	flags.BoolVar(&list, "list", false, "show the files that are trusted")
	flags.StringVar(&remove, "remove", "", "stop trusting a `file`")
	command.MarkFlagsMutuallyExclusive("yes", "list", "remove")
	return command
}
