package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
)

// Link is a connection to one server below MCP: JSON-RPC in raw bytes. Safe for
// concurrent use.
type Link interface {
	// Request sends a request and waits for its answer, whose raw members are the
	// caller's. The context bounds both. A request that was sent and is given up is
	// cancelled at the server, but for the handshake's.
	//
	// Failures: the context's; else what says why the link cannot answer, fit to be
	// shown to a model.
	Request(ctx context.Context, method string, params json.RawMessage) (Answer, error)
	// Notify sends a notification. The context bounds the wait for room.
	Notify(ctx context.Context, method string, params json.RawMessage) error
	// Done is closed once no request can be answered any more.
	Done() <-chan struct{}
	// Close ends the link and everything behind it, see ports.Session.
	Close(ctx context.Context) error
}

// Answer is the answer to a request; exactly one of its members is set.
type Answer struct {
	Result json.RawMessage
	Error  json.RawMessage
}

// RequestError is an error object that a server answered with.
type RequestError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("%s (code %d)", e.Message, e.Code)
}

// err returns the error object of the answer as an error, nil if there is none.
// An object of another shape is shown as it is.
func (a Answer) err() error {
	if a.Error == nil {
		return nil
	}
	var failure RequestError
	if err := json.Unmarshal(a.Error, &failure); err != nil || failure.Message == "" {
		failure.Message = string(a.Error)
	}
	return &failure
}
