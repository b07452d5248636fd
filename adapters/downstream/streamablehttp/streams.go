package streamablehttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

const (
	// lingerTime is the longest time a stream may stay open after its answer.
	lingerTime = time.Second
	// firstPause is the pause before a stream is opened again, unless the server asks for another.
	firstPause = time.Second
	maxPause   = 30 * time.Second
	// shortestPause is the shortest pause, except for the first one and for the first after a stream that
	// was open at least as long.
	shortestPause = time.Second
	// maxRetry is the longest pause that a server may ask for.
	maxRetry = 10 * time.Minute
	// maxResumes is the number of attempts in a row to resume a stream that may fail.
	maxResumes = 3
)

// position says where and when a stream can be resumed.
type position struct {
	lastID string
	retry  time.Duration
	// pauses counts the pauses since a stream was last open for shortestPause.
	pauses int
}

// pause returns how long to wait before the stream is resumed, after it was open for the given time:
// at least what the server asked for, up to maxRetry. A pause shorter than shortestPause is granted
// once, for servers that end streams to be polled later. A server that always does so is polled once
// a second.
func (p *position) pause(wasOpen time.Duration) time.Duration {
	wanted := firstPause
	if p.retry > 0 {
		wanted = min(p.retry, maxRetry)
	}
	if wasOpen >= shortestPause {
		p.pauses = 0
	}
	if p.pauses++; p.pauses > 1 {
		wanted = max(wanted, shortestPause)
	}
	return wanted
}

// backoff is pause for a stream that no request waits for: the pause doubles each time the stream
// could not be opened, or was open only briefly.
func (p *position) backoff(wasOpen time.Duration) time.Duration {
	pause := p.pause(wasOpen)
	return domain.Backoff{First: pause, Max: max(maxPause, pause)}.Pause(p.pauses)
}

// pump receives the messages of a stream until it ends, and calls noted, which may be nil, after
// each. It returns io.EOF if the server ended the stream, and the first error of refuse, which may be nil, about an event.
func (l *link) pump(ctx context.Context, body io.Reader, at *position, refuse func(web.Event) error, noted func()) error {
	events := web.NewEvents(body, l.limit)
	defer events.Release()
	events.LastID = at.lastID
	for {
		event, err := events.Next()
		at.lastID = events.LastID
		if events.Retry > 0 {
			at.retry = events.Retry
		}
		if err == nil && refuse != nil {
			if refusal := refuse(event); refusal != nil {
				return refusal
			}
		}
		switch {
		case err == nil && event.Type == "message":
			l.receive(ctx, event.Data)
		case jsonrpc.IsEnd(err):
			return err
		case err != nil:
			l.Refuse(err)
		}
		if noted != nil {
			noted()
		}
	}
}

// readStream reads an answer that is a stream. It resumes a stream that ends early, if the server
// supports that; it does not repeat the request.
func (c *call) readStream(ctx context.Context, session *session, body io.ReadCloser, mayRenew bool) error {
	l := c.link
	refuse := func(event web.Event) error {
		switch {
		case event.Type == "endpoint" && mcpclient.IsHandshake(c.method):
			l.announced.Store(true)
			return errOlder
		case event.Type == "message" && mayRenew && l.isLost(session, event.Data):
			return c.whenLost(ctx, session)
		}
		return nil
	}
	var at position
	var linger *time.Timer
	answered := func() {
		if linger == nil && !l.Waits(c.id) {
			linger = time.AfterFunc(lingerTime, c.cancel)
		}
	}
	for {
		opened := time.Now()
		err := l.pump(ctx, body, &at, refuse, answered)
		wasOpen := time.Since(opened)
		_ = body.Close() // the needed part was read
		if linger != nil {
			linger.Stop()
		}
		switch {
		case errors.Is(err, errForgotten), errors.Is(err, errOlder), errors.Is(err, errUnknown):
			return err
		case l.isAbandoned(ctx, c.id):
			return nil
		case (session.modern() || at.lastID == "") && errors.Is(err, io.EOF):
			return c.unanswered()
		case session.modern() || at.lastID == "":
			return web.ErrCut
		}
		if body, err = l.resume(ctx, session, &at, wasOpen); err != nil {
			return err
		}
	}
}

