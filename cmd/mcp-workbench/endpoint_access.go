package main

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/mcpserver/callers"
)

func isAuthenticated(access config.HTTP) bool { return len(access.Tokens) > 0 || access.Auth != nil }

// reachedBy returns how other machines reach an address, "" if they do not. given is the address
// as the operator wrote it, foreign an allowed host that is not this machine.
func reachedBy(address callers.Address, given, foreign string) string {
	switch {
	case !address.IsLoopback:
		return given + " can be reached from other machines"
	case foreign != "":
		return "the allowed host " + foreign + " is not this machine, so a proxy lets other machines in"
	}
	return ""
}

// isOpen reports whether callers need no token.
func (e *endpoint) isOpen() bool { return e.access.Auth == nil && !e.hadTokens }

// mayServe returns why hosts cannot be served at an address, nil if they can. reached says how
// other machines reach the address, "" if they do not. If they do, callers must authenticate,
// with tokens that are hard to guess.
func mayServe(access config.HTTP, reached string) error {
	hasValue := func(token config.Token) bool { return token.Value != "" }
	short := slices.IndexFunc(access.Tokens, func(token config.Token) bool { return isGuessable(token.Value) })
	switch {
	case access.IsWrong:
		return errors.New(`the workbench does not listen while "http" in the configuration has a mistake`)
	case access.Auth != nil && access.Auth.Unset != nil:
		return fmt.Errorf("the workbench does not listen: %w", access.Auth.Unset)
	case reached == "":
		return nil
	case !isAuthenticated(access):
		return fmt.Errorf("%s, and calls would need no authentication: configure "+
			`"http": {"tokens": {"NAME": {"value": "${VARIABLE}", "toolboxes": ["*"]}}} or "http": {"auth": {…}}, or listen on 127.0.0.1 `+
			"without other hosts (see 'mcp-workbench help team')", reached)
	case access.Auth == nil && !slices.ContainsFunc(access.Tokens, hasValue):
		return fmt.Errorf("%s, and no token in the configuration has a value", reached)
	case short >= 0:
		return fmt.Errorf("%s, and the token %q has fewer than %d characters, so it can be guessed: 'openssl rand -hex 32' makes a good one",
			reached, access.Tokens[short].Name, config.MinTokenLength)
	}
	return nil
}

// isGuessable reports whether a token is too short for an address that other machines reach. An
// empty token is refused anyway.
func isGuessable(value string) bool { return value != "" && len(value) < config.MinTokenLength }

func tokensOf(access config.HTTP) []callers.Token {
	converted := make([]callers.Token, len(access.Tokens))
	for i, token := range access.Tokens {
		converted[i] = callers.Token{Name: token.Name, Value: token.Value, Toolboxes: token.Toolboxes}
	}
	return converted
}

// within returns tokens as far as they allow no more than others do, and the names of those that would: tokens that are
// new or have another value give no access, and the others get no more toolboxes.
func within(following, granted []callers.Token) (allowed []callers.Token, wider []string) {
	for _, token := range following {
		known := slices.IndexFunc(granted, func(g callers.Token) bool { return g.Name == token.Name && g.Value == token.Value })
		switch {
		case token.Value == "":
		case known < 0:
			token.Value = ""
			wider = append(wider, token.Name)
		case granted[known].Toolboxes != nil:
			hasMore := func(name string) bool { return !slices.Contains(granted[known].Toolboxes, name) }
			if token.Toolboxes == nil || slices.ContainsFunc(token.Toolboxes, hasMore) {
				wider = append(wider, token.Name)
			}
			if token.Toolboxes == nil {
				token.Toolboxes = granted[known].Toolboxes
			}
			token.Toolboxes = slices.DeleteFunc(slices.Clone(token.Toolboxes), hasMore)
		}
		allowed = append(allowed, token)
	}
	return allowed, wider
}

// Reload applies the tokens of a reloaded configuration, and ends the sessions of tokens that are
// no longer in it. Unless the operator asked for it, tokens that allow more than before do not, since a
// model or a server may have written the file. If other machines can call, it refuses tokens that are too
// short. It must not be called concurrently.
//
// Decision: where callers needed no token and get the first ones, these are accepted at once: they allow less than
// before.
func (e *endpoint) Reload(access config.HTTP, isAsked bool) {
	following := tokensOf(access)
	var refused, wider []string
	if !isAsked && !e.isOpen() {
		following, wider = within(following, e.granted)
	}
	e.granted, e.hadTokens = slices.Clone(following), e.hadTokens || len(following) > 0
	for i, token := range following {
		if e.isReached && isGuessable(token.Value) {
			refused = append(refused, token.Name)
			following[i].Value = ""
		}
	}
	e.hosts.EndSessions(e.gate.SetTokens(following))
	for _, name := range refused {
		e.log.Warn(fmt.Sprintf("a token with fewer than %d characters is refused where other machines can call", config.MinTokenLength), "token", name)
	}
	for _, name := range wider {
		e.log.Warn("a token is new, or allows more than before: that takes effect at the next start or with SIGHUP", "token", name)
	}
	access.Tokens = e.access.Tokens
	if !reflect.DeepEqual(access, e.access) {
		e.log.Warn("changes to http.auth, http.allowHosts, http.allowOrigins, http.drain and the limits of sessions take effect at the next start")
	}
}
