package login

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/system/browser"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// Attempt is one attempt of a user at a terminal to log in.
type Attempt struct {
	*Target
	NoBrowser bool
	Scopes    []string

	answers *port         // waits for the browser, nil when it cannot
	record  logins.Record // of the login, once it is made
}

// errNoLogin means that the server answers without a login, and offers none.
var errNoLogin = errors.New("the server answers without a login")

// Run leads the user through the login and returns what to print about it. When it fails, no
// request of the attempt stays behind.
//
// Failures: *UnreachableError, terminal.ErrInterrupted if the context ends, and any other cause.
func (a *Attempt) Run(ctx context.Context) (text string, err error) {
	if err := a.Client.Store.Ready(ctx, a.server.Key()); err != nil {
		return "", fmt.Errorf("the login could not be stored: %w", err)
	}
	text, err = a.run(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", terminal.ErrInterrupted
	case errors.Is(err, errNoLogin):
		return a.name + " answers without a login.", nil
	case err != nil:
		return "", a.failed(err)
	}
	if err := a.Client.Store.Ready(ctx, a.server.Key()); err != nil {
		return "", fmt.Errorf("the login could not be stored: %w", err)
	}
	return text, nil
}

// run leads the user through the login.
//
// Failures: errNoLogin, and those of logIn.
func (a *Attempt) run(ctx context.Context) (text string, err error) {
	before, err := a.Client.Store.Read(a.server.Key())
	if err != nil {
		return "", err
	}
	began := time.Now()
	err = a.logIn(ctx)
	if errors.Is(err, oauth.ErrWithoutResource) {
		a.say("%v", err)
		err = a.logIn(ctx)
	}
	if err != nil {
		a.restore(before, began)
		return "", err
	}
	return a.success(a.record), nil
}

func (a *Attempt) logIn(ctx context.Context) error {
	isOpen, err := a.askServer(ctx)
	if err != nil {
		return err
	}
	pending, err := a.Client.Begin(ctx, a.server, a.Scopes, a.listen)
	if a.answers != nil {
		defer a.answers.close()
	}
	_, unreachable := errors.AsType[*oauth.UnreachableError](err)
	switch {
	case isOpen && errors.Is(err, oauth.ErrNoAuthority) && !unreachable:
		return errNoLogin
	case err != nil:
		return err
	}
	waiting, cancel := context.WithTimeoutCause(ctx, pendingTime, errTimeout)
	defer cancel()
	err = a.wait(waiting, pending)
	if ctx.Err() != nil {
		a.say("the login was not completed; %s", pageHelp)
	}
	return err
}

// listen implements oauth.Listen. The port is bound before it is registered.
func (a *Attempt) listen(redirect oauth.Redirect) (string, error) {
	var err error
	a.answers, err = listen(redirect.URI)
	_, isTaken := errors.AsType[*portError](err)
	switch {
	case err == nil:
		return a.answers.uri(), nil
	case a.NoBrowser && redirect.Fixed: // the user pastes the answer
		return redirect.URI, nil
	case isTaken && redirect.Fixed:
		return "", fmt.Errorf(`%w; the configuration names this port ("oauth"), so no other can be used`, err)
	case isTaken && redirect.URI != "":
		a.say("%v; a client for another port is registered", err)
		return a.listen(oauth.Redirect{})
	case isTaken:
		return "", err
	}
	return "", fmt.Errorf(`%w ("oauth.redirectUri" in the configuration): use --no-browser, and paste the address that the browser ends on`, err)
}

// wait waits for the answer, from the browser or from the user.
func (a *Attempt) wait(ctx context.Context, pending logins.Pending) error {
	if !a.NoBrowser {
		a.say("opening the browser to log in to %s (%s); if nothing opens, open this address on this machine: %s", a.name, a.hosts(pending), pending.URL)
		if remove, err := a.open(pending.URL); err != nil {
			a.noBrowser(err)
		} else {
			defer remove()
		}
		return a.waitForBrowser(ctx, pending)
	}
	return a.waitForPaste(ctx, pending)
}

// hosts names the hosts of the login page and of the server.
func (a *Attempt) hosts(pending logins.Pending) string {
	return a.Configured.Redact(wording.LoginHosts(domain.LoginHosts{Page: domain.URLHost(pending.URL), Server: domain.URLHost(a.server.Address.String())}))
}

// open opens the page of the login.
//
// Decision: other users who see the state and the challenge could complete the login as another account, so the
// system's browser gets a file. A program that the user names in BROWSER gets the address itself: such programs often
// pass it on, and can do nothing with a file.
func (a *Attempt) open(address string) (remove func(), err error) {
	if os.Getenv("BROWSER") != "" {
		return func() {}, browser.Open(address, a.noBrowser)
	}
	return browser.OpenPrivately(address, a.noBrowser)
}

// noBrowser says that no browser was opened. The login goes on, since the user may open the address.
func (a *Attempt) noBrowser(err error) {
	a.say("no browser could be opened (%v): open the address on this machine, or run 'mcp-workbench login %s --no-browser' to use a browser on another machine", err, a.name)
}

// waitForBrowser waits until the browser is sent to the port.
func (a *Attempt) waitForBrowser(ctx context.Context, pending logins.Pending) error {
	return a.answers.await(ctx, expected{
		name: a.name, state: pending.State, complete: a.complete,
		ignored: func(err error) { a.say("%v; still waiting for the browser", err) },
	})
}

// complete completes the login with the address that the browser was sent to. A state is accepted
// once, so only one of several addresses succeeds.
func (a *Attempt) complete(ctx context.Context, address string) error {
	record, err := a.Client.Complete(ctx, a.server, address)
	if err == nil {
		a.record = record
	}
	return err
}

// restore removes what a failed attempt noted in the record of the login. A login that waited
// before, in a running workbench, waits again.
func (a *Attempt) restore(before logins.Record, began time.Time) {
	const restoreTime = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), restoreTime)
	defer cancel()
	err := a.Client.Store.Update(ctx, a.server.Key(), func(record *logins.Record) error {
		if record.Pending == nil || record.Pending.Started.After(began) {
			record.Pending = before.Pending
		}
		if record.Challenge != nil && record.Challenge.Time.After(began) {
			record.Challenge = before.Challenge
		}
		return nil
	})
	if err != nil {
		a.Log.Debug("cannot restore the record of a login", "error", err)
	}
}

// success describes the login: where, as whom, and until when.
func (a *Attempt) success(record logins.Record) string {
	text := fmt.Sprintf("Logged in to %s at %s", a.name, record.Issuer)
	if account := record.Key.Account; account != "" {
		text += fmt.Sprintf(" as %q", account)
	}
	if !record.Expiry.IsZero() {
		text += " until " + record.Expiry.Local().Format(dateFormat)
	}
	switch {
	case record.RefreshToken != "":
		text += "; it is renewed automatically."
	case record.Expiry.IsZero():
		text += ", for as long as the server accepts it."
	default:
		text += "; then you have to log in again."
	}
	return text
}
