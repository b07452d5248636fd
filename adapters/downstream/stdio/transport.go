package stdio

import (
	"context"
	"log/slog"
	"os"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/stdio/watchdog"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Transport starts servers as child processes. Safe for concurrent use.
type Transport struct {
	identity mcpclient.Identity
	guard    *watchdog.Guard
	log      *slog.Logger
}

// New returns the transport. Identity is what servers are told about the
// workbench; the guard ends servers if the workbench is killed, nil leaves them to
// themselves then.
func New(identity mcpclient.Identity, guard *watchdog.Guard, log *slog.Logger) *Transport {
	return &Transport{identity: identity, guard: guard, log: log}
}

// failedStartGrace is how long a server that failed to connect may take to end
// by itself before it is killed.
const failedStartGrace = 2 * time.Second

// Connect implements ports.Connector: it starts the program and shakes hands.
func (t *Transport) Connect(ctx context.Context, server domain.Server, host ports.Host) (ports.Session, error) {
	log := t.log.With("toolbox", server.ID.Toolbox, "server", server.ID.Server)
	launch, err := prepare(server, os.Environ())
	if err != nil {
		return nil, mcpclient.Unavailable(ctx, server, err)
	}
	process, err := start(launch, server, t.guard, log)
	if err != nil {
		return nil, mcpclient.Unavailable(ctx, server, err)
	}
	log.Debug("started the server", "pid", process.cmd.Process.Pid)
	peer := mcpclient.NewPeer(server, host, log)
	link := newLink(process, peer, server.Limits, log)
	session, err := mcpclient.Connect(ctx, link, peer, t.identity)
	if err != nil {
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), failedStartGrace)
		defer cancel()
		_ = link.Close(grace) // the reason for the failure is at hand already
		return nil, err
	}
	return session, nil
}
