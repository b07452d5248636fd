package exit

import (
	"errors"
	"fmt"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/trust/consent"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/mcpserver/httpserver/endpoint"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/domain"
)

// WithCode returns the failure of a command with its exit code, which is Failure if there is no other for it.
// A *setup.UsageError is returned without a code, so that Report treats it as a mistake in the command line.
// WithCode returns nil for nil.
func WithCode(err error) error {
	if err == nil || is[*Error](err) {
		return err
	}
	if usage, ok := errors.AsType[*setup.UsageError](err); ok {
		return usage
	}
	code := Failure
	switch failure, _ := errors.AsType[*shell.CommandError](err); {
	case failure != nil:
		code = [...]int{shell.Other: Failure, shell.Usage: Usage, shell.Unreachable: Unreachable, shell.ToolError: ToolError}[failure.Kind]
		if failure.Err == nil {
			err = nil
		}
	case is[*config.InvalidError](err):
		return Unusable(err)
	case is[*setup.UnconfirmedError](err), is[*endpoint.UsageError](err), is[*consent.RefusedError](err), is[*login.UnsuitableError](err):
		code = Usage
	case is[*login.UnreachableError](err):
		code = Unreachable
	case is[*endpoint.RefusedError](err):
		code = Configuration
	case errors.Is(err, setup.ErrReported):
		err = nil
	case errors.Is(err, terminal.ErrInterrupted):
		code = Interrupted
	}
	return &Error{Code: code, Err: err}
}

// Unusable returns the failure of a command whose configuration cannot be loaded.
func Unusable(err error) error {
	if is[*Error](err) || is[*consent.RefusedError](err) {
		return WithCode(err)
	}
	code, next := Failure, ""
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		code = Configuration
		if problem := invalid.Problems[0]; problem.IsMissingFile() {
			next = "\n" + domain.QuotedCommand("mcp-workbench init --config "+domain.ShellWord(problem.File)) + " creates it"
		}
	}
	return &Error{Code: code, Err: fmt.Errorf("the configuration cannot be used:\n%w%s", err, next)}
}

// AfterLock returns the failure of the command lock, whose report has already been printed. It returns nil if the tools
// match the lock.
func AfterLock(run domain.LockRun) error {
	switch {
	case run.NoneReached() && run.Mode == domain.LockNew:
		return &Error{Code: Unreachable}
	case run.Failed():
		return &Error{Code: Failure}
	case len(run.Found.Unreachable) > 0:
		return &Error{Code: Unreachable}
	}
	return nil
}

// is reports whether a failure is or wraps an error of a type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
