package main

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"

	"mcp-workbench/adapters/mcpserver/background"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/terminal/shell/remote"
	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// shellHost is a session of a shell as a host of a background workbench. Its servers outlive commands, until there was no
// command for the time that the workbench itself waits for hosts.
//
// Decision: that time is "linger" of "background", ten minutes by default, as long as an approval is valid. A daemon of
// another such program, mcp-cli, ends after a minute, in which no model thinks and no person decides; that of mcporter
// never ends, and leaves browsers behind.
type shellHost struct {
	session *remote.Session
	// prepared is closed when the fields below it are set. Problem says why the session cannot be served, "" if it can.
	prepared    chan struct{}
	problem     string
	messageSize int64
	linger      time.Duration
	refresh     func(context.Context) // reads a changed configuration
	end         func()

	commands int         // that are connected; guarded by hosts.mu
	idle     *time.Timer // set while there is none; guarded by hosts.mu
}

// shellName is the name of a shell as a host.
const shellName = "shell"

// serveShell serves a command of a shell.
func (h *hosts) serveShell(ctx context.Context, host *background.Host) {
	key := host.Session + "\x00" + string(host.Flags)
	shell, isNew := h.enterShell(key)
	if isNew {
		h.begin(ctx, shell, host)
		close(shell.prepared)
	}
	defer h.leaveShell(key, shell)
	<-shell.prepared
	if shell.problem != "" {
		host.Refuse(shell.problem)
		return
	}
	shell.refresh(ctx) // the command read the configuration as it is now
	if host.Accept(shell.messageSize, shell.linger) != nil {
		return
	}
	shell.session.Serve(ctx, host.Input, host.Output, shell.messageSize)
}

// enterShell returns the session of a command, which the caller begins if it is new.
func (h *hosts) enterShell(key string) (shell *shellHost, isNew bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if shell = h.shells[key]; shell == nil {
		shell, isNew = &shellHost{session: &remote.Session{}, prepared: make(chan struct{}), end: func() {}}, true
		h.shells[key] = shell
	}
	shell.commands++
	if shell.idle != nil {
		shell.idle.Stop()
		shell.idle = nil
	}
	return shell, isNew
}

// leaveShell notes that a command is gone. The session ends if no other one comes in time.
func (h *hosts) leaveShell(key string, shell *shellHost) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if shell.commands--; shell.commands > 0 {
		return
	}
	shell.idle = time.AfterFunc(shell.linger, func() {
		h.mu.Lock()
		isIdle := shell.commands == 0 && h.shells[key] == shell
		if isIdle {
			delete(h.shells, key)
			h.ending.Add(1)
		}
		h.mu.Unlock()
		if isIdle {
			defer h.ending.Done()
			shell.end()
		}
	})
}

// callerLine returns the command line of what calls commands for display, with its secrets masked.
func callerLine(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return strings.Join(masking.Line(words[0], words[1:]), " ")
}

// endShells ends all sessions, and waits for their servers.
func (h *hosts) endShells() {
	h.mu.Lock()
	shells := h.shells
	h.shells = nil
	h.mu.Unlock()
	var ending sync.WaitGroup
	for _, shell := range shells {
		ending.Go(shell.end)
	}
	ending.Wait()
	h.ending.Wait()
}

// begin prepares a session for its first command.
func (h *hosts) begin(ctx context.Context, shell *shellHost, host *background.Host) {
	unread, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // the command says what its user needs; to write to nil fails too
	prepared, problem := h.prepare(host, unread)
	if problem != "" {
		_ = unread.Close() // nothing was written
		shell.problem = problem
		return
	}
	process := newProcess(prepared)
	h.join(process)
	following, stop := context.WithCancel(ctx)
	follower, unfollow := prepared.followConfiguration(following, process, nil)
	shell.refresh = follower.Refresh
	info := func() domain.HostInfo { return domain.HostInfo{Name: shellName} }
	numbers, tracing := &status.Numbers{}, process.telemetry.NewHost(false, "")
	recorded := process.record.Host("", info)
	observed := application.ActivityObservers{numbers}
	if recorded != nil {
		observed = append(observed, recorded)
	}
	tools := newShellTools(process, commandAudience{
		host: shell.session, connector: tracing.Connector(process.connector), started: observed,
		observers: newObservers(prepared.configuration, process.current, observed, recorded, tracing, prepared.log),
	})
	tools.lister.Listings = process.listings
	shell.session.Use(tools.lister, tools.user, tools.reader)
	shell.messageSize, shell.linger = prepared.configuration.Limits.MessageSize, prepared.configuration.Background.Linger
	remove := process.reloader.Add(tools.reloaded)
	hide := process.board.Add(status.Connection{
		Transport: shellName, Caller: callerLine(host.Caller), Session: sessionName(host.Session), Info: info, Open: func() []domain.ToolboxName { return nil },
		Problems: process.current.Problems,
		Servers:  tools.sessions, Numbers: numbers, Tools: tools.known.Tools,
	})
	shell.end = func() {
		hide()
		remove()
		unfollow()
		stop()
		closing, cancel := context.WithTimeout(context.Background(), process.shutdownLimit())
		defer cancel()
		tools.sessions.Close(closing)
		tracing.Close()
		process.record.Close()
		prepared.Close()
		_ = unread.Close() // as above
	}
}
