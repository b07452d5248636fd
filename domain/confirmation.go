package domain

import (
	"encoding/json"
	"fmt"
	"time"
)

// ConfirmationTime is how long a person may take to answer whether a call may be made.
const ConfirmationTime = 5 * time.Minute

// ConfirmationQuestion is what a person is asked before a call.
type ConfirmationQuestion struct {
	// Tool is the tool, by its exact name.
	Tool ToolIdentifier
	// Called is the name by which the tool is called: the exact one, or the one that is shown.
	Called string
	// Arguments is the JSON object that the tool would be called with.
	Arguments json.RawMessage
}

// ConfirmationAnswer is what became of a question.
type ConfirmationAnswer int

// What can become of a question. Only two of these are a yes.
const (
	// ConfirmationUnclear: the person closed the question, or the answer says nothing that
	// counts.
	ConfirmationUnclear ConfirmationAnswer = iota
	// ConfirmedOnce: the person allows this call.
	ConfirmedOnce
	// ConfirmedForSession: the person allows all calls of the tool, as long as the session
	// lasts and its definition stays as it is.
	ConfirmedForSession
	// ConfirmationDeclined: the person does not allow the call.
	ConfirmationDeclined
	// ConfirmationTimedOut: nobody answered in time.
	ConfirmationTimedOut
	// ConfirmationImpossible: there is nobody whom the question could be shown to.
	ConfirmationImpossible
	// ConfirmationFailed: the question could not be shown.
	ConfirmationFailed
	// ConfirmationWithdrawn: the call ended before there was an answer.
	ConfirmationWithdrawn
)

// String names the decision for the log.
func (a ConfirmationAnswer) String() string {
	return [...]string{
		"no valid answer", "once", "for this session", "no", "no answer in time", "nobody can be asked", "the question could not be shown", "withdrawn",
	}[a]
}

// IsYes reports whether the call may be made.
func (a ConfirmationAnswer) IsYes() bool { return a == ConfirmedOnce || a == ConfirmedForSession }

// Confirmation is a yes to one call. Nil is none.
type Confirmation struct {
	tool       ToolIdentifier
	definition json.RawMessage
	arguments  json.RawMessage
}

// NewConfirmation returns the yes to a question about a tool with that definition.
func NewConfirmation(question ConfirmationQuestion, definition json.RawMessage) *Confirmation {
	return &Confirmation{tool: question.Tool, definition: definition, arguments: question.Arguments}
}

// Covers reports whether the yes is for a call of the tool of that exact name, with that
// definition and these bytes as arguments.
func (c *Confirmation) Covers(tool ToolIdentifier, definition, arguments json.RawMessage) bool {
	return c != nil && c.tool == tool && string(c.definition) == string(definition) && string(c.arguments) == string(arguments)
}

// NotConfirmedError says why a call that needs a yes was not made. It matches
// ErrNotConfirmed.
type NotConfirmedError struct {
	Tool ToolIdentifier
	// Answer is what became of the question.
	Answer ConfirmationAnswer
}

func (e *NotConfirmedError) Error() string {
	return fmt.Sprintf("the call of tool %q of server %q of toolbox %q was not confirmed: %s",
		e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox, e.Answer)
}

// Is reports whether target is ErrNotConfirmed.
func (e *NotConfirmedError) Is(target error) bool { return target == ErrNotConfirmed }