// resume opens a stream again after its last event. WasOpen is the time for which it was open before.
func (l *link) resume(ctx context.Context, session *session, at *position, wasOpen time.Duration) (io.ReadCloser, error) {
	var failure error
	for range maxResumes {
		if !web.Pause(ctx, at.pause(wasOpen)) {
			return nil, ctx.Err()
		}
		wasOpen = 0
		body, err := l.endpoint.OpenStream(ctx, session.listeningAfter(at.lastID))
		if err == nil {
			return body, nil
		}
		if refusal, ok := errors.AsType[*web.RefusalError](err); ok {
			return nil, fmt.Errorf("%w; the rest of the answer cannot be fetched: %w", web.ErrCut, refusal)
		}
		failure = err
	}
	return nil, failure
}

// startListening begins to listen, and returns once the request for the stream was sent, so that no
// message is missed while the tools are listed.
func (l *link) startListening(ctx context.Context) {
	asked := make(chan struct{})
	l.restartListening(sync.OnceFunc(func() { close(asked) }))
	select {
	case <-asked:
	case <-l.Done(): // a closed link does not listen
	case <-ctx.Done():
	case <-time.After(sentTime):
	}
}

// restartListening listens to the server's own messages in the current session instead of the last
// one. It calls asked when the request for the stream was sent.
func (l *link) restartListening(asked func()) {
	session := l.session.now()
	if session.modern() {
		asked() // it sends them in answer to subscriptions
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopListening != nil {
		l.stopListening()
	}
	l.stopListening = l.workers.Start(func(ctx context.Context) {
		defer asked()
		l.listen(web.TraceSent(ctx, asked), session)
	})
}

// listen keeps the stream of the server's own messages open while the session lasts and the server
// offers it.
func (l *link) listen(ctx context.Context, session *session) {
	var at position
	for wasEverOpen := false; ; {
		again, wasOpen := l.listenOnce(ctx, session, &at, wasEverOpen)
		if !again {
			return
		}
		wasEverOpen = wasEverOpen || wasOpen > 0
		if !web.Pause(ctx, at.backoff(wasOpen)) {
			return
		}
	}
}

// listenOnce opens the stream once and receives its messages. It returns whether to open it again,
// and how long it was open. A refusal means a forgotten session only if the stream was open before:
// many servers have no such stream and refuse it with the same status.
func (l *link) listenOnce(ctx context.Context, session *session, at *position, wasEverOpen bool) (again bool, wasOpen time.Duration) {
	body, err := l.endpoint.OpenStream(ctx, session.listeningAfter(at.lastID))
	refusal, isRefusal := errors.AsType[*web.RefusalError](err)
	if err != nil && !isRefusal {
		l.handleFailure("", err)
		return ctx.Err() == nil && l.Err() == nil, 0
	}
	if err == nil {
		defer func() { _ = body.Close() }() // the needed part was read
		opened := time.Now()
		err := l.pump(ctx, body, at, nil, nil)
		l.log.Debug("the server's stream ended", "why", err)
		if ctx.Err() == nil && !errors.Is(err, io.EOF) {
			l.handleFailure("", web.ErrCut)
		}
		return ctx.Err() == nil, max(time.Since(opened), 1)
	}
	if wasEverOpen && session.isForgotten(refusal) {
		// The renewal listens itself.
		if err := l.renew(ctx, session); err != nil {
			l.log.Debug("could not start a new session", "error", err)
			return errors.Is(err, errTooSoon), 0
		}
		return false, 0
	}
	isBusy := refusal.Status >= http.StatusInternalServerError && refusal.Status != http.StatusNotImplemented ||
		refusal.Status == http.StatusTooManyRequests
	if !isBusy {
		l.log.Debug("the server offers no stream between calls", "status", refusal.Status)
	}
	return isBusy && ctx.Err() == nil, 0
}

// isAbandoned reports whether the call with this id was cancelled or answered.
func (l *link) isAbandoned(ctx context.Context, id uint64) bool {
	return ctx.Err() != nil || !l.Waits(id)
}
