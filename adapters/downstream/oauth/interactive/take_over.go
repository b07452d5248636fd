package interactive

import (
	"context"
	"errors"
	"net"
	"net/url"
	"time"

	"mcp-workbench/adapters/downstream/oauth/callback"
	"mcp-workbench/adapters/downstream/oauth/logins"
)

// follow waits until a login whose link another process serves has ended. If that process ends
// first, this one takes the login over, since its own user was shown the link too.
func (l *login) follow(ctx context.Context, before logins.Record, pending logins.Pending) error {
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return errTimeout
		}
		now, err := l.client.Store.Read(l.server.Key())
		if err == nil && wasMade(before, now) {
			return nil
		}
		if err != nil || isServed(ctx, l.link, l.currentURL()) {
			continue
		}
		if isTaken, err := l.takeOver(ctx, before, pending); isTaken {
			return err
		}
	}
}

// takeOver serves the link and waits for the answer of the authorization server, instead of the
// process that did so before. It returns false immediately while the port of the link is in use:
// another process took the login over, or another program has the port.
func (l *login) takeOver(ctx context.Context, before logins.Record, pending logins.Pending) (isTaken bool, err error) {
	address, err := url.Parse(l.link)
	if err != nil {
		return false, err
	}
	links, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address.Host)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The user may have opened the page already, so the answer is awaited at the redirect that it names.
	listener, err := callback.Listen(pending.RedirectURI)
	if err != nil {
		listener, pending, err = l.begin(ctx)
	}
	if err != nil {
		_ = links.Close() // nothing was served
		return true, err
	}
	pending.Link = l.link
	if err := l.restore(ctx, before, pending); err != nil {
		_ = links.Close() // nothing was served
		listener.Close()
		if errors.Is(err, errMade) {
			err = nil
		}
		return true, err
	}
	l.serve(ctx, links, address.Path)
	l.log.Debug("took over a login whose process has ended", "server", l.server.ID.Path())
	answered, left := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(left)
		answered <- l.awaitAnswer(ctx, listener, pending)
	}()
	err = l.keep(ctx, before, pending, answered)
	cancel()
	<-left
	l.forgetPending(pending)
	return true, err
}

// keep is watch for a login that was taken over, whose request the other process may still remove
// from the record as it ends.
func (l *login) keep(ctx context.Context, before logins.Record, pending logins.Pending, answered <-chan error) error {
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	for {
		select {
		case err := <-answered:
			return err
		case <-ticker.C:
			if errors.Is(l.restore(ctx, before, pending), errMade) {
				return nil
			}
		case <-ctx.Done():
			return errTimeout
		}
	}
}

// errMade says that the login was made elsewhere.
var errMade = errors.New("the login was made")

// restore writes the request into the record if that has none, or the same one.
//
// Failures: errMade; those of the store.
func (l *login) restore(ctx context.Context, before logins.Record, pending logins.Pending) error {
	isThere := func(record logins.Record) bool {
		return record.Pending != nil && (record.Pending.State != pending.State || record.Pending.Link == pending.Link)
	}
	now, err := l.client.Store.Read(l.server.Key())
	switch {
	case err != nil:
		return err
	case wasMade(before, now):
		return errMade
	case isThere(now):
		return nil
	}
	err = l.client.Store.Update(ctx, l.server.Key(), func(record *logins.Record) error {
		switch {
		case wasMade(before, *record):
			return errMade
		case isThere(*record):
			return errNothingToDo
		}
		record.Pending = &pending
		return nil
	})
	if errors.Is(err, errNothingToDo) {
		return nil
	}
	return err
}
