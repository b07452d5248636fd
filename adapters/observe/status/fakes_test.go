package status_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakeServers are the servers of a host, all of the toolbox "dev" and running.
type fakeServers struct {
	names     []string
	process   ports.ServerProcess
	failure   error // returned by restarts
	restarted atomic.Int32
}

func (f *fakeServers) Statuses(each func(ports.ServerStatus)) {
	for _, name := range f.names {
		each(ports.ServerStatus{
			Server: domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: domain.ServerName(name)}}, State: "running", Since: time.Now(), Process: f.process,
		})
	}
}

func (f *fakeServers) BeginRestart(server domain.ServerID) func(context.Context) error {
	if slices.Contains(f.names, string(server.Server)) {
		return func(context.Context) error {
			f.restarted.Add(1)
			return f.failure
		}
	}
	return nil
}

// fakeProcess counts how often its memory is measured.
type fakeProcess struct{ measured atomic.Int32 }

func (*fakeProcess) PID() int { return 42 }

func (p *fakeProcess) Memory() (int64, bool) {
	p.measured.Add(1)
	return 1 << 20, true
}

func (*fakeProcess) Log(after int) ([]string, int) {
	lines := []string{"one", "two"}
	return lines[min(after, 2):], 2
}

// connection returns a host with running servers of these names.
func connection(numbers *status.Numbers, names ...string) status.Connection {
	return connected(&fakeServers{names: names}, numbers)
}

func connected(servers *fakeServers, numbers *status.Numbers) status.Connection {
	return status.Connection{
		Transport: "stdio", Info: func() domain.HostInfo { return domain.HostInfo{Name: "cursor", Version: "3"} },
		Open: func() []domain.ToolboxName { return []domain.ToolboxName{"dev"} }, Servers: servers, Numbers: numbers,
		Problems: func() []domain.ConfigurationProblem {
			return []domain.ConfigurationProblem{{Text: "a toolbox is left out"}}
		},
		Tools: func(server domain.ServerID) []domain.ToolInfo {
			return []domain.ToolInfo{{Name: "get", Definition: []byte(`{"name":"get"}`)}, {Name: "dump", Definition: make([]byte, 3<<20)}}
		},
	}
}

var errBroken = errors.New("no such program")

// startListener returns a listener after Begin.
func startListener(folders func() []string, board *status.Board, log *slog.Logger) *status.Listener {
	listener := status.NewListener(folders, board, log)
	listener.Begin()
	return listener
}
