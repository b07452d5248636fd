package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// maxRequests is the number of requests of the other end that are answered at the same time.
const maxRequests = 256

var errTooMany = errors.New("too many requests at the same time")

// peer is one end of a connection. Both ends make requests, answer those of the other end, and cancel their own. Safe
// for concurrent use.
type peer struct {
	// handle handles a request or a notification. Notifications are handled in order, one at a time; the results for
	// them do not count.
	handle func(ctx context.Context, method mcp.MCPMethod, params json.RawMessage) (json.RawMessage, error)

	writer *jsonrpc.Writer

	mu       sync.Mutex // guards the fields below
	last     uint64
	sent     map[uint64]chan<- response
	received map[string]context.CancelFunc
	failure  error // why the connection ended, nil before
}

// response is the answer to a request, or why there is none.
type response struct {
	result json.RawMessage
	err    error
}

// newPeer returns an end that writes to the other one. Callers call run.
func newPeer(to io.Writer) *peer {
	return &peer{writer: jsonrpc.NewWriter(to, nil), sent: map[uint64]chan<- response{}, received: map[string]context.CancelFunc{}}
}

// request makes a request and returns the result, whose bytes are the caller's. When the context ends, the other end
// is told.
func (p *peer) request(ctx context.Context, method mcp.MCPMethod, params json.RawMessage) (json.RawMessage, error) {
	responses := make(chan response, 1)
	p.mu.Lock()
	p.last++
	id := p.last
	p.sent[id] = responses
	failure := p.failure
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.sent, id)
	}()
	if failure != nil {
		return nil, failure
	}
	if err := p.send(ctx, jsonrpc.Request(id, method, params)); err != nil {
		return nil, err
	}
	select {
	case got := <-responses:
		return got.result, got.err
	case <-ctx.Done():
		p.notify(mcp.MethodNotificationCancelled, rawjson.Object{}.Uint("requestId", id).JSON())
		return nil, ctx.Err()
	}
}

// notify sends a notification without waiting. It is lost if the other end does not read: whoever has one, such as the
// reader of a server, has others to serve.
func (p *peer) notify(method mcp.MCPMethod, params json.RawMessage) {
	_ = p.writer.TryWrite(jsonrpc.Notification(method, params))
}

// send sends a message, and waits for the other end to read, but not when the context has ended.
func (p *peer) send(ctx context.Context, frame jsonrpc.Frame) error {
	err := p.writer.Write(ctx, frame)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("write to the other end: %w", err)
	}
	return err
}

// run handles the messages of the other end, of at most limit bytes, until they end or the context does. Then requests
// of both ends fail, and run returns when none of the other end is handled any more.
func (p *peer) run(ctx context.Context, from io.Reader, limit int64) {
	ctx, cancel := context.WithCancel(ctx)
	var handling sync.WaitGroup
	defer func() {
		cancel()
		handling.Wait()
		_ = p.writer.Close(ctx) // nothing waits for the rest
	}()
	lines, scanner := jsonrpc.NewLineReader(from, limit), rawjson.NewScanner()
	for {
		line, err := lines.Next()
		if tooLong, ok := errors.AsType[*jsonrpc.TooLongError](err); ok {
			_ = p.send(ctx, jsonrpc.TooLong(tooLong)) // if it fails, the connection ends
			continue
		}
		if err != nil {
			p.fail(err)
			return
		}
		message, err := jsonrpc.ParseMessage(scanner, line)
		switch {
		case err != nil: // such as the last line of a workbench that was stopped
		case message.IsResponse():
			p.complete(&message)
		case message.Method == mcp.MethodNotificationCancelled:
			p.cancel(string(rawjson.Member(message.Params, "requestId")))
		case message.IsRequest():
			p.begin(ctx, &handling, bytes.Clone(message.ID), message.Method, bytes.Clone(message.Params))
		default:
			_, _ = p.handle(ctx, message.Method, message.Params)
		}
	}
}

// begin handles a request on a goroutine.
func (p *peer) begin(serving context.Context, handling *sync.WaitGroup, id json.RawMessage, method mcp.MCPMethod, params json.RawMessage) {
	ctx, cancel := context.WithCancel(serving)
	if !p.admit(string(id), cancel) {
		cancel()
		_ = p.send(serving, jsonrpc.RawError(id, encode(errTooMany))) // if it fails, the connection ends
		return
	}
	handling.Go(func() {
		defer cancel()
		defer p.cancel(string(id))
		result, err := p.handle(ctx, method, params)
		if serving.Err() != nil {
			return // the other end sees that this one ends, and not what failed by that
		}
		frame := jsonrpc.Result(id, result)
		if err != nil {
			frame = jsonrpc.RawError(id, encode(err))
		}
		_ = p.send(serving, frame) // if it fails, the connection ends
	})
}

// admit notes a request of the other end, unless there are too many.
func (p *peer) admit(id string, cancel context.CancelFunc) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.received) >= maxRequests {
		return false
	}
	p.received[id] = cancel
	return true
}

// cancel ends the context of a request of the other end, and forgets the request.
func (p *peer) cancel(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if cancel := p.received[id]; cancel != nil {
		cancel()
		delete(p.received, id)
	}
}

// complete passes on the answer to a request.
func (p *peer) complete(message *jsonrpc.Message) {
	id, _ := strconv.ParseUint(string(message.ID), 10, 64)
	p.mu.Lock()
	responses := p.sent[id]
	delete(p.sent, id)
	p.mu.Unlock()
	switch {
	case responses == nil: // it was cancelled
	case message.Error != nil:
		responses <- response{err: decode(message.Error)}
	default:
		responses <- response{result: bytes.Clone(message.Result)}
	}
}

// fail makes requests fail, those under way and all later ones.
func (p *peer) fail(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failure = &lostError{why}
	for id, responses := range p.sent {
		responses <- response{err: p.failure}
		delete(p.sent, id)
	}
}

// lostError reports that the other end is gone.
type lostError struct{ cause error }

// Error implements error.
func (e *lostError) Error() string {
	return "the background workbench ended meanwhile; whether the call was carried out is not known"
}

// Unwrap returns the cause.
func (e *lostError) Unwrap() error { return e.cause }
