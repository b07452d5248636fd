package streamablehttp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain/rawjson"
)

// call is a request in flight: a POST and its answer.
type call struct {
	link    *link
	id      uint64
	method  mcp.MCPMethod
	params  json.RawMessage
	message []byte
	ticket  web.Ticket
	// sessionID is the session id in the answer to initialize.
	sessionID string
	// probed is the session that a ping asks about, nil for other calls. Gone says that the server does not know it.
	probed *session
	gone   atomic.Bool

	cancel context.CancelFunc
	sent   chan struct{} // closed when the message was sent, or cannot be sent
	once   sync.Once
}

// unanswered is the failure of a call whose answer has no result.
func (c *call) unanswered() error {
	return c.link.Unanswered(c.id, fmt.Sprintf("the server at %s ended its answer without a result", c.link.endpoint.Origin()))
}

// run makes the call and ends the request with its outcome.
func (c *call) run(ctx context.Context) {
	l := c.link
	err := c.send(ctx)
	if err == nil && l.Waits(c.id) {
		err = c.unanswered()
	}
	l.mu.Lock()
	delete(l.calls, c.id)
	l.mu.Unlock()
	if err == nil || ctx.Err() != nil {
		return
	}
	l.receiveMu.Lock() // progress that arrived is passed on before the reply
	l.End(c.id, mcpclient.Answer{}, err)
	l.receiveMu.Unlock()
	l.handleFailure(c.method, err)
}

// handleFailure handles the failure of a request: it fails the link if the server cannot be reached,
// and probes a server that cut the connection.
func (l *link) handleFailure(method mcp.MCPMethod, err error) {
	if _, unreachable := errors.AsType[*web.UnreachableError](err); unreachable {
		l.Fail(err)
		return
	}
	if errors.Is(err, web.ErrCut) && method != mcp.MethodPing && !mcpclient.IsHandshake(method) {
		probe := mcpclient.Request{Method: mcp.MethodPing, Limit: probeTime}
		l.startCall(context.Background(), probe, func(mcpclient.Answer, error) {})
	}
}

// probeTime is the longest time a server that cut the connection may take to answer a ping.
const probeTime = 10 * time.Second

// send posts the request and reads its answer. It repeats a request once that was certainly not carried out, or does no
// harm if it is carried out twice: in a new session if the server does not know the session, or with the headers of a
// new list.
func (c *call) send(ctx context.Context) error {
	l := c.link
	if !c.ticket.Wait(ctx) {
		c.ticket.Done()
		return ctx.Err()
	}
	defer c.ticket.Within(orderTime)()
	for again := c.probed != nil; l.Waits(c.id); again = true { // nothing is sent of a request that failed meanwhile
		session, listings := cmp.Or(c.probed, l.session.forMethod(c.method)), l.relisting.times.Load()
		response, err := c.post(ctx, session)
		if err != nil {
			return err
		}
		if response.StatusCode/100 == 2 {
			err := c.readAnswer(ctx, session, response, !again)
			if again || !errors.Is(err, errForgotten) {
				return err
			}
			l.log.Info("the server forgot the session, starting a new one", "status", response.StatusCode)
			if err := l.renew(ctx, session); err != nil {
				return err
			}
			continue
		}
		refusal := l.endpoint.Refused(response)
		closeBody(response)
		isForgotten := session.isForgotten(refusal)
		c.gone.Store(isForgotten)
		switch {
		case !again && isForgotten && !c.mayBeDone(refusal.Status):
			l.log.Info("the server forgot the session, starting a new one", "status", refusal.Status)
			err := l.renew(ctx, session)
			if errors.Is(err, errTooSoon) {
				return c.endRefused(refusal)
			}
			if err != nil {
				return err
			}
		case !again && isForgotten:
			if err := c.replaceIfGone(ctx, session); err != nil {
				return err
			}
			return c.endRefused(refusal)
		case !again && c.isMismatch(session, refusal):
			if err := l.listAgain(ctx, listings); err != nil {
				l.log.Debug("could not list the tools again", "error", err)
				return c.endRefused(refusal)
			}
		default:
			return c.endRefused(refusal)
		}
	}
	return nil
}

