package sse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// link is a mcpclient.Link over one stream of events and a POST for each message.
type link struct {
	*mcpclient.Conversation
	endpoint  *web.Endpoint // of the stream
	postTo    *web.Endpoint // of the messages to the server, set once the stream names it
	header    http.Header
	reading   *web.Workers // of the stream
	workers   *web.Workers // of the messages
	limit     int64
	log       *slog.Logger
	sequencer web.Sequencer
	opened    chan error // receives nil once the address is known, or the reason why it is not

	mu       sync.Mutex
	postings map[uint64]*posting // requests that are being sent
}

var _ mcpclient.Link = (*link)(nil)

// closeTime is the longest time the last messages may take when the link ends.
const closeTime = 200 * time.Millisecond

func newLink(endpoint *web.Endpoint, messages *mcpclient.ServerMessages, limits domain.Limits, log *slog.Logger) *link {
	l := &link{
		endpoint: endpoint, header: endpoint.Header(), reading: web.NewWorkers(), workers: web.NewWorkers(), limit: limits.MessageSize, log: log,
		opened: make(chan error, 1), postings: map[uint64]*posting{},
	}
	l.header.Set("Content-Type", "application/json")
	l.Conversation = mcpclient.NewConversation(l, messages)
	return l
}

// open opens the stream, and returns when messages can be sent.
func (l *link) open(ctx context.Context) error {
	cancel := l.reading.Start(l.read)
	select {
	case err := <-l.opened:
		return err
	case <-ctx.Done():
		cancel()
		return ctx.Err()
	}
}

// read receives messages from the server until the stream ends, and then fails the link.
func (l *link) read(ctx context.Context) {
	header := l.endpoint.Header()
	header.Set("Accept", web.EventStream)
	body, err := l.endpoint.OpenStream(ctx, header)
	if err != nil {
		l.opened <- err
		l.Fail(err)
		return
	}
	defer func() { _ = body.Close() }()
	events := web.NewEvents(body, l.limit)
	defer events.Release()
	err = l.awaitAddress(events)
	l.opened <- err
	if err == nil {
		l.pump(events)
		err = errors.New("the server ended its stream of events")
	}
	l.Fail(err)
}

// awaitAddress reads the first event of the stream, which names the address for messages.
func (l *link) awaitAddress(events *web.Events) error {
	event, err := events.Next()
	if err != nil || event.Type != "endpoint" {
		return fmt.Errorf("the stream of the server at %s does not begin with an address for messages; is the \"url\" right?", l.endpoint.Origin())
	}
	l.postTo, err = l.endpoint.Resolve(string(event.Data))
	return err
}

func (l *link) pump(events *web.Events) {
	scanner := rawjson.NewScanner()
	for {
		event, err := events.Next()
		switch {
		case err == nil && event.Type == "message":
			l.Receive(scanner, event.Data, nil)
		case jsonrpc.IsEnd(err):
			l.log.Debug("the server's stream ended", "why", err)
			return
		case err != nil:
			l.Refuse(err)
		}
	}
}

// Request implements mcpclient.Link.
func (l *link) Request(ctx context.Context, request mcpclient.Request, reply mcpclient.Reply) {
	id, begun := l.Begin(ctx, request, reply)
	if !begun {
		return
	}
	message := request.Frame(id).Message()
	ticket := l.sequencer.Ticket()
	if request.Method == mcp.MethodSetLogLevel {
		ticket = l.sequencer.Barrier()
	}
	sending := &posting{done: make(chan struct{})}
	l.mu.Lock()
	l.postings[id] = sending
	l.mu.Unlock()
	l.Watch(ctx, id)
	l.workers.Start(func(ctx context.Context) {
		defer l.endPosting(id, sending)
		defer ticket.Done()
		if !ticket.Wait(ctx) || !l.Waits(id) {
			return
		}
		sending.wasSent = true
		if err := l.post(ctx, message); err != nil && ctx.Err() == nil {
			l.handleFailure(id, err)
		}
	})
}

// posting is a request that is being sent.
type posting struct {
	done    chan struct{} // closed when the server has it, or never will
	wasSent bool          // read after done
}

func (l *link) endPosting(id uint64, sending *posting) {
	l.mu.Lock()
	delete(l.postings, id)
	l.mu.Unlock()
	close(sending.done)
}

// handleFailure handles a request that could not be sent. It fails the link if the address for
// messages cannot be reached.
func (l *link) handleFailure(id uint64, err error) {
	l.End(id, mcpclient.Answer{}, err)
	_, isUnreachable := errors.AsType[*web.UnreachableError](err)
	refusal, isRefusal := errors.AsType[*web.RefusalError](err)
	if isUnreachable || isRefusal && refusal.Status == http.StatusNotFound {
		l.Fail(err)
	}
}

// Notify implements mcpclient.Link.
func (l *link) Notify(method mcp.MCPMethod, params json.RawMessage) error {
	return l.send(l.sequencer.Barrier(), jsonrpc.Notification(method, params).Message())
}

// Answer implements mcpclient.Sender.
func (l *link) Answer(frame jsonrpc.Frame) error {
	return l.send(l.sequencer.Ticket(), frame.Message())
}

// Cancel implements mcpclient.Sender. It tells the server after the server has received the request,
// and not at all if the request was never sent.
func (l *link) Cancel(id uint64, notice json.RawMessage) {
	if notice == nil {
		return
	}
	l.mu.Lock()
	sending := l.postings[id]
	l.mu.Unlock()
	message := jsonrpc.Notification(mcp.MethodNotificationCancelled, notice).Message()
	l.workers.Start(func(ctx context.Context) {
		if sending != nil {
			select {
			case <-sending.done:
			case <-ctx.Done():
			}
			if ctx.Err() != nil || !sending.wasSent {
				return
			}
		}
		if err := l.post(ctx, message); err != nil {
			l.log.Debug("could not tell the server about a cancelled request", "error", err)
		}
	})
}

// send sends a message that needs no answer, in its turn. It does not wait.
func (l *link) send(ticket web.Ticket, message []byte) error {
	if err := l.Err(); err != nil {
		ticket.Done()
		return err
	}
	return l.workers.Send(ticket, func(ctx context.Context) {
		if err := l.post(ctx, message); err != nil {
			l.log.Debug("could not send a message to the server", "error", err)
		}
	})
}

// post sends a message. The answer, if any, arrives on the stream.
func (l *link) post(ctx context.Context, message []byte) error {
	return l.postTo.Deliver(ctx, l.header, message)
}

// Close implements mcpclient.Link.
func (l *link) Close(ctx context.Context) error {
	l.Fail(errors.New("the connection to the server was closed"))
	l.workers.Close(ctx, closeTime)
	l.reading.Close(ctx, 0)
	l.endpoint.Close()
	return nil
}
