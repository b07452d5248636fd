package main

import (
	"context"
	"os"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
)

// serve is a workbench's whole life on standard input and output.
func serve(ctx context.Context, options options) error {
	prepared, err := prepare(options)
	if err != nil {
		return err
	}
	defer prepared.Close()
	workbench := newWorkbench(prepared.process())
	return workbench.run(ctx)
}

// run serves until the host is gone or a signal comes, then ends every server.
// The first signal ends the serving, the second the patience with servers.
func (w *workbench) run(ctx context.Context) error {
	serving, patience, stop := untilSignals(ctx)
	defer stop()
	output := mcpserver.Output{Writer: os.Stdout, Attempt: jsonrpc.NonblockingWrite(os.Stdout)}
	ended, err := w.server.Serve(serving, os.Stdin, output)
	closing, cancel := context.WithDeadline(patience, ended.Add(w.patience))
	defer cancel()
	w.sessions.Close(closing)
	if err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	return nil
}
