package status

import (
	"context"
	"errors"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ErrNotRunning reports a server that does not run and has not failed.
var ErrNotRunning = errors.New("the server is not running; it starts when it is used")

// Restart restarts a server for every host that has it, and returns for how many of them it runs again. A server
// that hosts share starts once. When the context ends, the starts continue.
//
// Failures: ErrNotRunning; those of starting, joined.
func (b *Board) Restart(ctx context.Context, server domain.ServerID) (hosts int, err error) {
	finish := b.beginRestart(server)
	if len(finish) == 0 {
		return 0, ErrNotRunning
	}
	failures := make([]error, len(finish))
	var starts sync.WaitGroup
	for i, start := range finish {
		starts.Go(func() { failures[i] = start(ctx) })
	}
	starts.Wait()
	for _, failure := range failures {
		if failure == nil {
			hosts++
		}
	}
	return hosts, errors.Join(failures...)
}

// beginRestart ends a server for every host, and returns functions that wait for it to start again.
func (b *Board) beginRestart(server domain.ServerID) (finish []func(context.Context) error) {
	b.restarting.Lock()
	defer b.restarting.Unlock()
	for _, host := range b.hosts() {
		if begun := host.Servers.BeginRestart(server); begun != nil {
			finish = append(finish, begun)
		}
	}
	if len(finish) > 0 {
		b.endShared(server) // before any host connects again
	}
	return finish
}

// Log returns the last lines that a server wrote to its standard error for the hosts with an own identity. If
// another host is connected, the lines of servers that hosts share are left out.
func (b *Board) Log(server domain.ServerID, isOwn func(identity string) bool) []string {
	isMixed := false
	var own []*Connection
	for _, host := range b.hosts() {
		if isOwn(host.Identity) {
			own = append(own, host)
		} else {
			isMixed = true
		}
	}
	var lines []string
	for _, host := range own {
		host.Servers.Statuses(func(status ports.ServerStatus) {
			if status.Server.ID != server || status.Process == nil || isMixed && status.Server.Shared {
				return
			}
			written, _ := status.Process.Log(0)
			lines = append(lines, written...)
		})
	}
	return lines
}

// processes calls each with the processes of a server. For each host, the earlier process comes first. It
// reports whether any host has needed the server.
func (b *Board) processes(server domain.ServerID, each func(ports.ServerProcess)) (known bool) {
	seen := map[ports.ServerProcess]bool{}
	for _, host := range b.hosts() {
		var found ports.ServerStatus
		host.Servers.Statuses(func(status ports.ServerStatus) {
			if status.Server.ID == server {
				found, known = status, true
			}
		})
		for _, process := range []ports.ServerProcess{found.Earlier, found.Process} {
			if process != nil && !seen[process] {
				seen[process] = true
				each(process)
			}
		}
	}
	return known
}
