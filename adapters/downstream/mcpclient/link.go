package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"mcp-workbench/domain"

	"mcp-workbench/ports"
)

// Link is a connection to one server below MCP: JSON-RPC in raw bytes. Safe for
// concurrent use.
type Link interface {
	// Request sends a request and hands its answer to reply. It returns at once;
	// reply is called exactly once, possibly before that, on any goroutine. The
	// answer's bytes are valid until reply returns, and while it does not, nothing
	// more is read. A request whose context ends or whose limit runs out is cancelled
	// at the server, unless it is a handshake.
	//
	// Failures: the context's; *LimitError; otherwise an error that says why the link
	// cannot answer, fit to be shown to a model.
	Request(ctx context.Context, request Request, reply Reply)
	// Notify sends a notification without waiting. It fails when the server does
	// not read.
	Notify(method string, params json.RawMessage) error
	// Done is closed once no request can be answered any more.
	Done() <-chan struct{}
	// Err says why, nil before Done is closed.
	Err() error
	// Close ends the link and everything behind it, see ports.Session.
	Close(ctx context.Context) error
}

// VersionedLink is a Link whose messages carry the protocol version outside their
// content, so that a server of any version knows it from the first message on:
// 2026-07-28 is tried first. A request for server/discover is always in that version.
type VersionedLink interface {
	Link
	// Expected is the version that the server spoke when it was last connected to, ""
	// if that is not known.
	Expected() string
	// Agree says which version every later message is in. It is called before the first
	// message in that version other than server/discover: once, or a second time when
	// the server turns out to speak another version.
	Agree(version string)
}

// SelectiveLink is a Link that cannot carry calls of every tool.
type SelectiveLink interface {
	Link
	// Admit notes a tool that the server lists. It fails if the tool cannot be called,
	// with the reason. The definition is the caller's.
	Admit(name string, definition json.RawMessage) error
}

// agree tells a VersionedLink the version.
func agree(link Link, version string) {
	if versioned, ok := link.(VersionedLink); ok {
		versioned.Agree(version)
	}
}

// Request is a request to a server.
type Request struct {
	Method string
	// Params is a raw object, nil to leave it out. Request takes ownership.
	Params json.RawMessage
	// Limit is how long the server may be silent, 0 for as long as it likes. Progress
	// and an answer to a request of the server restart it; a subscription that is
	// acknowledged has none from then on.
	Limit time.Duration
	// TotalLimit is how long the server may take in all, 0 for as long as it likes.
	TotalLimit time.Duration
	// FlushGroup may hold the writing of the request until Request returned.
	FlushGroup ports.FlushGroup
	// Token is the progress token in Params, 0 for none.
	Token uint64
	// Progress takes the progress under that token, before the reply.
	Progress func(ports.Progress)
	// Acknowledged takes the parameters with which the server acknowledges a
	// subscription, before anything that it says later. Nil drops them.
	Acknowledged func(params json.RawMessage)
}

// isSubscription reports whether the request is a subscription, which the server
// answers when it ends.
func (r Request) isSubscription() bool { return r.Method == domain.MethodSubscriptionsListen }

// LimitError says that a limit on a request ran out.
type LimitError struct {
	Waited time.Duration
	// InAll is set when it was the limit on the whole request.
	InAll bool
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the limit on the request ran out after %s", e.Waited)
}

// Answer is the answer to a request; exactly one of Result and Error is set.
type Answer struct {
	Result json.RawMessage
	Error  json.RawMessage
	// FlushGroup may hold what is written because of the answer, until the reply returns.
	FlushGroup ports.FlushGroup
}

// Reply takes the outcome of a request: the answer, or why there is none.
type Reply func(Answer, error)

// request sends a request and waits for its answer, which is the caller's.
func request(ctx context.Context, link Link, method string, params json.RawMessage) (Answer, error) {
	var answer Answer
	failure := requestAndRead(ctx, link, method, params, func(got Answer) error {
		answer = Answer{Result: bytes.Clone(got.Result), Error: bytes.Clone(got.Error)}
		return nil
	})
	return answer, failure
}

// requestAndRead makes a request and has read read the answer, whose bytes are valid until
// that returns, so that a long one is not copied. It returns the failure of either.
func requestAndRead(ctx context.Context, link Link, method string, params json.RawMessage, read func(Answer) error) error {
	var failure error
	replied := make(chan struct{})
	link.Request(ctx, Request{Method: method, Params: params}, func(got Answer, err error) {
		if failure = err; err == nil {
			failure = read(got)
		}
		close(replied)
	})
	<-replied
	return failure
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

// Spoken implements Spoken.
func (e *RequestError) Spoken() (words, without string) {
	return e.Message, fmt.Sprintf("an error (code %d)", e.Code)
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
