package stdio

import (
	"context"
	"log/slog"
	"os"
	"time"

	"mcp-workbench/adapters/downstream/mcpclient"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/downstream/stdio/watchdog"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Transport starts servers as child processes. Safe for concurrent use.
type Transport struct {
	identity mcpclient.Identity
	wardens  wardens
	queue    *launchQueue
	log      *slog.Logger
}

// wardens are what sees to it that nothing of a server is left behind: the census
// finds what it has started, the guard has it ended if the workbench is killed.
type wardens struct {
	census *processtree.Census
	guard  *watchdog.Guard
}

// New returns the transport. Identity is what servers are told about the
// workbench; the guard ends servers if the workbench is killed, nil leaves them to
// themselves then.
func New(identity mcpclient.Identity, guard *watchdog.Guard, log *slog.Logger) *Transport {
	return &Transport{
		identity: identity, wardens: wardens{census: &processtree.Census{}, guard: guard},
		queue: newLaunchQueue(), log: log,
	}
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
	leave, err := t.queue.enter(ctx, download(launch.settings.Command, launch.settings.Args))
	if err != nil {
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: err.Error(), Cause: ctx.Err()}
	}
	session, err := t.launch(ctx, launch, server, host, log)
	leave(err == nil)
	if err != nil {
		return nil, err
	}
	return session, nil
}

// launch starts the program and shakes hands.
func (t *Transport) launch(
	ctx context.Context, launch launch, server domain.Server, host ports.Host, log *slog.Logger,
) (*mcpclient.Session, error) {
	process, err := start(launch, server, t.wardens, log)
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
		return nil, process.silent(ctx, server, err)
	}
	return session, nil
}

// silent adds what the program wrote to stderr to the failure of a handshake that
// got no answer in time: nothing else is known of it.
func (p *process) silent(ctx context.Context, server domain.Server, err error) error {
	last := p.errors.last()
	if ctx.Err() == nil || last == "" {
		return err
	}
	return &domain.ServerUnavailableError{ID: server.ID, Reason: "the end of its stderr: " + last, Cause: ctx.Err()}
}
