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
func (a *Attempt) waitForPaste(ctx context.Context, pending logins.Pending) error {
	a.Console.Err.Print("Open this address in a browser, on any machine (" + a.hosts(pending) + "):\n\n  " + pending.URL +
		"\n\nWhen you have logged in, paste the whole address that the browser ends on. It begins with\n" +
		pending.RedirectURI + "; the page may say that it cannot be reached.")
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan error, 2)
	if a.answers != nil {
		go func() { ended <- a.waitForBrowser(ctx, pending) }()
	}
	go func() { ended <- a.readPaste(ctx, pending) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// readPaste reads lines until one is the answer. At a terminal the user can try again; elsewhere
// only the first line counts.
func (a *Attempt) readPaste(ctx context.Context, pending logins.Pending) error {
	interactive := a.Console.Err.CanAsk()
	for {
		line, err := a.Console.ReadLine(ctx)
		line = strings.TrimSpace(line)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if line == "" && err != nil {
			return errors.New("no address was pasted")
		}
		if line == "" {
			continue
		}
		err = a.completePasted(ctx, pending, line)
		if err == nil || !interactive || !errors.As(err, new(*pasteError)) && !errors.Is(err, oauth.ErrWrongState) {
			return err
		}
		a.say("%v; paste another one", err)
	}
}

// pasteError reports that a pasted text is not the wanted address.
type pasteError struct{ wanted string }

func (e *pasteError) Error() string {
	return fmt.Sprintf("this is not the whole address that the browser ended on, which begins with %s and has a code and a state", e.wanted)
}

// completePasted completes the login with a pasted address.
func (a *Attempt) completePasted(ctx context.Context, pending logins.Pending, text string) error {
	pasted, err := url.Parse(text)
	redirect, redirectErr := url.Parse(pending.RedirectURI)
	if err != nil || redirectErr != nil || pasted.Scheme != redirect.Scheme || pasted.Host != redirect.Host || pasted.Path != redirect.Path ||
		!pasted.Query().Has("state") {
		return &pasteError{wanted: pending.RedirectURI}
	}
	return a.complete(ctx, text)
}
