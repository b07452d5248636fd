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
	// maxRetry is the longest pause that a server may ask for.
	maxRetry = 10 * time.Minute
	// maxResumes is how often one stream is resumed in a row without success.
	maxResumes = 3
)

// position is where a stream can be resumed.
type position struct {
	lastID string
	retry  time.Duration
}

// pause returns how long to wait before the stream is resumed: never less than the
// server asked for, within maxRetry.
func (p position) pause() time.Duration {
	if p.retry > 0 {
		return min(p.retry, maxRetry)
	}
	return firstPause
}

// backoff returns how long to wait before a stream that ended again and again is opened
// the next time.
func (p position) backoff() domain.Backoff {
	return domain.Backoff{First: p.pause(), Max: max(maxPause, p.pause())}
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
		err := l.pump(ctx, body, &at, answered)
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
		if body, err = l.resume(ctx, session, at); err != nil {
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

// resume opens a stream again behind the last event that was seen.
func (l *link) resume(ctx context.Context, session *session, at position) (io.ReadCloser, error) {
	var failure error
	for range maxResumes {
		if !web.Pause(ctx, at.pause()) {
			return nil, ctx.Err()
		}
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
	wasOpen := false
	for failures := 0; ; {
		again, isOpen := l.listenOnce(ctx, session, &at, wasOpen)
		if !again {
			return
		}
		if failures++; isOpen {
			failures, wasOpen = 0, true
		}
		if !web.Pause(ctx, at.backoff().Pause(failures+1)) {
			return
		}
	}
}

// listenOnce opens the stream once and receives its messages. It reports whether to
// open it again, and whether it was open. A refusal means a forgotten session only if
// the stream was open before: many servers have no such stream and refuse it with the
// same status.
func (l *link) listenOnce(ctx context.Context, session *session, at *position, wasOpen bool) (again, isOpen bool) {
	response, err := l.endpoint.Do(ctx, "GET", session.listeningAfter(at.lastID), nil)
	if err != nil {
		l.handleFailure("", err)
		return ctx.Err() == nil && l.Err() == nil, false
	}
	defer closeBody(response)
	if response.StatusCode == http.StatusOK && web.MediaType(response) == eventType {
		err := l.pump(ctx, response.Body, at, nil)
		l.log.Debug("the server's stream ended", "why", err)
		if ctx.Err() == nil && !isCleanEnd(err) {
			l.handleFailure("", web.ErrCut)
		}
		return ctx.Err() == nil, true
	}
	refusal := l.endpoint.Refused(response)
	if wasOpen && session.isForgotten(refusal) {
		// The renewal listens itself.
		if err := l.renew(ctx, session); err != nil {
			l.log.Debug("could not begin a new session", "error", err)
		}
		return false, false
	}
	isBusy := refusal.Status >= http.StatusInternalServerError && refusal.Status != http.StatusNotImplemented ||
		refusal.Status == http.StatusTooManyRequests
	if !isBusy {
		l.log.Debug("the server offers no stream between calls", "status", refusal.Status)
	}
	return isBusy && ctx.Err() == nil, false
}
