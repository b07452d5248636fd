package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/application/sharing"
)

// serveInBackground serves the host with the background workbench of its configuration, which it starts if start is set.
// It returns false if the host has to be served by this process: without a configuration, if a flag or a variable asks for
// HTTP, and for the reasons of [background.Client.Serve].
func (o options) serveInBackground(serving, stopping context.Context, start bool, received *ownprocess.Serving) (isServed bool, err error) {
	from, err := o.sources()
	path := config.InUse(from)
	if address, _ := o.address(); err != nil || path == "" || address != "" || o.stdio || o.access.HasFlags() {
		return false, err
	}
	client := &background.Client{
		Place:   background.Find(statusFolders(), path, version),
		Window:  background.Window{Flags: o.flagsText(), Environ: from.Environ, Folder: from.WorkDir, ConfigFolder: from.UserConfigDir},
		Command: []string{programs.OwnPath(), backgroundArgument},
		In:      os.Stdin, Out: os.Stdout, Alone: o.alone,
		Note: func(text string) { console.Err.Print("mcp-workbench: " + text) },
	}
	return client.Serve(serving, stopping, start, received.Reloads)
}

// flagsText returns the flags as JSON.
func (o options) flagsText() json.RawMessage {
	text, _ := json.Marshal(o.flags) // JSON can encode every flag
	return text
}

// alone returns a workbench in this process for a host whose background workbench ended. Its requests
// to the host are numbered from the one after the given number.
func (o options) alone(after uint64) (background.Workbench, error) {
	place, err := o.place()
	if err != nil {
		return nil, err
	}
	place.Announced, place.NumberAfter = true, after
	return background.NewPipe(func(ctx context.Context, host *background.Host) {
		guard := newGuard(slog.New(slog.DiscardHandler))
		defer guard.Close()
		(&hosts{guard: guard}).serve(ctx, host)
	}, place, o.flagsText())
}

// hosts are the hosts of a background workbench.
type hosts struct {
	guard *processtree.Guard

	mu     sync.Mutex // guards the fields below
	shells map[string]*shellHost
	// ending are the sessions of shells that end since no command came. It is added to only while shells is not nil.
	ending sync.WaitGroup
	shared *sharing.Connector // nil before the first host
	board  *status.Board      // nil before the first host that has one
	listen *status.Listener
}

// backgroundArgument, followed by a key, makes the program a background workbench. Users never type it.
const backgroundArgument = "__background"

// runBackground serves hosts whose bridges connect to the socket that is descriptor 3.
func runBackground(key string) {
	given := os.NewFile(3, "socket")
	listener, err := net.FileListener(given)
	_ = given.Close() // the listener has its own descriptor
	socket, ok := listener.(*net.UnixListener)
	if err != nil || !ok {
		os.Exit(exitFailure)
	}
	log := slog.New(slog.DiscardHandler) // nothing reads it
	workbench := &background.Listener{Key: key, Log: log}
	defer runtime.KeepAlive(workbench) // it has the connections of commands that wait for the end of this process
	served := &hosts{guard: newGuard(log), shells: map[string]*shellHost{}}
	defer served.close()
	serving, _, stop := ownprocess.UntilSignal(context.Background())
	defer stop()
	workbench.Serve = served.serve
	workbench.Run(serving, socket)
}

func (h *hosts) close() {
	h.endShells()
	if h.listen != nil {
		h.listen.Close()
	}
	h.guard.Close()
}

// serve serves a host with the configuration, the environment and the folder of its bridge.
func (h *hosts) serve(ctx context.Context, host *background.Host) {
	if host.Session != "" {
		h.serveShell(ctx, host)
		return
	}
	prepared, problem := h.prepare(host, host.Stderr)
	if problem != "" {
		host.Refuse(problem)
		return
	}
	defer prepared.Close()
	configuration := prepared.configuration
	for _, warning := range configuration.Warnings {
		if !host.Announced {
			prepared.log.Warn(warning.String())
		}
	}
	ownprocess.CollectLess()
	shared := newProcess(prepared)
	defer shared.record.Close()
	h.join(shared)
	_, unfollow := prepared.followConfiguration(ctx, shared, host.Reloads)
	defer unfollow()
	if host.Accept(configuration.Limits.MessageSize, configuration.Background.Linger) != nil {
		return
	}
	streams := stream{from: host.Input, to: host.Output, transport: "background", after: host.NumberAfter}
	if err := prepared.serveStream(ctx, context.WithoutCancel(ctx), shared, streams); err != nil {
		prepared.log.Debug("the host is gone", "error", err)
	}
}

// prepare loads the configuration for a host, whose messages to the user go to stderr. Problem says why the host cannot be
// served, "" if it can.
func (h *hosts) prepare(host *background.Host, stderr *os.File) (prepared *preparation, problem string) {
	var given config.Flags
	if err := json.Unmarshal(host.Flags, &given); err != nil {
		return nil, "its flags cannot be read"
	}
	prepared, err := prepare(options{
		flags: given, from: config.Options{Lenient: true, JoinsProject: true}, serves: true,
		window: &window{Window: host.Window, err: terminal.NewConsole(os.Stdin, os.Stdout, stderr).Err, guard: h.guard},
	})
	switch {
	case err != nil:
		return nil, "the configuration cannot be used"
	case !prepared.configuration.Background.On && !host.Piped:
		problem = "the configuration has no \"background\" any more"
	case prepared.configuration.Unknown != nil:
		problem = "a toolbox is not known"
	default:
		return prepared, ""
	}
	prepared.Close()
	return nil, problem
}

// join lets a host share servers with the other hosts, and shows it on the same board.
func (h *hosts) join(host *process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shared == nil {
		h.shared = host.connector
	}
	host.connector.ShareWith(h.shared)
	if host.board == nil {
		return
	}
	if h.board == nil {
		h.board = host.board
		h.board.SetBackground()
		h.listen = status.NewListener(statusFolders, h.board, slog.New(slog.DiscardHandler))
		h.listen.Begin()
	}
	host.board = h.board
}

func newStopCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "End the background workbench",
		Args:  commandline.NoWords,
		RunE: func(command *cobra.Command, _ []string) error {
			pids, err := background.Stop(command.Context(), statusFolders())
			for _, pid := range pids {
				console.Out.Printf("ended the background workbench %d\n", pid)
			}
			if len(pids) == 0 && err == nil {
				return fmt.Errorf("no background workbench is running")
			}
			return err
		},
	}
}
