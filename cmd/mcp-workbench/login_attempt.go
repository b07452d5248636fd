package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/callback"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// loginTime is how long a person may take.
const loginTime = 10 * time.Minute

// errNobodyLoggedIn says that the person did not come back from the browser.
var errNobodyLoggedIn = fmt.Errorf("nobody logged in within %s", loginTime)

// loginAttempt is one attempt of a person to log in.
type loginAttempt struct {
	*loginPlace
	noBrowser bool
	scopes    []string

	// listener waits for the browser, nil when it cannot.
	listener *callback.Listener
}

// run logs the person in and says so. When it fails, no request of it stays behind.
func (a *loginAttempt) run(ctx context.Context) error {
	before, err := a.logins.Store.Read(a.server.Key())
	if err != nil {
		return a.failed(err)
	}
	began := time.Now()
	record, err := a.logIn(ctx)
	if err != nil {
		a.takeBack(before, began)
		return a.failed(err)
	}
	return terminal.New(console.Out, "never").Print("%s", a.success(record))
}

func (a *loginAttempt) logIn(ctx context.Context) (logins.Record, error) {
	if err := a.askServer(ctx); err != nil {
		return logins.Record{}, err
	}
	pending, err := a.logins.Begin(ctx, a.server, a.scopes, a.listen)
	if a.listener != nil {
		defer a.listener.Close()
	}
	if err != nil {
		return logins.Record{}, err
	}
	waiting, cancel := context.WithTimeoutCause(ctx, loginTime, errNobodyLoggedIn)
	defer cancel()
	return a.wait(waiting, pending)
}

// listen implements oauth.Listen. The port is bound before it is registered.
func (a *loginAttempt) listen(redirect oauth.Redirect) (string, error) {
	listener, err := callback.Listen(redirect.URI)
	_, isTaken := errors.AsType[*callback.PortError](err)
	switch {
	case err == nil:
		a.listener = listener
		return listener.URI(), nil
	case a.noBrowser && redirect.Fixed: // the person brings the answer
		return redirect.URI, nil
	case isTaken && redirect.Fixed:
		return "", fmt.Errorf(`%w; the configuration names this port ("oauth"), so no other can be used`, err)
	case isTaken:
		a.say("%v; a client for another port is registered", err)
		if a.listener, err = callback.Listen(""); err != nil {
			return "", err
		}
		return a.listener.URI(), nil
	}
	return "", fmt.Errorf(`%w ("oauth.redirectUri" in the configuration): use --no-browser, and paste the address that the browser ends on`, err)
}

// wait waits for the answer, from the browser or from the person.
func (a *loginAttempt) wait(ctx context.Context, pending logins.Pending) (logins.Record, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !a.noBrowser {
		a.say("opening the browser to log in to %s (%s); if nothing opens, open this address on this machine: %s", a.name, a.hosts(pending), pending.URL)
		if err := openBrowser(pending.URL, func(err error) { cancel(a.noBrowserError(err)) }); err != nil {
			return logins.Record{}, a.noBrowserError(err)
		}
		return a.waitForBrowser(ctx, pending)
	}
	return a.waitForPaste(ctx, pending)
}

// hosts says where the page to log in is.
func (a *loginAttempt) hosts(pending logins.Pending) string {
	return a.configured.Redact(wording.LoginHosts(domain.LoginHosts{Page: domain.URLHost(pending.URL), Server: domain.URLHost(a.server.Address.String())}))
}

func (a *loginAttempt) noBrowserError(err error) error {
	return fmt.Errorf("no browser could be opened (%w); 'mcp-workbench login %s --no-browser' prints the address to open", err, a.name)
}

// waitForBrowser waits until the browser is sent to the port.
func (a *loginAttempt) waitForBrowser(ctx context.Context, pending logins.Pending) (logins.Record, error) {
	var record logins.Record
	err := a.listener.Await(ctx, a.name, pending.State,
		func(err error) { a.say("%v; still waiting for the browser", err) },
		func(ctx context.Context, address string) (err error) {
			record, err = a.logins.Complete(ctx, a.server, address)
			return err
		})
	return record, err
}

// takeBack takes out of the login what was noted for an attempt that failed. What waited
// before, in a running workbench, waits again.
func (a *loginAttempt) takeBack(before logins.Record, began time.Time) {
	const takeBackTime = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), takeBackTime)
	defer cancel()
	err := a.logins.Store.Update(ctx, a.server.Key(), func(record *logins.Record) error {
		if record.Pending == nil || record.Pending.Started.After(began) {
			record.Pending = before.Pending
		}
		if record.Challenge != nil && record.Challenge.Time.After(began) {
			record.Challenge = before.Challenge
		}
		return nil
	})
	if err != nil {
		a.log.Debug("could not take back what was noted for a login", "error", err)
	}
}

// success says who is logged in where, and until when.
func (a *loginAttempt) success(record logins.Record) string {
	text := fmt.Sprintf("Logged in to %s at %s", a.name, record.Issuer)
	if account := record.Key.Account; account != "" {
		text += fmt.Sprintf(" as %q", account)
	}
	if !record.Expiry.IsZero() {
		text += " until " + record.Expiry.Local().Format(dateFormat)
	}
	switch {
	case record.RefreshToken != "":
		text += "; it is renewed without you."
	case record.Expiry.IsZero():
		text += ", for as long as the server accepts it."
	default:
		text += "; then you have to log in again."
	}
	return text
}
