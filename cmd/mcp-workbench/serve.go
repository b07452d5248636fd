package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/following"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/adapters/wording"
)

// serve serves one host on standard input and output until it is gone, or many over HTTP.
func serve(ctx context.Context, options options) error {
	defer console.LeaveInterrupts()()
	address, _ := options.address()
	serving, stopping, received := ownprocess.ListenForSignals(ctx, ownprocess.HangupReloads(address != ""))
	defer received.Stop()
	var err error
	if options.flags.Toolboxes, err = config.ToolboxesToServe(options.flags.Toolboxes, os.Getenv); err != nil {
		return &exitError{Code: exitUsage, Err: err}
	}
	if background.MayListen(statusFolders()) {
		if isServed, err := options.serveInBackground(serving, stopping, false, received); isServed {
			return err
		}
	}
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	if prepared.configuration.Background.On {
		if isServed, err := options.serveInBackground(serving, stopping, true, received); isServed {
			return err
		}
	}
	if err := prepared.configuration.Unknown; err != nil {
		return &exitError{Code: exitUsage, Err: err}
	}
	for _, warning := range prepared.configuration.Warnings {
		prepared.log.Warn(warning.String())
	}
	ownprocess.CollectLess()
	shared := newProcess(prepared)
	defer shared.record.Close()
	defer prepared.listenForStatus(shared)()
	if address != "" {
		return prepared.serveHTTP(ctx, serving, stopping, received, shared)
	}
	if options.access.HasFlags() {
		return &exitError{Code: exitUsage, Err: errors.New("--allow-host, --allow-origin, --tls-cert and --tls-key need --http or " + config.ListenVariable)}
	}
	_, unfollow := prepared.followConfiguration(ctx, shared, received.Reloads)
	defer unfollow()
	return prepared.serveStandardInput(serving, stopping, shared)
}

// stream is a host that is served over a pair of streams.
type stream struct {
	from      io.Reader
	to        *os.File
	transport string
	after     uint64 // the number of the last request to the host by another workbench
}

// serveStandardInput serves one host on standard input and output until it is gone or the first
// context ends, then stops its servers. When the second context ends, they get no more time.
func (p *preparation) serveStandardInput(serving, stopping context.Context, shared *process) error {
	if console.Err.CanAsk() {
		console.Err.Print(wording.StartedInTerminal)
	}
	return p.serveStream(serving, stopping, shared, stream{from: os.Stdin, to: os.Stdout, transport: "stdio"})
}

// serveStream does what serveStandardInput does, for a host at any pair of streams.
func (p *preparation) serveStream(serving, stopping context.Context, shared *process, host stream) error {
	seen := shared.onStandardInput(p.userLogins)
	workbench := shared.workbench(seen)
	defer shared.reloader.Add(workbench.reloaded)()
	defer shared.show(workbench, seen, host.transport, "")()
	workbench.server.NumberAfter(host.after)
	framing := jsonrpc.NewHostFraming(host.from, host.to, jsonrpc.NonblockingWrite(host.to))
	ended, err := workbench.server.Serve(serving, framing, mcpserver.Output{Writer: framing, Attempt: framing.Attempt()})
	workbench.close(stopping, ended, shared)
	return err
}

// close stops the servers of the host. Their time to exit counts from when the host was gone.
func (w *workbench) close(ctx context.Context, gone time.Time, shared *process) {
	closing, cancel := context.WithDeadline(ctx, gone.Add(shared.shutdownLimit()))
	defer cancel()
	w.sessions.Close(closing)
	w.results.Close()
	w.tracing.Close()
}

// followConfiguration reloads the configuration whenever its file changes or a signal asks for it,
// until stop is called or the context ends.
func (p *preparation) followConfiguration(ctx context.Context, shared *process, asked <-chan os.Signal) (follower *following.Follower, stop func()) {
	ctx, stop = context.WithCancel(ctx)
	follower = &following.Follower{
		Sources: p.options.sources, Started: p.configuration, Transports: p.transports, Consent: p.options.consent(p.options.screen()),
		Reloader: shared.reloader, Pinning: shared.pinning, Lock: shared.file, Reloaded: p.reloaded,
		Level: p.level, Log: p.log, Redactor: p.stderr, Screen: p.options.screen(),
	}
	follower.Follow(ctx, asked)
	return follower, stop
}
