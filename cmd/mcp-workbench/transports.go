package main

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/oauth"
	"mcp-workbench/adapters/downstream/oauth/logins"
	"mcp-workbench/adapters/downstream/sse"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/downstream/streamablehttp"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// newTransports returns the transports by the kinds that a configuration names. Servers that are
// processes run in the place and under the guard; servers behind URLs use the logins. Guard and logins
// may be nil.
func newTransports(guard *processtree.Guard, place stdio.Place, logins *oauth.Client, log *slog.Logger) map[string]ports.Transport {
	identity := mcpclient.Identity{Name: mcpserver.Name, Version: version}
	older := sse.New(identity, logins, log)
	return map[string]ports.Transport{
		"stdio": stdio.New(identity, guard, place, log),
		"http":  streamablehttp.New(identity, older, logins, log),
		"sse":   older,
	}
}

// watchdogArgument makes the program the watchdog of a workbench. Users never type it.
const watchdogArgument = "__watchdog"

// newGuard returns the guard whose watchdog is this program.
func newGuard(log *slog.Logger) *processtree.Guard {
	return processtree.NewGuard(log, func() []string { return []string{programs.OwnPath(), watchdogArgument} })
}

// giveUpOnRegistries makes programs give up soon on a package registry that is out of reach.
func giveUpOnRegistries(transports map[string]ports.Transport) {
	transports["stdio"].(*stdio.Transport).GiveUpOnRegistries()
}

// checkingTransports returns transports that only check configurations.
func checkingTransports() map[string]ports.Transport {
	return newTransports(nil, stdio.Place{}, nil, slog.New(slog.DiscardHandler))
}

// clientName is the name that authorization servers show to users.
const clientName = "MCP Workbench"

// newOAuthClient returns the client for logins at remote servers, with the user's logins; nil
// without a state directory. Every token is added to secrets. No file is read yet.
func newOAuthClient(secrets *oauth.Secrets, log *slog.Logger) *oauth.Client {
	directory, err := safefile.InStateFolder("logins")()
	if err != nil {
		log.Info("there is no place for logins at remote servers", "error", err)
		return nil
	}
	return oauth.New(logins.New(directory, log, secrets.Learn), clientName, secrets, log)
}

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
