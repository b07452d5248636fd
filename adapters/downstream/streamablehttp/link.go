package streamablehttp

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// link is a mcpclient.Link with a POST for each request.
type link struct {
	*mcpclient.Conversation
	era       eraOf
	versions  *sync.Map // see Transport
	endpoint  *web.Endpoint
	workers   *web.Workers
	sequencer web.Sequencer
	session   *sessionState
	tools     annotatedTools
	relisting *relisting
	limit     int64 // of a message, in bytes
	log       *slog.Logger
	// initializeStatus is the status with which initialize was refused, 0 if it was not.
	initializeStatus atomic.Int64
	// announced says that a stream in place of an answer was one of HTTP+SSE.
	announced atomic.Bool

	// receiveMu is held while Receive handles a message of the server, so that it handles those of all
	// streams one at a time.
	receiveMu sync.Mutex
	scanner   *rawjson.Scanner

	mu            sync.Mutex
	calls         map[uint64]*call   // in flight
	stopListening context.CancelFunc // ends the stream of the server's own messages, nil before the first
}

var _ mcpclient.Link = (*link)(nil)

const (
	// orderTime is the longest time that later messages wait for the answer to one that shapes the session.
	orderTime = 2 * time.Second
	// sentTime is the longest time a cancellation waits for its request to be sent.
	sentTime = time.Second
	// closeTime is the longest time the server may take to end the session.
	closeTime = time.Second
)

func newLink(endpoint *web.Endpoint, versions *sync.Map, messages *mcpclient.ServerMessages, server domain.Server, log *slog.Logger) *link {
	l := &link{
		era: eraOf{server.ID, messages.TakesRequests()}, versions: versions, endpoint: endpoint, workers: web.NewWorkers(), session: newSessionState(endpoint),
		tools: annotatedTools{log: log}, relisting: newRelisting(), limit: server.Limits.MessageSize, log: log,
		scanner: rawjson.NewScanner(), calls: map[uint64]*call{},
	}
	l.Conversation = mcpclient.NewConversation(l, messages)
	return l
}

// Request implements mcpclient.Link.
func (l *link) Request(ctx context.Context, request mcpclient.Request, reply mcpclient.Reply) {
	l.session.remember(request)
	l.startCall(ctx, request, reply)
}

// startCall sends a request that is not replayed in a new session.
func (l *link) startCall(ctx context.Context, request mcpclient.Request, reply mcpclient.Reply) {
	l.start(ctx, request, nil, reply)
}

// start is startCall, in a session that is probed, nil for the current one. It returns the call, or nil if the link
// failed.
func (l *link) start(ctx context.Context, request mcpclient.Request, probed *session, reply mcpclient.Reply) *call {
	id, begun := l.Begin(ctx, request, reply)
	if !begun {
		return nil
	}
	callCtx, cancel := l.workers.NewContext()
	c := &call{
		link: l, id: id, method: request.Method, params: request.Params, ticket: l.ticket(request.Method), cancel: cancel,
		message: request.Frame(id).Message(), sent: make(chan struct{}), probed: probed,
	}
	l.mu.Lock()
	l.calls[id] = c
	l.mu.Unlock()
	l.workers.StartWith(callCtx, cancel, c.run)
	l.Watch(ctx, id)
	if !l.Waits(id) { // cancelled before it was in calls
		c.cancel()
	}
	return c
}

// ticket returns a request's place in the order of messages.
func (l *link) ticket(method mcp.MCPMethod) web.Ticket {
	switch method {
	case mcp.MethodSetLogLevel, mcp.MethodResourcesSubscribe, mcp.MethodResourcesUnsubscribe:
		return l.sequencer.Barrier()
	}
	return l.sequencer.Ticket()
}

// Notify implements mcpclient.Link.
func (l *link) Notify(method mcp.MCPMethod, params json.RawMessage) error {
	message := jsonrpc.Notification(method, params).Message()
	then := func(context.Context) {}
	if method == mcp.MethodNotificationInitialized {
		then = l.startListening
	}
	return l.send(l.sequencer.Barrier(), method, message, then)
}

// Expected implements mcpclient.Link.
func (l *link) Expected() string {
	version, _ := l.versions.Load(l.era)
	text, _ := version.(string)
	return text
}

// Agree implements mcpclient.Link.
func (l *link) Agree(version string) {
	l.versions.Store(l.era, version)
	l.session.agree(version)
}

// Admit implements mcpclient.Link.
func (l *link) Admit(name string, definition json.RawMessage) error {
	l.tools.noteRepeatable(name, definition)
	if !l.session.now().modern() {
		return nil
	}
	return l.tools.admit(name, definition)
}

// Answer implements mcpclient.Sender.
func (l *link) Answer(frame jsonrpc.Frame) error {
	return l.send(l.sequencer.Ticket(), "an answer", frame.Message(), func(context.Context) {})
}

// Cancel implements mcpclient.Sender. In 2026-07-28 the end of the POST cancels the request, in older
// versions a notification does.
func (l *link) Cancel(id uint64, notice json.RawMessage) {
	l.mu.Lock()
	c := l.calls[id]
	l.mu.Unlock()
	if c == nil {
		return
	}
	if notice == nil || l.session.now().modern() {
		c.cancel()
		return
	}
	method := mcp.MethodNotificationCancelled
	message := jsonrpc.Notification(method, notice).Message()
	l.workers.Start(func(ctx context.Context) {
		defer c.cancel()
		if c.sentWithin(sentTime) {
			l.deliver(ctx, l.session.now(), method, message)
		}
	})
}

// send sends a message that needs no answer, in its turn, and calls then when it has arrived. It does
// not wait.
func (l *link) send(ticket web.Ticket, method mcp.MCPMethod, message []byte, then func(context.Context)) error {
	if err := l.Err(); err != nil {
		ticket.Done()
		return err
	}
	return l.workers.Send(ticket, func(ctx context.Context) {
		l.deliver(ctx, l.session.now(), method, message)
		then(ctx)
	})
}

// deliver sends a message that needs no answer and waits until the server accepts it. It logs failures.
func (l *link) deliver(ctx context.Context, session *session, method mcp.MCPMethod, message []byte) {
	if err := l.endpoint.Deliver(ctx, session.header(method, nil, &l.tools), message); err != nil {
		l.log.Debug("could not send a message to the server", "method", method, "error", err)
	}
}

// receive passes a message of the server to Receive, unless the context has ended.
func (l *link) receive(ctx context.Context, message []byte) {
	l.receiveMu.Lock()
	defer l.receiveMu.Unlock()
	if ctx.Err() == nil {
		l.Receive(l.scanner, message, nil)
	}
}

// Close implements mcpclient.Link. It ends the session at the server, if that can be reached.
func (l *link) Close(ctx context.Context) error {
	wasLive := l.Err() == nil
	l.Fail(errors.New("the connection to the server was closed"))
	l.mu.Lock()
	for _, c := range l.calls {
		c.cancel()
	}
	if l.stopListening != nil {
		l.stopListening()
	}
	l.mu.Unlock()
	if session := l.session.now(); session.id != "" && wasLive {
		ticket := l.sequencer.Ticket()
		l.workers.Start(func(ctx context.Context) {
			if ticket.Wait(ctx) {
				l.endSession(ctx, session)
			}
		})
	}
	l.workers.Close(ctx, closeTime)
	l.endpoint.Close()
	return nil
}

func (l *link) endSession(ctx context.Context, session *session) {
	response, err := l.endpoint.Do(ctx, "DELETE", session.listening, nil)
	if err != nil {
		l.log.Debug("could not end the session", "error", err)
		return
	}
	closeBody(response)
}
