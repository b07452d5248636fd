package main

import (
	"context"
	"log/slog"
	"os"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/mcpserver"
)

// serve is a workbench's whole life on standard input and output.
func serve(ctx context.Context, options options) error {
	level := &slog.LevelVar{}
	level.Set(slog.LevelWarn)
	stderr := &redactor{to: os.Stderr}
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	guard := newGuard(log)
	defer guard.Close()
	transports := newTransports(version(), guard, log)
	configuration, err := options.load(transports)
	if err != nil {
		return unusable(err)
	}
	level.Set(configuration.LogLevel)
	stderr.hide(configuration.Catalog.Toolboxes())
	announce(configuration, log)
	workbench := newWorkbench(configuration, transports, mcpserver.Version(version()), log)
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
