package streamablehttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
)

const (
	// lingerTime is how long a stream may go on after the answer that it is for.
	lingerTime = time.Second
	// firstPause is the pause before a stream that ended is opened again, when the server
	// does not say.
	firstPause = time.Second
	maxPause   = 30 * time.Second
	// shortestPause is the shortest pause that a server may ask for twice in a row, between
	// which no stream was open for as long.
	shortestPause = time.Second
	// maxRetry is the longest pause that a server may ask for.
	maxRetry = 10 * time.Minute
	// maxResumes is how often one stream is resumed in a row without success.
	maxResumes = 3
)

// position is where a stream can be resumed, and when.
type position struct {
	lastID string
	retry  time.Duration
	// soon counts the pauses in a row before which no stream was open for shortestPause.
	soon int
}

// pause returns how long to wait before the stream is resumed after one that was open for
// that long: never less than the server asked for, within maxRetry. A pause that is shorter
// than shortestPause counts once, as for a server that ends each stream so that it is asked
// later; a server that does so all the time is asked once a second.
func (p *position) pause(wasOpen time.Duration) time.Duration {
	wanted := firstPause
	if p.retry > 0 {
		wanted = min(p.retry, maxRetry)
	}
	if wasOpen >= shortestPause {
		p.soon = 0
	}
	if p.soon++; p.soon > 1 {
		wanted = max(wanted, shortestPause)
	}
	return wanted
}

// backoff is pause for a stream without a request that waits for it: the pause doubles each time that
// the stream could not be opened, or was not open for long.
func (p *position) backoff(wasOpen time.Duration) time.Duration {
	pause := p.pause(wasOpen)
	return domain.Backoff{First: pause, Max: max(maxPause, pause)}.Pause(p.soon)
}

// pump hands in every message of a stream until it ends, and returns io.EOF for an
// end in order. After each it calls noted, which may be nil.
func (l *link) pump(ctx context.Context, body io.Reader, at *position, noted func()) error {
	events := web.NewEvents(body, l.limit)
	defer events.Release()
	events.LastID = at.lastID
	for {
		event, err := events.Next()
		at.lastID = events.LastID
		if events.Retry > 0 {
			at.retry = events.Retry
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

// readStream reads an answer that comes as a stream. It resumes a stream that ends too
// early, if the server supports that; the request is not sent again.
func (c *call) readStream(ctx context.Context, session *session, body io.ReadCloser) error {
	l := c.link
	var at position
	var linger *time.Timer
	answered := func() {
		if linger == nil && !l.Waits(c.id) {
			linger = time.AfterFunc(lingerTime, c.cancel)
		}
	}
	for {
		opened := time.Now()
		err := l.pump(ctx, body, &at, answered)
		wasOpen := time.Since(opened)
		_ = body.Close() // what was wanted of it was read
		if linger != nil {
			linger.Stop()
		}
		switch {
		case c.isOver(ctx):
			return nil
		case session.modern() || at.lastID == "":
			return endOf(err, l.endpoint)
		}
		if body, err = l.resume(ctx, session, &at, wasOpen); err != nil {
			return err
		}
	}
}

// isOver reports whether nobody waits for the call.
func (c *call) isOver(ctx context.Context) bool { return ctx.Err() != nil || !c.link.Waits(c.id) }

// endOf says what the early end of a stream means for its request.
func endOf(err error, endpoint *web.Endpoint) error {
	if isCleanEnd(err) {
		return fmt.Errorf("the server at %s ended its answer without a result", endpoint.Origin())
	}
	return web.ErrCut
}

// isCleanEnd reports whether the server ended a stream on purpose.
func isCleanEnd(err error) bool {
	return errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF)
}

// resume opens a stream again behind the last event that was seen, after one that was open for
// that long.
func (l *link) resume(ctx context.Context, session *session, at *position, wasOpen time.Duration) (io.ReadCloser, error) {
	var failure error
	for range maxResumes {
		if !web.Pause(ctx, at.pause(wasOpen)) {
			return nil, ctx.Err()
		}
		wasOpen = 0
		response, err := l.endpoint.Do(ctx, "GET", session.listeningAfter(at.lastID), nil)
		if err != nil {
			failure = err
			continue
		}
		if response.StatusCode == http.StatusOK && web.MediaType(response) == eventType {
			return response.Body, nil
		}
		refusal := l.endpoint.Refused(response)
		closeBody(response)
		return nil, fmt.Errorf("%w; the rest of the answer cannot be fetched: %w", web.ErrCut, refusal)
	}
	return nil, failure
}

// startListening begins to listen, and returns once the request for the stream was
// sent: what the server reports while its tools are listed must not be missed.
func (l *link) startListening(ctx context.Context) {
	asked := make(chan struct{})
	l.restartListening(sync.OnceFunc(func() { close(asked) }))
	select {
	case <-asked:
	case <-l.Done(): // a link that is closed begins nothing
	case <-ctx.Done():
	case <-time.After(sentTime):
	}
}

// restartListening listens to the server's own messages in the current session, no
// longer in the last one. It calls asked when the request for the stream was sent.
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

// listen keeps the stream of the server's own messages open for as long as the
// session lasts and the server offers it.
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

// listenOnce opens the stream once and receives its messages. It reports whether to
// open it again, and for how long it was open. A refusal means a forgotten session only if
// the stream was open before: many servers have no such stream and refuse it with the
// same status.
func (l *link) listenOnce(ctx context.Context, session *session, at *position, wasEverOpen bool) (again bool, wasOpen time.Duration) {
	response, err := l.endpoint.Do(ctx, "GET", session.listeningAfter(at.lastID), nil)
	if err != nil {
		l.handleFailure("", err)
		return ctx.Err() == nil && l.Err() == nil, 0
	}
	defer closeBody(response)
	if response.StatusCode == http.StatusOK && web.MediaType(response) == eventType {
		opened := time.Now()
		err := l.pump(ctx, response.Body, at, nil)
		l.log.Debug("the server's stream ended", "why", err)
		if ctx.Err() == nil && !isCleanEnd(err) {
			l.handleFailure("", web.ErrCut)
		}
		return ctx.Err() == nil, max(time.Since(opened), 1)
	}
	refusal := l.endpoint.Refused(response)
	if wasEverOpen && session.isForgotten(refusal) {
		// The renewal listens itself.
		if err := l.renew(ctx, session); err != nil {
			l.log.Debug("could not begin a new session", "error", err)
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
