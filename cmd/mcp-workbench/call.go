package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell"
)

// callFlags are the flags of call.
type callFlags struct {
	arguments string
	output    string
	selected  string
	timeout   time.Duration
	asJSON    bool
	asText    bool
	onlyReads bool
	servers   sharedServers
}

func newCallCommand(options *options) *cobra.Command {
	var flags callFlags
	command := &cobra.Command{
		Use:               "call TOOLBOX/SERVER/TOOL [key=value… | key:=json… | -]",
		Short:             "Call a tool as a host would, and print its result",
		Args:              commandline.WordsBetween(1, 0, "name a tool; 'mcp-workbench list TOOLBOX' shows tools"),
		ValidArgsFunction: options.completing().Call(),
		RunE: func(command *cobra.Command, words []string) error {
			if flags.asJSON && flags.selected != "" {
				return &exitError{Code: exitUsage, Err: errors.New("--json prints the whole result, and --select a part of it; use one of them")}
			}
			if flags.asText && flags.selected == "" {
				return &exitError{Code: exitUsage, Err: errors.New("--raw is for the output of --select")}
			}
			var object *string
			if command.Flags().Changed("args") {
				object = &flags.arguments
			}
			arguments, err := shell.ReadArguments(object, words[1:], console.Input())
			if err != nil {
				return &exitError{Code: exitUsage, Err: err}
			}
			arguments.OnlyReads = flags.onlyReads
			return call(command.Context(), *options, flags, words[0], arguments)
		},
	}
	command.SetHelpFunc(func(command *cobra.Command, args []string) {
		words := command.Flags().Args()
		if len(words) == 0 {
			command.Parent().HelpFunc()(command, args)
			return
		}
		// cobra does not return errors of help functions.
		failed := withExitCode(list(command.Context(), *options, flags.servers, words[0], flags.asJSON))
		command.SetContext(context.WithValue(command.Context(), helpFailure{}, failed))
	})
	command.Flags().StringVar(&flags.arguments, "args", "", "the arguments as one `JSON` object")
	command.Flags().StringVar(&flags.selected, "select", "", "print only the output of this jq `program` for the result ('mcp-workbench help results')")
	command.Flags().BoolVarP(&flags.asText, "raw", "r", false, "print texts among the output of --select as they are, not as JSON")
	command.Flags().StringVar(&flags.output, "output", "", "the `directory` to save images, audio and other files in")
	command.Flags().DurationVar(&flags.timeout, "timeout", 0, "how long the call may take (30s, 5m); limits.call applies as well")
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print the result in the server's own bytes")
	command.Flags().BoolVar(&flags.onlyReads, "read-only", false, "refuse a tool that is not marked as one that only reads (\"readOnly\")")
	flags.servers.addFlags(command)
	return command
}

// call runs the command.
func call(ctx context.Context, options options, flags callFlags, name string, arguments shell.Arguments) error {
	visit, err := newVisit(options.visiting())
	if err != nil {
		return err
	}
	defer visit.Close()
	visit.share(flags.servers)
	place, err := visit.find(name)
	switch {
	case err != nil:
		return err
	case place.Tool == "":
		return &exitError{Code: exitUsage, Err: fmt.Errorf("%q does not name a tool; 'mcp-workbench list %s' shows them", name, name)}
	}
	printer := shell.Printer{
		Out: console.Out.Data(), Directory: flags.output, Tool: place.Tool,
		Note: func(line string) { visit.screen.Print("mcp-workbench: " + line) },
	}
	var printed error // which no signal explains
	err = visit.withServers(ctx, func(ctx context.Context) error {
		tools := visit.commandTools()
		raw, selected, err := tools.CallAndSelect(ctx, place, arguments, flags.timeout, flags.selected, flags.asText)
		if err != nil {
			return err
		}
		// Here, since the server may take its time to end.
		if printed = printer.Show(raw, console.Err, flags.asJSON); printed == nil && !selected {
			printed = &exitError{Code: exitUsage}
		}
		return nil
	})
	return cmp.Or(err, printed)
}

// helpFailure is the context key for the error of a command that could not show the help of a tool.
type helpFailure struct{}
