package main

import (
	"context"
	"log/slog"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/login"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/observe/logs"
	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/application"
	"mcp-workbench/ports"
)

// preparation has what a command needs before it starts servers.
type preparation struct {
	options       options
	configuration *config.Configuration
	transports    map[string]ports.Transport
	guard         *processtree.Guard // nil if all hosts share one
	// logins is the client for logins at remote servers, nil without a state directory.
	logins *oauth.Client
	// userLogins are the logins that users make while hosts are served, also nil without a state directory.
	userLogins *login.Logins
	// level is the level of log, which shows no secrets of the configuration.
	level *slog.LevelVar
	log   *slog.Logger
	// stderr receives what log writes.
	stderr *config.Redactor
	// secrets are the values that commands print for servers.
	secrets *application.SecretValues
	// telemetry is nil if nothing is exported.
	telemetry *telemetry.Telemetry
	// reloaded is passed each reloaded configuration without a mistake; nil for none.
	reloaded func(configuration *config.Configuration, isAsked bool)
}

// prepare loads the configuration and prints on stderr which file it is. Log records pass through
// the handlers that wrap returns. The caller closes the preparation.
func prepare(options options, wrap ...func(slog.Handler) slog.Handler) (*preparation, error) {
	level := &slog.LevelVar{}
	level.Set(slog.LevelWarn)
	learned := &oauth.Secrets{}
	stderr := config.NewRedactor(options.screen(), learned.Redact)
	var handler slog.Handler = slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level})
	for _, wrapped := range wrap {
		handler = wrapped(handler)
	}
	log := slog.New(handler)
	guard := newGuard(log)
	own := guard
	if options.window != nil {
		guard, own = options.window.guard, nil
	}
	logins := newOAuthClient(learned, log)
	transports := newTransports(guard, options.servers(), logins, log)
	configuration, err := options.load(transports)
	if err != nil {
		own.Close()
		return nil, unusable(err)
	}
	level.Set(configuration.LogLevel)
	stderr.Hide(configuration)
	if options.serves {
		logs.Keep(configuration.LogFile, version, options.screen())
	}
	options.announce(configuration)
	var exported *telemetry.Telemetry
	if options.serves {
		exported = telemetry.Start(version, configuration.SpanParent == config.ParentLink, log)
	}
	prepared := &preparation{
		options: options, configuration: configuration, transports: transports, guard: own, level: level, log: log,
		stderr: stderr, logins: logins, telemetry: exported,
		secrets: application.NewSecretValues(stdio.NewRunner(guard, options.servers()), stderr.Learn),
	}
	if logins != nil {
		prepared.userLogins = login.NewLogins(logins, log)
	}
	return prepared, nil
}

// refreshTime is the time the program waits at its end for a login that is being refreshed. An
// interrupted refresh can end the login.
const refreshTime = 2 * time.Second

// Close ends the logins that wait for users, releases the watchdog, and waits for refreshes of
// logins and for the last telemetry. The servers must have exited.
func (p *preparation) Close() {
	if p.userLogins != nil {
		p.userLogins.Close()
	}
	p.guard.Close()
	p.telemetry.Close()
	if p.logins == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), refreshTime)
	defer cancel()
	p.logins.Store.Wait(ctx)
}
