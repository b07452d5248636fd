package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain/rawjson"
)

// callFlags are the flags of call.
type callFlags struct {
	arguments string
	fit       fit
	selected  string
	timeout   time.Duration
	asJSON    bool
	asText    bool
	onlyReads bool
	keepGoing bool
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
			calls, err := shell.ReadArguments(object, words[1:], console.Input())
			switch {
			case err != nil:
				return &exitError{Code: exitUsage, Err: err}
			case flags.keepGoing && (len(words) != 2 || words[1] != "-"):
				return &exitError{Code: exitUsage, Err: errors.New("--keep-going is for several calls, from standard input (-)")}
			case len(calls) > 1 && (flags.selected != "" || flags.fit.output != ""):
				return &exitError{Code: exitUsage, Err: errors.New("--select and --output are for one call, and there are several lines")}
			}
			if err := flags.fit.check(command); err != nil {
				return err
			}
			for i := range calls {
				calls[i].OnlyReads = flags.onlyReads
			}
			return call(command.Context(), *options, flags, words[0], calls)
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
	command.Flags().StringVar(&flags.arguments, "args", "", "the arguments as one `JSON` object, or @FILE with it")
	command.Flags().BoolVar(&flags.keepGoing, "keep-going", false, "with several calls: make the next one after one that failed")
	flags.fit.addFlags(command)
	command.Flags().StringVar(&flags.selected, "select", "", "print only the output of this jq `program` for the result ('mcp-workbench help results')")
	command.Flags().BoolVarP(&flags.asText, "raw", "r", false, "print texts among the output of --select as they are, not as JSON")
	command.Flags().DurationVar(&flags.timeout, "timeout", 0, "how long the call may take (30s, 5m); limits.call applies as well")
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print the result in the server's own bytes")
	command.Flags().BoolVar(&flags.onlyReads, "read-only", false, "refuse a tool that is not marked as one that only reads (\"readOnly\")")
	flags.servers.addFlags(command)
	return command
}

// call runs the command.
func call(ctx context.Context, options options, flags callFlags, name string, calls []shell.Arguments) error {
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
	printer := visit.printer(flags.fit, place.Tool)
	var printed error // which no signal explains
	err = visit.withServers(ctx, func(ctx context.Context) error {
		tools := visit.commandTools()
		if len(calls) > 1 {
			printed = callEach(ctx, tools, place, calls, flags)
			return nil
		}
		if flags.selected == "" {
			printer.Max = visit.maxText(place, flags.fit)
		}
		raw, problem, err := tools.CallAndSelect(ctx, place, calls[0], flags.timeout, flags.selected, flags.asText)
		if err != nil {
			return err
		}
		// Here, since the server may take its time to end.
		if printed = printer.Show(raw, console.Err, flags.asJSON); printed == nil && problem != "" {
			tools.Screen.Print("mcp-workbench: " + problem) // below the result, which may be long
			printed = &exitError{Code: exitUsage}
		}
		return nil
	})
	return cmp.Or(err, printed)
}

// fit are the flags about what is printed of a result.
type fit struct {
	output string
	max    int
	hasMax bool
}

func (f *fit) addFlags(command *cobra.Command) {
	command.Flags().IntVar(&f.max, "max", 0, "print so many `bytes` of text where standard output is no terminal, 0 for all")
	command.Flags().StringVar(&f.output, "output", "", "the `directory` to save images, audio and other files in")
}

// check checks the flags once the command line was read.
func (f *fit) check(command *cobra.Command) error {
	if f.hasMax = command.Flags().Changed("max"); f.max < 0 {
		return &exitError{Code: exitUsage, Err: errors.New("--max needs a number of bytes, 0 for all")}
	}
	return nil
}

// printer returns what prints a result. Name is the beginning of the names of files.
func (v *visit) printer(fit fit, name string) shell.Printer {
	return shell.Printer{
		Out: console.Out.Data(), Directory: fit.output, Tool: name,
		Note:   func(line string) { v.screen.Print("mcp-workbench: " + line) },
		Wholes: shell.Wholes{Folder: safefile.InStateFolder("results")},
	}
}

// maxText returns how many bytes of the text of a result are printed, 0 for all.
//
// Decision: without "background" everything is printed unless --max says otherwise, as scripts expect that have
// always called single tools. An agent's calls are those in the background.
func (v *visit) maxText(place shell.Place, fit fit) int {
	switch {
	case console.Out.Columns() > 0, fit.output != "":
		return 0
	case fit.hasMax:
		return fit.max
	case v.remote == nil:
		return 0
	}
	server, _ := place.Toolbox.Server(place.Server)
	return int(server.Limits.Result)
}

// callEach makes one call after another, and prints the result of each as one line. It returns the first failure.
func callEach(ctx context.Context, tools *shell.Tools, place shell.Place, calls []shell.Arguments, flags callFlags) (first error) {
	for _, arguments := range calls {
		line, failed := tools.Call(ctx, place, arguments, flags.timeout)
		if ctx.Err() != nil {
			return terminal.ErrInterrupted
		}
		if failed == nil && shell.ReadResult(line).IsError {
			failed = &shell.CommandError{Kind: shell.ToolError}
		}
		if line == nil {
			code, _ := errors.AsType[*exitError](withExitCode(failed))
			line = rawjson.Object{}.Raw("error", rawjson.Object{}.Text("message", failed.Error()).Int("exitCode", int64(code.Code)).JSON()).JSON()
			failed = &exitError{Code: code.Code} // it is printed as a line
		}
		if _, err := console.Out.Data().Write(append(jsonrpc.JoinLines(line), '\n')); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
		if first == nil {
			first = failed
		}
		if first != nil && !flags.keepGoing {
			return first
		}
	}
	return first
}

// helpFailure is the context key for the error of a command that could not show the help of a tool.
type helpFailure struct{}
