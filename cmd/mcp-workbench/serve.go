package main

import (
	"context"
	"os"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/application"
)

// serve serves one host on standard input and output until it is gone.
func serve(ctx context.Context, options options) error {
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	shared := prepared.process()
	workbench := newWorkbench(shared)
	defer shared.reloader.Add(workbench.reloaded)()
	following, stop := context.WithCancel(ctx)
	defer stop()
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
	closing, cancel := context.WithDeadline(stopping, ended.Add(max(w.shutdownLimit, shutdownLimitOf(current.Toolboxes()))))
	defer cancel()
	w.sessions.Close(closing)
	if err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	return nil
}
