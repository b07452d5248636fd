package login

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// Target is a server that a user at a terminal logs in to or out of.
type Target struct {
	// Client is nil if there is no place for logins.
	Client     *oauth.Client
	Configured domain.Server
	// Agent is the program and its version, for the server.
	Agent   string
	Console *terminal.Console
	Log     *slog.Logger

	// Run sets the fields below.
	server oauth.Server
	name   string // TOOLBOX/SERVER
}

// Run runs a command about the login at the server, and prints the text that it returns.
//
// Failures: *UnsuitableError, those of the command and of printing.
func (t *Target) Run(ctx context.Context, command func(context.Context, *Target) (text string, err error)) error {
	t.name = t.Configured.ID.Path()
	var err error
	t.server, err = oauth.ServerOf(t.Configured)
	switch {
	case err != nil:
		return &UnsuitableError{fmt.Errorf("%s: %w", t.name, err)}
	case t.Client == nil:
		return errors.New("there is no home directory, so logins cannot be stored")
	}
	text, err := command(ctx, t)
	if err != nil {
		return err
	}
	return terminal.New(t.Console.Out, "never").Print("%s", text)
}

// UnsuitableError reports a server that cannot have a login.
type UnsuitableError struct{ error }

// Unwrap returns the reason.
func (e *UnsuitableError) Unwrap() error { return e.error }

// maxSkew is the largest difference between clocks without a warning.
const maxSkew = 5 * time.Minute

// UnreachableError reports that the server or its authorization server did not answer.
type UnreachableError struct{ error }

// Unwrap returns the cause.
func (e *UnreachableError) Unwrap() error { return e.error }

// failed returns the failure of a command about the target.
func (t *Target) failed(err error) error {
	named := fmt.Errorf("%s: %w", t.name, err)
	if _, unreachable := errors.AsType[*oauth.UnreachableError](err); unreachable {
		return &UnreachableError{named}
	}
	return named
}

// askServer sends the server a request without a token, so that it answers with what it wants,
// and notes that in the record of the login, unless an older challenge waits there. IsOpen reports that it answers
// without one.
//
// Failures: *UnreachableError.
func (t *Target) askServer(ctx context.Context) (isOpen bool, err error) {
	endpoint, err := web.NewEndpoint(t.Configured, t.Agent, nil, func() {})
	if err != nil {
		return false, err
	}
	defer endpoint.Close()
	header := endpoint.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json, text/event-stream")
	asking, cancel := context.WithTimeout(ctx, t.Configured.Limits.Connect)
	defer cancel()
	response, err := endpoint.Do(asking, http.MethodPost, header, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+string(mcp.MethodPing)+`"}`))
	if err != nil {
		return false, &UnreachableError{err}
	}
	_ = response.Body.Close() // only the head counts
	t.compareClocks(endpoint.Origin(), response.Header.Get("Date"))
	if response.StatusCode != http.StatusUnauthorized {
		// A server with sessions refuses a request without one by 400.
		return response.StatusCode < http.StatusMultipleChoices || response.StatusCode == http.StatusBadRequest, nil
	}
	challenge := oauth.ReadChallenge(response.Header)
	return false, t.Client.Store.Update(ctx, t.server.Key(), func(record *logins.Record) error {
		if record.Challenge == nil {
			challenge.Time = time.Now().UTC()
			record.Challenge = &challenge
		}
		if record.Challenge.ResourceMetadata == "" {
			record.Challenge.ResourceMetadata = challenge.ResourceMetadata
		}
		return nil
	})
}

// compareClocks warns when the clock on this machine is wrong: a valid login may be refused then.
func (t *Target) compareClocks(origin, date string) {
	theirs, err := http.ParseTime(date)
	if err != nil {
		return
	}
	if skew := time.Since(theirs).Round(time.Minute); skew.Abs() > maxSkew {
		direction := "ahead of"
		if skew < 0 {
			direction = "behind"
		}
		t.say("warning: the clock on this machine is %s %s that of %s, so the login may be refused", skew.Abs(), direction, origin)
	}
}

// say prints a line on standard error.
func (t *Target) say(format string, args ...any) {
	t.Console.Err.Print("mcp-workbench: " + fmt.Sprintf(format, args...))
}
