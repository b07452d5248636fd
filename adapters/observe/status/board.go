package status

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const (
	// maxServers and maxHosts are the numbers of servers and hosts in a snapshot, maxText the length of a text
	// from a host or a server in bytes.
	maxServers = 2000
	maxHosts   = 256
	maxText    = 200
	// maxProblems and maxProblem are the number of problems of a host and the length of one in bytes.
	maxProblems, maxProblem = 10, 1000
)

// Connection is a host of a workbench, from which the board takes its status.
type Connection struct {
	// Transport, Identity, Caller and Session are those of Host.
	Transport, Identity, Caller, Session string
	// Info returns the name and version that the host reports, Open the names of the open toolboxes.
	Info func() domain.HostInfo
	Open func() []domain.ToolboxName
	// Problems returns those of the configuration that leave out something for the host.
	Problems func() []domain.ConfigurationProblem
	// Servers are those of the host, Numbers counts what happened to them.
	Servers ports.ServerSessions
	Numbers *Numbers
	// Tools returns the tools that a server last listed, nil if it has none.
	Tools func(server domain.ServerID) []domain.ToolInfo

	connected time.Time
}

// Board has the status of a workbench. Safe for concurrent use. Add and SetAddress do nothing on a nil board.
type Board struct {
	version, configuration string
	started                time.Time
	endShared              func(server domain.ServerID)
	memory                 memory

	restarting sync.Mutex // held while a server is ended for every host

	mu          sync.Mutex // guards the fields below
	address     string
	background  bool
	connections []*Connection // in the order in which they were added
}

// NewBoard returns the board of a workbench with its version and the path of its configuration, "" for none. The
// function endShared ends the sessions with a server that hosts share.
func NewBoard(version, configuration string, endShared func(server domain.ServerID)) *Board {
	return &Board{version: version, configuration: configuration, started: time.Now(), endShared: endShared}
}

// SetAddress sets the address at which hosts reach the workbench over HTTP.
func (b *Board) SetAddress(address string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.address = address
}

// SetBackground says that the workbench is the background one.
func (b *Board) SetBackground() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.background = true
}

// Add adds a host until remove is called.
func (b *Board) Add(host Connection) (remove func()) {
	if b == nil {
		return func() {}
	}
	host.connected = time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.connections = append(b.connections, &host)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.connections = slices.DeleteFunc(b.connections, func(other *Connection) bool { return other == &host })
	}
}

// hosts returns the connected hosts.
func (b *Board) hosts() []*Connection {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.connections)
}

// Snapshot returns what the workbench is doing now. It may take about a tenth of a second, since it measures memory.
func (b *Board) Snapshot() Snapshot {
	b.mu.Lock()
	address, background := b.address, b.background
	b.mu.Unlock()
	path := b.configuration
	if whole, err := filepath.Abs(path); err == nil && path != "" {
		path = whole
	}
	s := Snapshot{
		Version: b.version, PID: os.Getpid(), Started: b.started, Configuration: path, Address: address, Background: background, Hosts: []Host{},
	}
	hosts := b.hosts()
	s.MoreHosts = max(len(hosts)-maxHosts, 0)
	room := maxServers
	until := b.memory.begin()
	for _, host := range hosts[:min(len(hosts), maxHosts)] {
		described, left := host.describe(room, &b.memory, until)
		s.Hosts = append(s.Hosts, described)
		s.MoreServers += left
		room -= len(described.Servers)
	}
	return s
}

// describe returns the description of a host with at most maximum servers, and the number of servers left out.
func (c *Connection) describe(maximum int, memory *memory, until time.Time) (host Host, left int) {
	info := c.Info()
	host = Host{
		Name: brief(info.Name), Version: brief(info.Version), Transport: c.Transport, Identity: domain.ShortIdentity(c.Identity), Caller: brief(c.Caller), Session: brief(c.Session), Connected: c.connected,
		Toolboxes: domain.Texts(c.Open()), Servers: []Server{},
	}
	slices.Sort(host.Toolboxes)
	host.Toolboxes = host.Toolboxes[:min(len(host.Toolboxes), maxServers)]
	problems := c.Problems()
	for _, problem := range problems[:min(len(problems), maxProblems)] {
		host.LeftOut = append(host.LeftOut, domain.CutBytes(problem.Text, maxProblem))
	}
	var statuses []ports.ServerStatus
	c.Servers.Statuses(func(status ports.ServerStatus) { statuses = append(statuses, status) })
	slices.SortFunc(statuses, func(a, b ports.ServerStatus) int { return a.Server.ID.Compare(b.Server.ID) })
	shown := statuses[:min(len(statuses), maximum)]
	for _, status := range shown {
		host.Servers = append(host.Servers, c.server(status, memory, until))
	}
	return host, len(statuses) - len(shown)
}

// server returns the description of a server.
func (c *Connection) server(status ports.ServerStatus, memory *memory, until time.Time) Server {
	id := status.Server.ID
	server := Server{Toolbox: string(id.Toolbox), Name: string(id.Server), State: status.State, Shared: status.Server.Shared}
	if !status.Since.IsZero() { // it starts or runs
		server.Since = &status.Since
		if status.Process != nil {
			server.PID, server.Memory = status.Process.PID(), memory.size(status.Process, until)
		}
	}
	c.Numbers.fill(id, &server)
	return server
}

// brief cuts a text to maxText bytes.
func brief(text string) string { return domain.CutBytes(text, maxText) }
