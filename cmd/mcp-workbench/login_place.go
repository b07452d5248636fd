package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/downstream/web"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
)

// loginPlace is a server that somebody logs in to or out of.
type loginPlace struct {
	*visit
	configured domain.Server
	server     oauth.Server
	// name is what the person called the server.
	name string
}

// newLoginPlace loads the configuration and finds the server. The caller closes what it
// returns.
func newLoginPlace(options options, name string) (*loginPlace, error) {
	visit, err := newVisit(options.starting())
	if err != nil {
		return nil, err
	}
	place, err := newLoginPlaceIn(visit, name)
	if err != nil {
		visit.Close()
		return nil, err
	}
	return place, nil
}

func newLoginPlaceIn(visit *visit, name string) (*loginPlace, error) {
	found, err := visit.find(name)
	if err != nil {
		return nil, err
	}
	configured, ok := found.Toolbox.Server(found.Server)
	if !ok || found.Tool != "" {
		return nil, &exitError{code: exitUsage, err: fmt.Errorf("%q names no server; name one as TOOLBOX/SERVER", name)}
	}
	server, err := oauth.ServerOf(configured)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: fmt.Errorf("%s: %w", name, err)}
	}
	if visit.logins == nil {
		return nil, &exitError{code: exitFailure, err: errors.New("there is no home directory, so there is no place for logins")}
	}
	return &loginPlace{visit: visit, configured: configured, server: server, name: configured.ID.Path()}, nil
}

// maxSkew is by how much clocks may differ before a person is told.
const maxSkew = 5 * time.Minute

// askServer sends the server a request without a token, so that it says what it wants, and
// notes that, unless something was noted that nobody has answered.
//
// Failures: with exitUnreachable, when the server does not answer.
func (p *loginPlace) askServer(ctx context.Context) error {
	endpoint, err := web.NewEndpoint(p.configured, mcpserver.Name+"/"+version(), nil)
	if err != nil {
		return &exitError{code: exitFailure, err: fmt.Errorf("%s: %w", p.name, err)}
	}
	defer endpoint.Close()
	header := endpoint.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json, text/event-stream")
	asking, cancel := context.WithTimeout(ctx, p.configured.Limits.Connect)
	defer cancel()
	response, err := endpoint.Do(asking, http.MethodPost, header, []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	if err != nil {
		return &exitError{code: exitUnreachable, err: fmt.Errorf("%s: %w", p.name, err)}
	}
	_ = response.Body.Close() // only the head counts
	p.compareClocks(endpoint.Origin(), response.Header.Get("Date"))
	if response.StatusCode != http.StatusUnauthorized {
		return nil
	}
	challenge := oauth.ReadChallenge(response.Header)
	return p.logins.Store.Update(ctx, p.server.Key(), func(record *logins.Record) error {
		if record.Challenge == nil {
			record.Challenge = &logins.Challenge{Time: time.Now().UTC(), Scopes: challenge.Scopes, Error: challenge.Error}
		}
		if record.Challenge.ResourceMetadata == "" {
			record.Challenge.ResourceMetadata = challenge.ResourceMetadata
		}
		return nil
	})
}

// compareClocks says when the clock of this machine is wrong, which is why logins are
// refused that are right otherwise.
func (p *loginPlace) compareClocks(origin, date string) {
	theirs, err := http.ParseTime(date)
	if err != nil {
		return
	}
	if skew := time.Since(theirs).Round(time.Minute); skew.Abs() > maxSkew {
		direction := "ahead of"
		if skew < 0 {
			direction = "behind"
		}
		p.say("warning: the clock of this machine is %s %s that of %s, so the login may be refused", skew.Abs(), direction, origin)
	}
}

// say prints a line for the person on stderr.
func (p *loginPlace) say(format string, args ...any) {
	p.screen.Print("mcp-workbench: " + fmt.Sprintf(format, args...))
}

// failed returns the error with which the program exits when a login, or a logout,
// does not succeed.
func (p *loginPlace) failed(err error) error {
	code := exitFailure
	if _, unreachable := errors.AsType[*oauth.UnreachableError](err); unreachable {
		code = exitUnreachable
	}
	if exit, ok := errors.AsType[*exitError](err); ok {
		return exit
	}
	return &exitError{code: code, err: fmt.Errorf("%s: %w", p.name, err)}
}