func (c *call) post(ctx context.Context, session *session) (*http.Response, error) {
	traced := web.TraceSent(ctx, func() { c.once.Do(func() { close(c.sent) }) })
	return c.link.endpoint.Do(traced, "POST", session.header(c.method, c.params, &c.link.tools), c.message)
}

// sentWithin reports whether the request was sent within the limit.
func (c *call) sentWithin(limit time.Duration) bool {
	select {
	case <-c.sent:
		return true
	case <-time.After(limit):
		return false
	}
}

// endRefused ends the request with a refusal. A JSON-RPC error in it is the server's answer, unless
// the refusal is about authentication or the rate of requests.
func (c *call) endRefused(refusal *web.RefusalError) error {
	l := c.link
	if c.method == mcp.MethodInitialize {
		l.initializeStatus.Store(int64(refusal.Status))
	}
	switch refusal.Status {
	case http.StatusUnauthorized:
		return &mcpclient.DeniedError{Err: refusal}
	case http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests:
		return refusal
	}
	message, err := jsonrpc.ParseMessage(rawjson.NewScanner(), refusal.Body)
	if err != nil || rawjson.Kind(message.Error) != '{' {
		if c.method == mcp.MethodInitialize && l.endpoint.HasOlderPath() {
			return fmt.Errorf(`%w; if it speaks the older HTTP+SSE, "transport": "sse" in its settings says so`, refusal)
		}
		return refusal
	}
	l.initializeStatus.Store(0) // it speaks this protocol
	l.End(c.id, mcpclient.Answer{Error: message.Error}, nil)
	return nil
}

// readAnswer reads the answer, a single message or a stream. It returns errForgotten, if that may be,
// for an answer that says that the server does not know the session.
func (c *call) readAnswer(ctx context.Context, session *session, response *http.Response, mayRenew bool) error {
	defer closeBody(response)
	if c.method == mcp.MethodInitialize {
		c.sessionID = response.Header.Get(mcp.HeaderSessionID)
		c.link.session.begin(c.sessionID)
	}
	switch kind := web.MediaType(response); {
	case kind == web.EventStream:
		return c.readStream(ctx, session, response.Body, mayRenew)
	case kind == jsonType, kind == "" && response.StatusCode == http.StatusOK:
		return c.readMessage(ctx, session, response, mayRenew)
	}
	return c.link.endpoint.Refused(response)
}

// readMessage reads an answer that is a JSON object.
func (c *call) readMessage(ctx context.Context, session *session, response *http.Response, mayRenew bool) error {
	l := c.link
	buffer := takeBuffer()
	defer putBuffer(buffer)
	if response.ContentLength > 0 && response.ContentLength <= l.limit {
		buffer.Grow(int(response.ContentLength) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(io.LimitReader(response.Body, l.limit+1))
	switch {
	case int64(buffer.Len()) > l.limit:
		l.log.Warn("dropped an answer of the server", "limit", l.limit)
		return &mcpclient.TooLargeError{Size: max(0, response.ContentLength), Limit: l.limit}
	case err != nil:
		return web.ErrCut
	}
	message := bytes.TrimPrefix(buffer.Bytes(), []byte("\ufeff"))
	if mayRenew && l.isLost(session, message) {
		if err := c.whenLost(ctx, session); err != nil {
			return err
		}
	}
	l.receive(ctx, message)
	if l.Waits(c.id) {
		return c.acceptUnnamed(message, response)
	}
	return nil
}

// acceptUnnamed accepts an answer without the id of the request, since the response cannot answer
// another.
func (c *call) acceptUnnamed(message []byte, response *http.Response) error {
	answer, err := jsonrpc.ParseMessage(rawjson.NewScanner(), message)
	switch {
	case err != nil:
		return fmt.Errorf("the server at %s did not answer with MCP (content type %q): %w", c.link.endpoint.Origin(), web.MediaType(response), c.link.Unreadable(message, err))
	case answer.IsResponse() && rawjson.Kind(answer.Error) == '{':
		c.link.End(c.id, mcpclient.Answer{Error: answer.Error}, nil)
	case answer.IsResponse() && answer.Result != nil && (answer.ID == nil || string(answer.ID) == "0"):
		c.link.End(c.id, mcpclient.Answer{Result: answer.Result}, nil)
	}
	return nil
}

func closeBody(response *http.Response) {
	_ = response.Body.Close() // the needed part was read
}
