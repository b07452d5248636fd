package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/shell"
)

// callFlags are the flags of call.
type callFlags struct {
	arguments string
	output    string
	timeout   time.Duration
	asJSON    bool
}

func newCallCommand(options *options) *cobra.Command {
	var flags callFlags
	command := &cobra.Command{
		Use:   "call TOOLBOX/SERVER/TOOL [key=value… | key:=json… | -]",
		Short: "Call a tool as a host would, and print its result",
		Long: `Call a tool as a host would, and print its result.

The input schema of the tool decides the type of key=value: a string where the schema
allows strings or does not have the key, otherwise a number, true, false or null. The
value of key:=json is JSON: paths:='["a","b"]'. With "-" the arguments are read from
standard input, as one JSON object.

Texts are printed. Log messages and progress appear on stderr. Questions of the server are
asked in the terminal, and so is whether to make a call that needs your yes
('mcp-workbench help approvals'); without a terminal they are declined. Ctrl-C cancels the
call.
The exit code is 5 when the tool failed, and 4 when its server cannot be reached.`,
		Args:              wordsBetween(1, 0),
		ValidArgsFunction: completePlaces(options, true),
		RunE: func(command *cobra.Command, words []string) error {
			arguments, err := flags.read(command, words[1:])
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			return call(command.Context(), *options, flags, words[0], arguments)
		},
	}
	command.Flags().StringVar(&flags.arguments, "args", "", "the arguments as one `JSON` object")
	command.Flags().StringVar(&flags.output, "output", "", "`directory` that images, audio and other files are saved in")
	command.Flags().DurationVar(&flags.timeout, "timeout", 0, "how long the call may take (30s, 5m); limits.call counts as well")
	command.Flags().BoolVar(&flags.asJSON, "json", false, "print the result in the server's own bytes")
	return command
}

// read returns the arguments, which are given in one of three ways.
func (f callFlags) read(command *cobra.Command, words []string) (shell.Arguments, error) {
	given := command.Flags().Changed("args")
	stdin := len(words) == 1 && words[0] == "-"
	var text []byte
	switch {
	case given && len(words) > 0:
		return shell.Arguments{}, errors.New("arguments come from --args or from words, not from both")
	case given:
		text = []byte(f.arguments)
	case stdin:
		var err error
		if text, err = io.ReadAll(console.Input()); err != nil {
			return shell.Arguments{}, fmt.Errorf("read the arguments: %w", err)
		}
	default:
		pairs, err := shell.ParseArguments(words)
		return shell.Arguments{Words: pairs}, err
	}
	object, err := shell.ReadObject(text)
	return shell.Arguments{Object: object}, err
}

// call runs the command.
func call(ctx context.Context, options options, flags callFlags, name string, arguments shell.Arguments) error {
	visit, err := newVisit(options.starting())
	if err != nil {
		return err
	}
	defer visit.Close()
	place, err := visit.find(name)
	switch {
	case err != nil:
		return err
	case place.Tool == "":
		return &exitError{code: exitUsage, err: fmt.Errorf("%q does not name a tool; 'mcp-workbench list %s' shows them", name, name)}
	}
	var raw json.RawMessage
	err = visit.withServers(ctx, func(ctx context.Context) error {
		raw, err = visit.commandTools().Call(ctx, place, arguments, flags.timeout)
		return err
	})
	if err != nil {
		return err
	}
	return printResult(visit, place, raw, flags)
}

// printResult prints a result and returns the error with which the program exits.
func printResult(visit *visit, place shell.Place, raw json.RawMessage, flags callFlags) error {
	result, err := shell.ReadResult(raw)
	if err != nil {
		return err
	}
	printer := shell.Printer{
		Out: console.Out.Data(), Directory: flags.output, Tool: place.Tool,
		Note: func(line string) { visit.screen.Print("mcp-workbench: " + line) },
	}
	if result.IsError {
		printer.Out = console.Err
	}
	if flags.asJSON {
		_, err = console.Out.Data().Write(append(raw, '\n'))
	} else {
		err = printer.Print(result)
	}
	switch {
	case err != nil:
		return err
	case result.IsError:
		return &exitError{code: exitToolError}
	}
	return nil
}
