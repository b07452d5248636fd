package main

import (
	"context"
	"runtime"
	"sync"

	"mcp-workbench/adapters/downstream"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// processors is how many of the scheduler's processors there are at least, once
// there are servers. Reads of pipes block a thread each and keep its processor for a
// moment; with spare ones, nobody has to take it away before other work goes on, on
// however few cores.
const processors = 4

// widening is a connector that sees to the processors before the first server. That
// stops all goroutines for a moment, which is not for the start of the program.
type widening struct {
	ports.Connector
	once sync.Once
}

func newConnector(registry *downstream.Registry) ports.Connector {
	return &widening{Connector: registry}
}

// Connect implements ports.Connector.
func (w *widening) Connect(ctx context.Context, server domain.Server, host ports.Host) (ports.Session, error) {
	w.once.Do(func() { runtime.GOMAXPROCS(max(processors, runtime.GOMAXPROCS(0))) })
	return w.Connector.Connect(ctx, server, host)
}
