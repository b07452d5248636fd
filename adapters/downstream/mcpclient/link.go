package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/ports"
)

// Link is a connection to one server below MCP: JSON-RPC in raw bytes. Safe for
// concurrent use.
type Link interface {
	// Request sends a request and returns at once. It calls reply exactly once, possibly before it
	// returns, on any goroutine. The answer's bytes are valid until reply returns, and nothing more
	// is read until then. A request whose context ends or whose limit runs out is cancelled at the
	// server, unless it is a handshake.
	//
	// Failures: the context's; *LimitError; otherwise an error that tells a model why the link
	// cannot answer.
	Request(ctx context.Context, request Request, reply Reply)
	// Notify sends a notification without waiting. It fails if the server does not read.
	Notify(method mcp.MCPMethod, params json.RawMessage) error
	// Done is closed when no more requests can be answered.
	Done() <-chan struct{}
	// Err returns why, nil before Done is closed.
	Err() error
	// Close ends the link and everything behind it; see ports.Session.
	Close(ctx context.Context) error
	// Expected returns the version that the server probably speaks, "" if unknown. The first message is in
	// 2026-07-28 unless a version with a handshake is expected. A server/discover is always in that version.
	Expected() string
	// Agree sets the version of later messages. It is called before the first message in that
	// version other than server/discover, and again if the server turns out to speak another.
	Agree(version string)
	// Admit notes a tool that the server lists. It returns the reason if the tool cannot be called over the
	// link. It does not keep the definition.
	Admit(name string, definition json.RawMessage) error
}

// Request is a request to a server.
type Request struct {
	Method mcp.MCPMethod
	// Params is a raw object, nil to leave it out. Request takes ownership.
	Params json.RawMessage
	// CleanParams says that Params are known to be UTF-8 without line ends.
	CleanParams bool
	// Limit is the longest time the server may be silent, 0 for no limit. Progress and answers to requests
	// of the server restart it; it ends when a subscription is acknowledged.
	Limit time.Duration
	// TotalLimit is the longest time the server may take in all, 0 for no limit.
	TotalLimit time.Duration
	// FlushGroup may delay the writing of the request until Request has returned.
	FlushGroup ports.FlushGroup
	// Token is the progress token in Params, 0 for none.
	Token uint64
	// Progress is called with progress under that token, before the reply. Nil is for progress that only shows that the
	// server works.
	Progress func(ports.Progress)
	// Acknowledged, unless nil, is called with the parameters of the server's acknowledgment of a
	// subscription, before its later messages are handed on.
	Acknowledged func(params json.RawMessage)
}

// Frame frames the request under that id.
func (r Request) Frame(id uint64) jsonrpc.Frame {
	if r.CleanParams {
		return jsonrpc.CleanRequest(id, r.Method, r.Params)
	}
	return jsonrpc.Request(id, r.Method, r.Params)
}

// isSubscription reports whether requests of a method are subscriptions, which are answered when they end.
func isSubscription(method mcp.MCPMethod) bool { return method == mcp.MethodSubscriptionsListen }

// LimitError says that a limit on a request ran out.
type LimitError struct {
	Waited time.Duration
	// InAll says that it was the limit on the whole request.
	InAll bool
	// Output quotes what the server wrote meanwhile that is not MCP, "" for nothing.
	Output string
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the limit on the request ran out after %s", e.Waited)
}

// Answer is the answer to a request; exactly one of Result and Error is set.
type Answer struct {
	Result json.RawMessage
	Error  json.RawMessage
	// Reading tells what the reader of Result noticed.
	Reading ports.Reading
	// FlushGroup may delay what the reply writes until the reply returns.
	FlushGroup ports.FlushGroup
}

// Reply receives the answer to a request, or the reason why there is none.
type Reply func(Answer, error)

// Ask sends a request by send, such as Link.Request, and waits for the answer, which it copies.
func Ask(ctx context.Context, send func(context.Context, Request, Reply), request Request) (Answer, error) {
	var answer Answer
	failure := askAndRead(ctx, send, request, func(got Answer) error {
		answer = Answer{Result: bytes.Clone(got.Result), Error: bytes.Clone(got.Error)}
		return nil
	})
	return answer, failure
}

// askAndRead is Ask with a function that reads the answer before its bytes become invalid, so that a
// long answer is not copied. It returns the error of the request or of read.
func askAndRead(ctx context.Context, send func(context.Context, Request, Reply), request Request, read func(Answer) error) error {
	var failure error
	replied := make(chan struct{})
	send(ctx, request, func(got Answer, err error) {
		if failure = err; err == nil {
			failure = read(got)
		}
		close(replied)
	})
	<-replied
	return failure
}

// RequestError is an error object in an answer.
type RequestError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("%s (code %d)", e.Message, e.Code)
}

// Quote implements QuotingError.
func (e *RequestError) Quote() (quote, without string) {
	return e.Message, fmt.Sprintf("an error (code %d)", e.Code)
}

// err returns the error object of the answer as an error, nil if there is none. An object of another
// shape becomes the message.
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
