package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/shell"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
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

The input schema of the tool says what becomes of key=value: a text where texts are
allowed or nothing is said about the key, else a number, true, false or null. key:=json
is JSON as it stands: paths:='["a","b"]'. With "-" the arguments are one JSON object on
standard input.

Texts are printed. Log messages and progress appear on stderr, and what the server wants
to know is asked in the terminal; without one it is declined. So is whether a call may be
made that needs a yes ('mcp-workbench help approvals'). Ctrl-C cancels the call.
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

// callArguments are the arguments of a call: whole, or words whose types the tool's
// schema decides.
type callArguments struct {
	whole json.RawMessage
	words []shell.Argument
}

func (a callArguments) object(definition json.RawMessage) (json.RawMessage, error) {
	if a.whole != nil {
		return a.whole, nil
	}
	return shell.Object(a.words, definition)
}

// read reads the arguments, in the one way in which they are given.
func (f callFlags) read(command *cobra.Command, words []string) (callArguments, error) {
	given := command.Flags().Changed("args")
	stdin := len(words) == 1 && words[0] == "-"
	var text []byte
	switch {
	case given && len(words) > 0:
		return callArguments{}, errors.New("arguments come from --args or from words, not from both")
	case given:
		text = []byte(f.arguments)
	case stdin:
		var err error
		if text, err = io.ReadAll(console.Input()); err != nil {
			return callArguments{}, fmt.Errorf("read the arguments: %w", err)
		}
	default:
		pairs, err := shell.ParseArguments(words)
		return callArguments{words: pairs}, err
	}
	whole, err := shell.ReadObject(text)
	return callArguments{whole: whole}, err
}

// call runs the command.
func call(ctx context.Context, options options, flags callFlags, name string, arguments callArguments) error {
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
		return &exitError{code: exitUsage, err: fmt.Errorf("%q names no tool; 'mcp-workbench list %s' shows them", name, name)}
	}
	var raw json.RawMessage
	err = visit.withServers(ctx, func(ctx context.Context) error {
		raw, err = visit.call(ctx, place, arguments, flags.timeout)
		return err
	})
	if err != nil {
		return err
	}
	return printResult(visit, place, raw, flags)
}

// call starts the server, calls the tool and returns its raw result.
func (v *visit) call(ctx context.Context, place shell.Place, arguments callArguments, timeout time.Duration) (json.RawMessage, error) {
	listed, err := v.list(ctx, place)
	if err != nil {
		return nil, err
	}
	server := listed.Servers[0]
	if server.Failure != nil {
		return nil, callFailure(server.Failure)
	}
	// For a tool that does not exist the use case says so.
	tool := domain.ToolList{Tools: server.Tools}.Index()[place.Tool]
	object, err := arguments.object(tool.Definition)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	calling := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		calling, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	answer, err := v.use(calling, domain.ToolIdentifier{Toolbox: place.Toolbox.Name, Server: place.Server, Tool: place.Tool}, object)
	switch {
	case err != nil && calling.Err() != nil && ctx.Err() == nil:
		return nil, &exitError{code: exitFailure, err: fmt.Errorf("no result within %s; the server was told to stop", timeout)}
	case err != nil:
		return nil, callFailure(err)
	case answer.Error != nil:
		return nil, &exitError{code: exitToolError, err: fmt.Errorf("the server answered with an error: %s", domain.LineText(string(answer.Error)))}
	}
	return answer.Result, nil
}

// use makes the call and waits for its answer, whose bytes are the caller's.
func (v *visit) use(ctx context.Context, tool domain.ToolIdentifier, arguments json.RawMessage) (ports.Answer, error) {
	type outcome struct {
		answer ports.Answer
		err    error
	}
	ended := make(chan outcome, 1)
	v.screen.Show("calling " + tool.Tool)
	defer v.screen.Show()
	v.tools.user.UseTool(ctx, tool, ports.ToolCall{
		Arguments: arguments, Progress: shell.Progress(v.screen, tool.Tool), Input: v.tools.host.GatherInput(ctx, tool.ServerID()),
		Confirmer: v.tools.host,
	}, func(answer ports.Answer, err error) {
		ended <- outcome{ports.Answer{Result: bytes.Clone(answer.Result), Error: bytes.Clone(answer.Error)}, err}
	})
	end := <-ended
	return end.answer, end.err
}

// callFailure returns the failure of a call with its exit code.
func callFailure(err error) error {
	switch {
	case errors.Is(err, domain.ErrToolNotFound):
		return nameless(err)
	case errors.Is(err, domain.ErrServerUnavailable):
		return &exitError{code: exitUnreachable, err: err}
	}
	if required, ok := errors.AsType[*domain.LoginRequiredError](err); ok {
		return &exitError{code: exitUnreachable, err: fmt.Errorf("%s: %s", required.ID.Path(), wording.UserReason(required))}
	}
	if unconfirmed, ok := errors.AsType[*domain.NotConfirmedError](err); ok {
		return &exitError{code: exitFailure, err: notConfirmed(unconfirmed)}
	}
	if wrong, ok := errors.AsType[*domain.InvalidArgumentsError](err); ok {
		return &exitError{code: exitUsage, err: fmt.Errorf("%w: %s", err, wrong.Problems)}
	}
	if limit, ok := errors.AsType[*domain.TimedOutError](err); ok {
		err = fmt.Errorf("%w (%s raises that)", err, limit.Limit)
	}
	return &exitError{code: exitFailure, err: err}
}

// notConfirmed says to the person at the terminal why a call was not made.
func notConfirmed(unconfirmed *domain.NotConfirmedError) error {
	why := "you gave no answer"
	switch unconfirmed.Answer {
	case domain.ConfirmationImpossible:
		why = "there is no terminal to ask on"
	case domain.ConfirmationDeclined:
		why = "you did not allow it"
	case domain.ConfirmationTimedOut:
		why = fmt.Sprintf("you did not answer within %.0f minutes", domain.ConfirmationTime.Minutes())
	case domain.ConfirmationFailed:
		why = "the question could not be shown"
	}
	return fmt.Errorf("%s/%s was not called: it needs your yes (\"confirm\"), and %s", unconfirmed.Tool.ServerID().Path(), unconfirmed.Tool.Tool, why)
}

// printResult prints a result and returns the error with which the program exits.
func printResult(visit *visit, place shell.Place, raw json.RawMessage, flags callFlags) error {
	result, err := shell.ReadResult(raw)
	if err != nil {
		return &exitError{code: exitFailure, err: err}
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
		return &exitError{code: exitFailure, err: err}
	case result.IsError:
		return &exitError{code: exitToolError}
	}
	return nil
}
