package main

import (
	"errors"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/httpserver/endpoint"
	"mcp-workbench/adapters/setup"
	"mcp-workbench/adapters/shell"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/trust/consent"
)

// Exit codes of the program (tests/acceptance/CONTRACT.md section 9).
const (
	exitOK            = 0
	exitFailure       = 1
	exitUsage         = 2
	exitConfiguration = 3
	exitUnreachable   = 4
	exitToolError     = 5
	exitInterrupted   = 130 // what shells report of a program that Ctrl-C ended
)

// interrupted is printed when Ctrl-C ends a command.
const interrupted = "mcp-workbench: interrupted"

// exitError is a failure with an exit code of its own.
type exitError struct {
	code int
	err  error // nil when everything was printed already
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "exit"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// ending returns the function of a command that fails with an exit code: exitFailure if the
// failure has no other.
func ending(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(command *cobra.Command, args []string) error { return ended(run(command, args)) }
}

// ended returns the error with which the program exits after a failure.
func ended(err error) error {
	if err == nil || hasType[*exitError](err) {
		return err
	}
	if usage, ok := errors.AsType[*setup.UsageError](err); ok {
		return usage
	}
	code := exitFailure
	switch failure, _ := errors.AsType[*shell.CommandError](err); {
	case failure != nil:
		code = map[shell.Kind]int{
			shell.Other: exitFailure, shell.Usage: exitUsage, shell.Unreachable: exitUnreachable, shell.ToolError: exitToolError,
		}[failure.Kind]
	case hasType[*config.InvalidError](err):
		return unusable(err)
	case hasType[*setup.UnconfirmedError](err), hasType[*endpoint.UsageError](err), hasType[*consent.RefusedError](err):
		code = exitUsage
	case hasType[*login.UnreachableError](err):
		code = exitUnreachable
	case hasType[*endpoint.RefusedError](err):
		code = exitConfiguration
	case errors.Is(err, setup.ErrReported):
		err = nil
	case errors.Is(err, terminal.ErrInterrupted):
		code = exitInterrupted
	}
	return &exitError{code: code, err: err}
}

// is reports whether a failure is or wraps an error of a type.
func hasType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
