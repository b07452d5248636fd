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

// inForce returns the options of a command that shows or uses what hosts use: mistakes leave out only their part of the
// configuration.
//
// Decision: list, call, doctor, describe, login, calls, usage and ui agree with serve about what is in force, and say on
// standard error (doctor in its report) what is left out. lock and connect refuse a file with mistakes or without trust,
// since a lock or a host's file would lose what is left out.
func (o options) inForce() options {
	o.from.Lenient, o.visits = true, true
	return o
}

// visiting is inForce for a command that starts or contacts servers. The user is asked whether a file of the working
// directory is trusted. Without their trust it is not used, as for hosts.
func (o options) visiting() options {
	o = o.inForce()
	o.from.Untrusted, o.accepted = config.Refused, &trust.Accepted{UsesOwn: true}
	return o
}

// trusting returns the options of a command that needs the trust of the user in a file of the working directory.
func (o options) trusting() options {
	o.from.Untrusted, o.accepted = config.Refused, &trust.Accepted{}
	return o
}

// looking returns the options of validate, which starts nothing and so may read any file. The other commands use what
// hosts would.
func (o options) looking() options {
	o.from.Untrusted = config.LookedAt
	return o
}
