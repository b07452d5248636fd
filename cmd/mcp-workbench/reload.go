package main

import (
	"context"
	"os"

	"mcp-workbench/adapters/following"
)

// followConfiguration reloads the configuration whenever its file changes or a signal asks for it,
// until the context ends. It returns at once.
func (p *preparation) followConfiguration(ctx context.Context, shared *process, asked <-chan os.Signal) {
	follower := &following.Follower{
		Sources: p.options.sources, Started: p.configuration, Transports: p.transports, Consent: p.options.consent(p.options.screen()),
		Reloader: shared.reloader, Pinning: shared.pinning, Lock: shared.file, Reloaded: p.reloaded, AfterStart: p.afterStart,
		Level: p.level, Log: p.log, Redactor: p.stderr, Screen: p.options.screen(),
	}
	follower.Follow(ctx, asked)
}
