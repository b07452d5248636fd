package main

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/adapters/plugins"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// minProcs is the least GOMAXPROCS once there are servers. A read from a pipe blocks a
// thread and keeps its processor for a moment; with spare processors other work continues
// meanwhile, even on few cores.
const minProcs = 4

// transportConnector connects with the transport of each server. Safe for concurrent use.
type transportConnector struct {
	transports map[string]ports.Transport
	// processors sets minProcs before the first server. That stops all goroutines for a
	// moment, so it is not done at the start of the program.
	processors sync.Once
}

// newTransportConnector returns the connector of transports by kind, as servers name it
// (domain.Server.Transport). The map must not change afterwards.
func newTransportConnector(transports map[string]ports.Transport) *transportConnector {
	return &transportConnector{transports: transports}
}

// Connect implements ports.Connector.
func (c *transportConnector) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	transport, ok := c.transports[server.Transport]
	if !ok {
		known := strings.Join(slices.Sorted(maps.Keys(c.transports)), ", ")
		reason := fmt.Errorf("no transport of the kind '%s' (known: %s)", server.Transport, known)
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	for path, digest := range server.Files {
		if plugins.DigestOf(path) != digest {
			reason := fmt.Errorf("its plugin changed since it was trusted (%s)", domain.LineText(path))
			return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
		}
	}
	c.processors.Do(func() { runtime.GOMAXPROCS(max(minProcs, runtime.GOMAXPROCS(0))) })
	return transport.Connect(ctx, server, host, policy)
}
