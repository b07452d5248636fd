package remote

import (
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/terminal/shell"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// failure is an error on its way to the other end. The fields that are not nil say what it is.
type failure struct {
	Kind        shell.Kind                    `json:"kind,omitempty"`
	Text        string                        `json:"text,omitempty"`
	Invalid     *domain.InvalidArgumentsError `json:"invalid,omitempty"`
	Unconfirmed *domain.NotConfirmedError     `json:"unconfirmed,omitempty"`
	Unsupported *ports.UnsupportedError       `json:"unsupported,omitempty"`
}

// newFailure returns what the other end is told of an error.
func newFailure(err error) failure {
	var described failure
	described.Invalid, _ = errors.AsType[*domain.InvalidArgumentsError](err)
	described.Unconfirmed, _ = errors.AsType[*domain.NotConfirmedError](err)
	described.Unsupported, _ = errors.AsType[*ports.UnsupportedError](err)
	failed := shell.CallFailed(err)
	described.Text = failed.Error()
	if command, ok := errors.AsType[*shell.CommandError](failed); ok {
		described.Kind = command.Kind
	}
	return described
}

// error returns the error that was described.
func (f failure) error() error {
	switch {
	case f.Invalid != nil:
		return f.Invalid
	case f.Unconfirmed != nil:
		return f.Unconfirmed
	case f.Unsupported != nil:
		return f.Unsupported
	}
	return &shell.CommandError{Kind: f.Kind, Err: errors.New(f.Text)}
}

// encode returns an error as that of a response.
func encode(err error) json.RawMessage {
	return rawjson.MustMarshal(map[string]any{"code": mcp.INTERNAL_ERROR, "message": "failed", "data": newFailure(err)})
}

// decode returns the error of a response.
func decode(object json.RawMessage) error {
	var got struct {
		Message string   `json:"message"`
		Data    *failure `json:"data"`
	}
	if err := json.Unmarshal(object, &got); err != nil {
		return err
	}
	if got.Data == nil { // a message that is longer than the workbench reads
		return &shell.CommandError{Err: errors.New(got.Message)}
	}
	return got.Data.error()
}

// unreachable is why a server cannot be used, as the workbench says it: in a listing, and as the failure of a command.
type unreachable struct {
	reason  string
	failure error
}

func newUnreachable(err error) *sentUnreachable {
	if err == nil {
		return nil
	}
	return &sentUnreachable{failure: newFailure(err), Reason: wording.UserReason(err)}
}

// sentUnreachable is unreachable on its way.
type sentUnreachable struct {
	failure
	Reason string `json:"reason"`
}

// Error implements error.
func (e *unreachable) Error() string { return e.reason }

// Unwrap returns the failure of a command that needs the server.
func (e *unreachable) Unwrap() error { return e.failure }
