package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/web/authorities"
	"mcp-workbench/adapters/httpserver"
	"mcp-workbench/adapters/httpserver/certificate"
	"mcp-workbench/adapters/httpserver/guard"
	"mcp-workbench/adapters/httpserver/metrics"
	"mcp-workbench/adapters/httpserver/refusal"
	"mcp-workbench/adapters/httpserver/resource"
	"mcp-workbench/adapters/httpserver/tokens"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
)

// httpOptions are the flags about who may call over HTTP.
type httpOptions struct {
	allowHosts, allowOrigins []string
	certificate, key         string
}

// areGiven reports whether one of them is.
func (o httpOptions) areGiven() bool {
	return len(o.allowHosts)+len(o.allowOrigins) > 0 || o.certificate != "" || o.key != ""
}

// guarded is what a listener serves hosts with, behind the checks of who may call.
type guarded struct {
	handler http.Handler
	// listen is where to listen: what was checked.
	listen guard.Address
	tls    *tls.Config // nil without TLS
	// note says who may call.
	note string
}

// url returns where hosts reach the listener at an address.
func (g *guarded) url(address net.Addr) string {
	scheme := "http"
	if g.tls != nil {
		scheme = "https"
	}
	return scheme + "://" + address.String() + mcpPath
}

// guarded returns what a listener at the address of the options serves. Tokens that are read again later count
// at once. The failure says why nothing may be served there, and has an exit code.
func (p *preparation) guarded(ctx context.Context, hosts *httpserver.Handler, page *metrics.Page) (*guarded, error) {
	flags, settings := p.options.access, p.configuration.HTTP
	address, from := p.options.address()
	at, err := guard.ParseAddress(ctx, address, net.DefaultResolver)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: fmt.Errorf("%s %w", from, err)}
	}
	refusals := refusal.NewLog(p.log)
	checked, err := guard.New(at, slices.Concat(settings.AllowHosts, flags.allowHosts), slices.Concat(settings.AllowOrigins, flags.allowOrigins), refusals)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	reached := reachedBy(at, from+" "+address, checked.ForeignHost())
	if err := p.mayListen(reached); err != nil {
		return nil, &exitError{code: exitConfiguration, err: err}
	}
	endpoint := &guarded{listen: at}
	if flags.certificate != "" || flags.key != "" {
		if flags.certificate == "" || flags.key == "" {
			return nil, &exitError{code: exitUsage, err: errors.New("--tls-cert and --tls-key go together")}
		}
		if endpoint.tls, err = certificate.Load(flags.certificate, flags.key, p.log); err != nil {
			return nil, &exitError{code: exitFailure, err: err}
		}
	}
	mux := http.NewServeMux()
	gate, err := p.gate(mux, refusals)
	if err != nil {
		return nil, &exitError{code: exitConfiguration, err: err}
	}
	p.followTokens(gate, hosts, reached != "")
	mux.Handle(mcpPath, checked.Protect(gate.Authenticate(hosts)))
	mux.Handle("/metrics", checked.Protect(gate.Authenticate(page.Handler(hosts.Sessions))))
	mux.HandleFunc(livePath, answerProbe(func() bool { return true }))
	mux.HandleFunc(readyPath, answerProbe(hosts.Ready))
	endpoint.handler = mux
	endpoint.note = "every program of this machine may call it"
	if isAuthenticated(settings) {
		endpoint.note = "callers need a token"
	}
	return endpoint, nil
}

func isAuthenticated(settings config.HTTP) bool {
	return len(settings.Tokens) > 0 || settings.Auth != nil
}

// reachedBy returns how other machines reach an address, "" if they do not. Given is the address
// as the operator wrote it, foreign an allowed host that is not this machine.
func reachedBy(at guard.Address, given, foreign string) string {
	switch {
	case !at.IsLoopback:
		return given + " can be reached from other machines"
	case foreign != "":
		return "the allowed host " + foreign + " is not this machine, so a proxy lets other machines in"
	}
	return ""
}

