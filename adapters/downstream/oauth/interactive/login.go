package interactive

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/callback"
	"mcp-workbench/adapters/downstream/oauth/logins"
)

// login is a login that waits for the user.
type login struct {
	client *oauth.Client
	log    *slog.Logger
	server oauth.Server

	begun chan struct{} // closed when the fields below are set
	// refusal says why it could not be begun; nothing else is set then.
	refusal   error
	url, link string
	isForeign bool // the link is served by another process

	done chan struct{} // closed when err is set
	err  error         // nil after a login
}

func (l *login) isOver() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// run begins the login and returns when it has ended.
func (l *login) run(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pendingTime)
	defer cancel()
	before, err := l.client.Store.Read(l.server.Key())
	if err != nil {
		l.refuse(err)
		return
	}
	if pending := before.Pending; pending != nil && isFresh(*pending) && isServed(ctx, pending.Link, pending.URL) {
		l.url, l.link, l.isForeign = pending.URL, pending.Link, true
		close(l.begun)
		l.finish(l.follow(ctx, before, *pending))
		return
	}
	listener, pending, err := l.begin(ctx)
	if err != nil {
		l.refuse(err)
		return
	}
	link, err := l.serveLink(ctx, pending)
	if err != nil {
		listener.Close()
		l.refuse(err)
		return
	}
	l.url, l.link = pending.URL, link
	close(l.begun)
	answered, left := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(left)
		answered <- l.awaitAnswer(ctx, listener, pending)
	}()
	err = l.watch(ctx, before, answered)
	cancel()
	<-left
	l.forgetPending(pending)
	l.finish(err)
}

func isFresh(pending logins.Pending) bool {
	return pending.Link != "" && time.Since(pending.Started) < pendingTime
}

func (l *login) refuse(err error) {
	l.refusal = err
	close(l.begun)
	l.finish(err)
}

func (l *login) finish(err error) {
	l.err = err
	close(l.done)
}

// begin begins the login at the authorization server, with a port for its answer.
func (l *login) begin(ctx context.Context) (*callback.Listener, logins.Pending, error) {
	ctx, cancel := context.WithTimeout(ctx, beginTime)
	defer cancel()
	var listener *callback.Listener
	pending, err := l.client.Begin(ctx, l.server, nil, func(redirect oauth.Redirect) (string, error) {
		var err error
		if listener, err = callback.Listen(redirect.URI); err != nil && !redirect.Fixed {
			listener, err = callback.Listen("")
		}
		if err != nil {
			return "", err
		}
		return listener.URI(), nil
	})
	if err != nil && listener != nil {
		listener.Close()
	}
	return listener, pending, err
}

// awaitAnswer waits for the answer of the authorization server and completes the login.
func (l *login) awaitAnswer(ctx context.Context, listener *callback.Listener, pending logins.Pending) error {
	name := string(l.server.ID.Toolbox) + "/" + string(l.server.ID.Server)
	ignored := func(err error) { l.log.Warn("ignored an answer to a login", "server", name, "error", err) }
	return listener.Await(ctx, name, pending.State, ignored, func(ctx context.Context, answer string) error {
		// A code can be sent only once, so the exchange is not cancelled.
		_, err := l.client.Complete(context.WithoutCancel(ctx), l.server, answer)
		return err
	})
}

// watch returns when the login has ended: nil after a login, here or elsewhere.
func (l *login) watch(ctx context.Context, before logins.Record, answered <-chan error) error {
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	for {
		select {
		case err := <-answered:
			return err
		case <-ticker.C:
			now, err := l.client.Store.Read(l.server.Key())
			if err == nil && wasMade(before, now) {
				return nil
			}
		case <-ctx.Done():
			return errTimeout
		}
	}
}

// wasMade reports whether there was a login between the two records. A refresh changes tokens too, but
// only a login answers the server's challenge.
func wasMade(before, now logins.Record) bool {
	if !now.LoggedIn() || now.AccessToken == before.AccessToken {
		return false
	}
	return before.Challenge == nil || now.Challenge == nil || now.Challenge.Time.After(before.Challenge.Time)
}

// forgetPending removes the request from the record, if it is still there, since its answer is no longer
// listened for.
func (l *login) forgetPending(pending logins.Pending) {
	ctx, cancel := context.WithTimeout(context.Background(), forgetTime)
	defer cancel()
	err := l.client.Store.Update(ctx, l.server.Key(), func(record *logins.Record) error {
		if record.Pending == nil || record.Pending.State != pending.State {
			return errNothingToDo
		}
		record.Pending = nil
		return nil
	})
	if err != nil && !errors.Is(err, errNothingToDo) {
		l.log.Debug("could not remove a pending login", "error", err)
	}
}

var errNothingToDo = errors.New("nothing to do")
