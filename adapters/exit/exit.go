// Package exit has the exit codes of the program, and turns the failure of a command into a code and
// a line on standard error.
//
// Decision: packages return errors of their own types, and only this package knows the code of each, so that
// no other package depends on how the program ends.
package exit

import (
	"errors"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
)

// Exit codes (tests/acceptance/CONTRACT.md section 9).
const (
	OK            = 0
	Failure       = 1
	Usage         = 2
	Configuration = 3
	Unreachable   = 4
	ToolError     = 5
	Interrupted   = 130 // the code that shells report for a program that Ctrl-C ended
)

// InterruptedLine is printed when Ctrl-C ends a command.
const InterruptedLine = "mcp-workbench: interrupted"

// Error is a failure with its exit code.
type Error struct {
	Code int
	Err  error // nil if everything was already printed
}

// Error implements error.
func (e *Error) Error() string {
	if e.Err == nil {
		return "exit"
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Report prints the failure of a command, unless it was already printed, and returns the exit code. A failure
// that is not an *Error is a mistake in the command line. For nil, Report returns OK.
func Report(console *terminal.Console, commandPath string, err error) (code int) {
	switch failure, hasCode := errors.AsType[*Error](err); {
	case err == nil:
		return OK
	case terminal.IsClosed(err):
		return terminal.ClosedExit
	case !hasCode && terminal.IsUnwritten(err): // by the library, which prints the version
		console.Err.Printf("mcp-workbench: %v\n", err)
		return Failure
	case !hasCode:
		console.Err.Printf("mcp-workbench: %v\nSee '%s --help'.\n", commandline.Excluding(err), commandPath)
		return Usage
	case failure.Code == Interrupted:
		console.SayInterrupted(InterruptedLine)
		return Interrupted
	default:
		if failure.Err != nil {
			console.Err.Printf("mcp-workbench: %v\n", failure.Err)
		}
		return failure.Code
	}
}