// mayListen returns why nothing may be served at an address, nil if hosts may be. An address that
// other machines reach needs authentication, with tokens that are hard to guess.
func (p *preparation) mayListen(reached string) error {
	settings := p.configuration.HTTP
	hasValue := func(token config.Token) bool { return token.Value != "" }
	short := slices.IndexFunc(settings.Tokens, func(token config.Token) bool { return isGuessable(token.Value) })
	switch {
	case settings.IsWrong:
		return errors.New(`nothing is served over HTTP while "http" in the configuration has a mistake`)
	case settings.Auth != nil && settings.Auth.Unset != nil:
		unset := settings.Auth.Unset
		return fmt.Errorf("nothing is served over HTTP: environment variable '%s' is %s (%s)", unset.Variable, unset.State(), unset.KeyPath)
	case reached == "":
		return nil
	case !isAuthenticated(settings):
		return fmt.Errorf("%s, and calls would need no authentication: configure "+
			`"http": {"tokens": {"NAME": {"value": "${VARIABLE}", "toolboxes": ["*"]}}} or "http": {"auth": {…}}, or listen on 127.0.0.1 `+
			"without other hosts (see 'mcp-workbench help team')", reached)
	case settings.Auth == nil && !slices.ContainsFunc(settings.Tokens, hasValue):
		return fmt.Errorf("%s, and no token in the configuration has a value", reached)
	case short >= 0:
		return fmt.Errorf("%s, and the token %q has fewer than %d characters, so it can be guessed: 'openssl rand -hex 32' makes a good one",
			reached, settings.Tokens[short].Name, config.MinTokenLength)
	}
	return nil
}

// gate returns what lets callers in, and adds what they read before that.
func (p *preparation) gate(mux *http.ServeMux, refusals *refusal.Log) (*tokens.Gate, error) {
	settings := p.configuration.HTTP
	if settings.Auth == nil {
		return tokens.NewGate(tokensOf(settings), nil, refusals, p.log), nil
	}
	roots, err := authorities.Roots()
	if err != nil {
		return nil, err
	}
	client := &http.Client{Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true,
	}}
	server, err := resource.New(
		resource.Settings{Issuer: settings.Auth.Issuer, Resource: settings.Auth.Resource, Scopes: settings.Auth.Scopes}, client, p.log)
	if err != nil {
		return nil, fmt.Errorf(`"http.auth" of the configuration: %w`, err)
	}
	for _, path := range server.MetadataPaths() {
		mux.HandleFunc(path, server.ServeMetadata)
	}
	return tokens.NewGate(tokensOf(settings), server, refusals, p.log), nil
}

func tokensOf(settings config.HTTP) []tokens.Token {
	converted := make([]tokens.Token, len(settings.Tokens))
	for i, token := range settings.Tokens {
		converted[i] = tokens.Token{Name: token.Name, Value: token.Value, Toolboxes: token.Toolboxes}
	}
	return converted
}

// isGuessable reports whether a token is too short where other machines can call. An empty one is
// refused anyway.
func isGuessable(value string) bool { return value != "" && len(value) < config.MinTokenLength }

// followTokens applies tokens that are read again, and ends the sessions of those that are no
// longer in force. Where other machines can call, one that is too short is refused.
func (p *preparation) followTokens(gate *tokens.Gate, hosts *httpserver.Handler, isReached bool) {
	started := p.configuration.HTTP
	p.reread = func(configuration *config.Configuration) {
		now := configuration.HTTP
		following := tokensOf(now)
		var refused []string
		for i, token := range following {
			if isReached && isGuessable(token.Value) {
				refused = append(refused, token.Name)
				following[i].Value = ""
			}
		}
		hosts.EndSessions(gate.SetTokens(following))
		for _, name := range refused {
			p.log.Warn(fmt.Sprintf("a token with fewer than %d characters is refused where other machines can call", config.MinTokenLength), "token", name)
		}
		now.Tokens = started.Tokens
		if !reflect.DeepEqual(now, started) {
			p.log.Warn("changes of http.auth, http.allowHosts, http.allowOrigins and the limits of sessions take effect at the next start")
		}
	}
}

// answerProbe answers whether something is so, with a status and no word.
func answerProbe(is func() bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			w.WriteHeader(http.StatusMethodNotAllowed)
		case !is():
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}
}

// newMetrics returns a page of what hosts over HTTP do.
func newMetrics() *metrics.Page {
	var states []string
	for _, state := range sessions.States() {
		states = append(states, string(state))
	}
	return metrics.NewPage(states)
}

// servers calls each with every server of the host, and what it is doing.
func (w *workbench) servers(each func(server domain.Server, state string)) {
	w.sessions.States(func(server domain.Server, state sessions.State) { each(server, string(state)) })
}
