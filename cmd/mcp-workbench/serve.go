package main

import (
	"context"
	"errors"
	"os"
	"time"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/application"
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
	if options.access.areGiven() {
		return &exitError{code: exitUsage, err: errors.New("--allow-host, --allow-origin, --tls-cert and --tls-key need --http or " + config.ListenVariable)}
	}
	workbench := newWorkbench(shared, shared.onStandardInput(prepared.people))
	defer shared.reloader.Add(workbench.reloaded)()
	prepared.followConfiguration(following, shared)
	return workbench.run(ctx, shared.current)
}

// run serves until the host is gone or a signal comes, then stops every server. After
// a second signal servers get no more time to exit by themselves.
func (w *workbench) run(ctx context.Context, current *application.Current) error {
	serving, stopping, stop := untilSignals(ctx)
	defer stop()
	output := mcpserver.Output{Writer: os.Stdout, Attempt: jsonrpc.NonblockingWrite(os.Stdout)}
	ended, err := w.server.Serve(serving, os.Stdin, output)
	w.close(stopping, ended, current)
	if err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	return nil
}

// close stops the servers of the host, which have the time that the most patient of them
// wants from when the host was gone.
func (w *workbench) close(ctx context.Context, gone time.Time, current *application.Current) {
	closing, cancel := context.WithDeadline(ctx, gone.Add(max(w.shutdownLimit, shutdownLimitOf(current.Toolboxes()))))
	defer cancel()
	w.sessions.Close(closing)
}
