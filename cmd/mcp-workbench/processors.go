package main

import (
	"context"
	"runtime"
	"sync"

	"mcp-workbench/adapters/downstream"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// minProcs is the least GOMAXPROCS once there are servers. A read from a pipe blocks a
// thread and keeps its processor for a moment; with spare processors other work goes
// on meanwhile, on however few cores.
const minProcs = 4

// withMinProcs is a connector that sets minProcs before the first server is connected
// to. That stops all goroutines for a moment, so it is not done at the start of the
// program.
type withMinProcs struct {
	ports.Connector
	once sync.Once
}

// newPlainConnector returns the connector that starts every server as it is configured.
func newPlainConnector(registry *downstream.Registry) ports.Connector {
	return &withMinProcs{Connector: registry}
}

// Connect implements ports.Connector.
func (w *withMinProcs) Connect(ctx context.Context, server domain.Server, host ports.Host) (ports.Session, error) {
	w.once.Do(func() { runtime.GOMAXPROCS(max(minProcs, runtime.GOMAXPROCS(0))) })
	return w.Connector.Connect(ctx, server, host)
}
