package domain

import (
	"encoding/json"
	"fmt"
	"time"
)

// ConfirmationTime is how long a question before a call waits for an answer.
const ConfirmationTime = 5 * time.Minute

// ConfirmationQuestion asks the user to allow a call.
type ConfirmationQuestion struct {
	// Tool is the tool, by its exact name.
	Tool ToolIdentifier
	// Called is the name used in the call: the exact or the shown one.
	Called string
	// Definition is the whole definition of the tool at the time of the question.
	Definition json.RawMessage
	// Given is the JSON object in the call as the host made it.
	Given json.RawMessage
	// Arguments is the JSON object that the server gets: Given, with what the configuration fixes and hides.
	Arguments json.RawMessage
	// OfUnknownPage is set if a page calls, pages of several servers are shown, and it is not known which of them.
	OfUnknownPage bool
	// Meta are the members of the call's _meta, written as in an object but without its braces, nil for none. With them
	// a host knows the call that the question is about.
	Meta json.RawMessage
}

// ConfirmationAnswer is the outcome of a question.
type ConfirmationAnswer int

// The outcomes of a question. Only two of these are a yes.
const (
	// ConfirmationUnclear: the user closed the question, or the answer is not valid.
	ConfirmationUnclear ConfirmationAnswer = iota
	// ConfirmedOnce: the user allows this call.
	ConfirmedOnce
	// ConfirmedForSession: the user allows all calls of the tool until the session ends or
	// the definition changes.
	ConfirmedForSession
	// ConfirmationDeclined: the user does not allow the call.
	ConfirmationDeclined
	// ConfirmationTimedOut: there was no answer in time.
	ConfirmationTimedOut
	// ConfirmationImpossible: the host cannot show questions.
	ConfirmationImpossible
	// ConfirmationFailed: the question could not be shown.
	ConfirmationFailed
	// ConfirmationWithdrawn: the call ended before there was an answer.
	ConfirmationWithdrawn
)

// String returns the outcome as the log shows it.
func (a ConfirmationAnswer) String() string {
	return [...]string{
		"no valid answer", "once", "for this session", "no", "no answer in time", "no user to ask", "the question could not be shown", "withdrawn",
	}[a]
}

// IsYes reports whether the call may be made.
func (a ConfirmationAnswer) IsYes() bool { return a == ConfirmedOnce || a == ConfirmedForSession }

// Confirmation is a yes to one call. A nil Confirmation is not a yes.
type Confirmation struct {
	tool       ToolIdentifier
	definition json.RawMessage
	arguments  json.RawMessage
}

// NewConfirmation returns the yes to a question.
func NewConfirmation(question ConfirmationQuestion) *Confirmation {
	return &Confirmation{tool: question.Tool, definition: question.Definition, arguments: question.Arguments}
}

// Covers reports whether the yes is for a call of the tool with that exact name, that definition
// and these bytes as arguments.
func (c *Confirmation) Covers(tool ToolIdentifier, definition, arguments json.RawMessage) bool {
	return c != nil && c.tool == tool && string(c.definition) == string(definition) && string(c.arguments) == string(arguments)
}

// NotConfirmedError says why a call that needs a yes was not made. It matches
// ErrNotConfirmed.
type NotConfirmedError struct {
	Tool ToolIdentifier
	// Answer is the outcome of the question.
	Answer ConfirmationAnswer
}

func (e *NotConfirmedError) Error() string {
	return fmt.Sprintf("the call of tool %q of server %q of toolbox %q was not confirmed: %s",
		e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox, e.Answer)
}

// Is reports whether target is ErrNotConfirmed.
func (e *NotConfirmedError) Is(target error) bool { return target == ErrNotConfirmed }
