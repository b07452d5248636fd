package login

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
)

// waitForPaste prints the address to open and waits until the user pastes the address that the
// browser ended on, or until the browser reaches this machine itself, for example through a port
// that ssh forwards.
func (a *Attempt) waitForPaste(ctx context.Context, pending logins.Pending) (logins.Record, error) {
	a.Console.Err.Print("Open this address in a browser, on any machine (" + a.hosts(pending) + "):\n\n  " + pending.URL +
		"\n\nWhen you have logged in, paste the whole address that the browser ends on. It begins with\n" +
		pending.RedirectURI + "; the page may say that it cannot be reached.")
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type outcome struct {
		record logins.Record
		err    error
	}
	outcomes := make(chan outcome, 2)
	if a.listener != nil {
		go func() {
			record, err := a.waitForBrowser(ctx, pending)
			outcomes <- outcome{record, err}
		}()
	}
	go func() {
		record, err := a.readPaste(ctx, pending)
		outcomes <- outcome{record, err}
	}()
	select {
	case first := <-outcomes:
		return first.record, first.err
	case <-ctx.Done():
		return logins.Record{}, context.Cause(ctx)
	}
}

// readPaste reads lines until one is the answer. At a terminal the user can try again; elsewhere
// only the first line counts.
func (a *Attempt) readPaste(ctx context.Context, pending logins.Pending) (logins.Record, error) {
	interactive := a.Console.Err.CanAsk()
	for {
		line, err := a.Console.ReadLine(ctx)
		line = strings.TrimSpace(line)
		if ctx.Err() != nil {
			return logins.Record{}, context.Cause(ctx)
		}
		if line == "" && err != nil {
			return logins.Record{}, errors.New("no address was pasted")
		}
		if line == "" {
			continue
		}
		record, err := a.complete(ctx, pending, line)
		if err == nil || !interactive || !errors.As(err, new(*pasteError)) && !errors.Is(err, oauth.ErrWrongState) {
			return record, err
		}
		a.say("%v; paste another one", err)
	}
}

// pasteError reports that a pasted text is not the wanted address.
type pasteError struct{ wanted string }

func (e *pasteError) Error() string {
	return fmt.Sprintf("this is not the whole address that the browser ended on, which begins with %s and has a code and a state", e.wanted)
}

// complete completes the login with a pasted address.
func (a *Attempt) complete(ctx context.Context, pending logins.Pending, text string) (logins.Record, error) {
	pasted, err := url.Parse(text)
	redirect, redirectErr := url.Parse(pending.RedirectURI)
	if err != nil || redirectErr != nil || pasted.Scheme != redirect.Scheme || pasted.Host != redirect.Host || pasted.Path != redirect.Path ||
		!pasted.Query().Has("state") {
		return logins.Record{}, &pasteError{wanted: pending.RedirectURI}
	}
	return a.Client.Complete(ctx, a.Server, text)
}
