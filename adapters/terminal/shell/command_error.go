package shell

import (
	"errors"
	"fmt"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// Kind is the kind of a failure, for the exit code of a command.
type Kind int

// The kinds of failures.
const (
	Other       Kind = iota
	Usage            // the command line names what does not exist
	Unreachable      // the server cannot be reached, or wants a login
	ToolError        // the server answered with an error
	NotAllowed       // the call was not made, since no person allowed it, or since it may do more than read
)

// CommandError is the error of a command, with its kind.
type CommandError struct {
	Kind Kind
	Err  error // nil when everything was printed already
}

// Error implements error.
func (e *CommandError) Error() string {
	if e.Err == nil {
		return "the failure was printed"
	}
	return e.Err.Error()
}

// Unwrap returns the cause.
func (e *CommandError) Unwrap() error { return e.Err }

func usageError(format string, args ...any) error {
	return &CommandError{Usage, fmt.Errorf(format, args...)}
}

// CallFailed returns the failure of a command whose call failed. It returns a *CommandError as it is.
func CallFailed(err error) error {
	if command, ok := errors.AsType[*CommandError](err); ok {
		return command
	}
	if notFound, ok := errors.AsType[*domain.ToolNotFoundError](err); ok {
		return usageError("%w%s", err, domain.Suggest(notFound.Tool.Tool, notFound.Available))
	}
	if errors.Is(err, domain.ErrServerUnavailable) && !errors.Is(err, domain.ErrAnswerTooLarge) {
		return &CommandError{Unreachable, err}
	}
	if required, ok := errors.AsType[*domain.LoginRequiredError](err); ok {
		return &CommandError{Unreachable, fmt.Errorf("%s: %s", required.ID.Path(), wording.UserReason(required))}
	}
	if unconfirmed, ok := errors.AsType[*domain.NotConfirmedError](err); ok {
		return notConfirmed(unconfirmed)
	}
	if changes, ok := errors.AsType[*domain.NotReadOnlyError](err); ok {
		return notReadOnly(changes)
	}
	if wrong, ok := errors.AsType[*domain.InvalidArgumentsError](err); ok {
		return usageError("%w: %s", err, wrong.Problems)
	}
	if limit, ok := errors.AsType[*domain.TimedOutError](err); ok {
		return fmt.Errorf("%w (%s raises that)", err, limit.Limit)
	}
	return err
}

// notConfirmed says why a call was not made.
func notConfirmed(unconfirmed *domain.NotConfirmedError) error {
	reason := "you gave no answer"
	switch unconfirmed.Answer {
	case domain.ConfirmationImpossible:
		return notCalled(unconfirmed.Tool, `it needs your approval ("confirm"), and there is no terminal to ask on`)
	case domain.ConfirmationDeclined:
		reason = "you did not allow it"
	case domain.ConfirmationTimedOut:
		reason = fmt.Sprintf("you did not answer within %.0f minutes", domain.ConfirmationTime.Minutes())
	case domain.ConfirmationFailed:
		reason = "the question could not be shown"
	}
	return fmt.Errorf("%s/%s was not called: it needs your approval (\"confirm\"), and %s", unconfirmed.Tool.ServerID().Path(), unconfirmed.Tool.Tool, reason)
}

// notReadOnly says why a call that was to read only was not made.
func notReadOnly(changes *domain.NotReadOnlyError) error {
	if changes.NeedsYes {
		return notCalled(changes.Tool, `it needs your approval ("confirm"), so it is not one that only reads`)
	}
	return notCalled(changes.Tool, "it is not marked as one that only reads")
}

func notCalled(tool domain.ToolIdentifier, why string) error {
	return &CommandError{NotAllowed, fmt.Errorf("%s/%s was not called: %s", tool.ServerID().Path(), tool.Tool, why)}
}
