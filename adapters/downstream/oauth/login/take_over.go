package login

import (
	"context"
	"errors"

	"mcp-workbench/adapters/downstream/oauth/logins"
)

// follow waits until a login whose link another process serves has ended. If that process ends
// first, this one takes the login over, since its own user was shown the link too.
func (l *login) follow(ctx context.Context, before logins.Record, pending logins.Pending) error {
	return watch(ctx, nil, func() (isOver bool, err error) {
		now, err := l.client.Store.Read(l.server.Key())
		isMade := err == nil && wasMade(before, now)
		if err == nil && !isMade && !isServed(ctx, l.link, l.currentURL()) {
			return l.takeOver(ctx, before, pending)
		}
		return isMade, nil
	})
}

// takeOver serves the link and waits for the answer of the authorization server, instead of the
// process that did so before. It returns false immediately while the port of the link is in use:
// another process took the login over, or another program has the port.
func (l *login) takeOver(ctx context.Context, before logins.Record, pending logins.Pending) (isOver bool, err error) {
	links, err := listen(l.link)
	if err != nil {
		return false, err
	}
	// The user may have opened the page already, so the answer is awaited at the redirect that it names.
	answers, err := listen(pending.RedirectURI)
	if err != nil {
		answers, pending, err = l.begin(ctx)
	}
	if err != nil {
		links.close()
		return true, err
	}
	pending.Link = l.link
	if isMade, err := l.restore(ctx, before, pending); isMade || err != nil {
		links.close()
		answers.close()
		return true, err
	}
	l.log.Debug("took over a login whose process has ended", "server", l.server.ID.Path())
	// The other process may still remove the request from the record as it ends.
	return true, l.await(ctx, links, answers, pending, func() bool {
		isMade, _ := l.restore(ctx, before, pending) // a record that cannot be written now may be written later
		return isMade
	})
}

// restore writes the request into the record if that has none, or the same one. It reports whether the login was made
// elsewhere.
//
// Failures: those of the store.
func (l *login) restore(ctx context.Context, before logins.Record, pending logins.Pending) (isMade bool, err error) {
	err = l.client.Store.Update(ctx, l.server.Key(), func(record *logins.Record) error {
		isMade = wasMade(before, *record)
		if isMade || record.Pending != nil && (record.Pending.State != pending.State || record.Pending.Link == pending.Link) {
			return errNothingToDo
		}
		record.Pending = &pending
		return nil
	})
	if errors.Is(err, errNothingToDo) {
		return isMade, nil
	}
	return isMade, err
}
