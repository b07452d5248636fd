package main

import (
	"context"
	"errors"
	"os"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
)

// serve serves one host on standard input and output until it is gone, or many over HTTP.
func serve(ctx context.Context, options options) error {
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	shared := prepared.process()
	following, stop := context.WithCancel(ctx)
	defer stop()
	if address, _ := options.address(); address != "" {
		return prepared.serveHTTP(ctx, following, shared)
	}
	if access := options.access; len(access.AllowHosts)+len(access.AllowOrigins) > 0 || access.Certificate != "" || access.Key != "" {
		return &exitError{code: exitUsage, err: errors.New("--allow-host, --allow-origin, --tls-cert and --tls-key need --http or " + config.ListenVariable)}
	}
	serving, stopping, stopSignals := untilSignals(ctx)
	defer stopSignals()
	prepared.followConfiguration(following, shared)
	return prepared.serveStandardInput(serving, stopping, shared)
}

// serveStandardInput serves one host on standard input and output until it is gone or the first
// context ends, then stops its servers. When the second context ends, they get no more time.
func (p *preparation) serveStandardInput(serving, stopping context.Context, shared *process) error {
	workbench := newWorkbench(shared, shared.onStandardInput(p.people))
	defer shared.reloader.Add(workbench.reloaded)()
	output := mcpserver.Output{Writer: os.Stdout, Attempt: jsonrpc.NonblockingWrite(os.Stdout)}
	ended, err := workbench.server.Serve(serving, os.Stdin, output)
	workbench.close(stopping, ended, shared)
	return err
}

// close stops the servers of the host, whose time counts from when the host was gone.
func (w *workbench) close(ctx context.Context, gone time.Time, shared *process) {
	closing, cancel := context.WithDeadline(ctx, gone.Add(shared.shutdownLimit()))
	defer cancel()
	w.sessions.Close(closing)
}
