package main

import (
	"errors"
	"fmt"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/config/trust"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/lock/lockreport"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
)

// Exit codes (tests/acceptance/CONTRACT.md section 9).
//
// Decision: packages return errors of their own types, and only this file knows the code of each, so that
// no other package depends on how the program ends.
const (
	exitOK            = 0
	exitFailure       = 1
	exitUsage         = 2
	exitConfiguration = 3
	exitUnreachable   = 4
	exitToolError     = 5
	exitNotAllowed    = 6
	exitInterrupted   = 130 // the code that shells report for a program that Ctrl-C ended
)

// interruptedLine is printed when Ctrl-C ends a command.
const interruptedLine = "mcp-workbench: interrupted"

// exitError is a failure with its exit code.
type exitError struct {
	Code int
	Err  error // nil if everything was already printed
}

// Error implements error.
func (e *exitError) Error() string {
	if e.Err == nil {
		return "exit"
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *exitError) Unwrap() error { return e.Err }

// reportExit prints the failure of a command, unless it was already printed, and returns the exit code. A failure
// that is not an *exitError is a mistake in the command line. For nil, it returns exitOK.
func reportExit(console *terminal.Console, commandPath string, err error) (code int) {
	switch failure, hasCode := errors.AsType[*exitError](err); {
	case err == nil:
		return exitOK
	case terminal.IsClosed(err):
		return terminal.ClosedExit
	case !hasCode && terminal.IsUnwritten(err): // by the library, which prints the version
		console.Err.Printf("mcp-workbench: %v\n", err)
		return exitFailure
	case !hasCode:
		console.Err.Printf("mcp-workbench: %v\nSee '%s --help'.\n", commandline.Excluding(err), commandPath)
		return exitUsage
	case failure.Code == exitInterrupted:
		console.SayInterrupted(interruptedLine)
		return exitInterrupted
	default:
		if failure.Err != nil {
			console.Err.Printf("mcp-workbench: %v\n", failure.Err)
		}
		return failure.Code
	}
}

// withExitCode returns the failure of a command with its exit code, which is exitFailure if there is no other for it.
// A *setup.UsageError is returned without a code, so that reportExit treats it as a mistake in the command line.
// withExitCode returns nil for nil.
func withExitCode(err error) error {
	if err == nil || is[*exitError](err) {
		return err
	}
	if usage, ok := errors.AsType[*setup.UsageError](err); ok {
		return usage
	}
	code := exitFailure
	switch failure, _ := errors.AsType[*shell.CommandError](err); {
	case failure != nil:
		code = [...]int{shell.Other: exitFailure, shell.Usage: exitUsage, shell.Unreachable: exitUnreachable, shell.ToolError: exitToolError, shell.NotAllowed: exitNotAllowed}[failure.Kind]
		if failure.Err == nil {
			err = nil
		}
	case is[*config.InvalidError](err):
		return unusable(err)
	case is[*lockreport.CareError](err), is[*setup.UnconfirmedError](err), is[*trust.RefusedError](err), is[*config.UntrustedError](err), is[*login.UnsuitableError](err), is[*registry.NotFoundError](err):
		code = exitUsage
	case is[*login.UnreachableError](err), is[*registry.Error](err):
		code = exitUnreachable
	case errors.Is(err, setup.ErrReported):
		err = nil
	case errors.Is(err, terminal.ErrInterrupted):
		code = exitInterrupted
	}
	return &exitError{Code: code, Err: err}
}

// unusable returns the failure of a command whose configuration cannot be loaded.
func unusable(err error) error {
	if is[*exitError](err) || is[*trust.RefusedError](err) {
		return withExitCode(err)
	}
	code, next := exitFailure, ""
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		code, next = exitConfiguration, creating(invalid.Problems)
	}
	return &exitError{Code: code, Err: fmt.Errorf("the configuration cannot be used:\n%w%s", err, next)}
}

// creating returns a line that says how to create the configuration, "" unless its problem is that it does not exist.
func creating(problems []tree.Problem) string {
	if problem := problems[0]; problem.IsMissingFile() {
		return "\n" + domain.QuotedCommand("mcp-workbench init --config "+domain.ShellWord(problem.File)) + " creates it"
	}
	return ""
}

// exitAfterLock returns the failure of the command lock, whose report has already been printed. It returns nil if the tools
// match the lock.
func exitAfterLock(run domain.LockRun) error {
	switch {
	case run.NoneReached() && run.Mode == domain.LockNew:
		return &exitError{Code: exitUnreachable}
	case run.Failed():
		return &exitError{Code: exitFailure}
	case len(run.Found.Unreachable) > 0:
		return &exitError{Code: exitUnreachable}
	}
	return nil
}

// is reports whether a failure is or wraps an error of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
