package status

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const (
	// maxServers and maxHosts bound what a snapshot holds, longestText how much of a text of a host or a
	// server.
	maxServers  = 2000
	maxHosts    = 256
	longestText = 200
)

// Connection is a host of a workbench, as the board asks for it.
type Connection struct {
	// Transport and Identity are those of Host.
	Transport, Identity string
	// Info returns what the host says of itself, Open the names of the open toolboxes.
	Info func() domain.HostInfo
	Open func() []domain.ToolboxName
	// Servers are those of the host, Numbers what happened to them.
	Servers ports.ServerSessions
	Numbers *Numbers
	// Tools returns the tools of one of the servers as it listed them last, nil if it has none.
	Tools func(server domain.ServerID) []domain.ToolInfo

	connected time.Time
}

// Board has what a workbench says of itself. Safe for concurrent use. A nil board shows nothing.
type Board struct {
	version, configuration string
	started                time.Time
	endShared              func(server domain.ServerID)
	memory                 memory

	restarting sync.Mutex // held while a server is ended for every host

	mu          sync.Mutex // guards the fields below
	address     string
	connections []*Connection // in the order of their beginning
}

// NewBoard returns the board of a workbench of that version with the configuration at a path, "" for none.
// EndShared ends the sessions with a server that hosts share.
func NewBoard(version, configuration string, endShared func(server domain.ServerID)) *Board {
	return &Board{version: version, configuration: configuration, started: time.Now(), endShared: endShared}
}

// SetAddress says where hosts reach the workbench over HTTP.
func (b *Board) SetAddress(address string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.address = address
}

// Add shows a host until remove is called.
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

// hosts returns the hosts of now.
func (b *Board) hosts() []*Connection {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.connections)
}

// Snapshot returns what the workbench is doing now. It can take a moment, since it measures memory.
func (b *Board) Snapshot() Snapshot {
	s, _ := b.snapshot()
	return s
}

// snapshot is Snapshot, and returns how long it took to measure memory.
func (b *Board) snapshot() (s Snapshot, measured time.Duration) {
	b.mu.Lock()
	address := b.address
	b.mu.Unlock()
	path := b.configuration
	if whole, err := filepath.Abs(path); err == nil && path != "" {
		path = whole
	}
	s = Snapshot{
		Version: b.version, PID: os.Getpid(), Started: b.started, Configuration: path, Address: address, Hosts: []Host{},
	}
	hosts := b.hosts()
	s.MoreHosts = max(len(hosts)-maxHosts, 0)
	room := maxServers
	measure := b.memory.begin()
	for _, host := range hosts[:min(len(hosts), maxHosts)] {
		shown, left := host.shown(room, measure)
		s.Hosts = append(s.Hosts, shown)
		s.MoreServers += left
		room -= len(shown.Servers)
	}
	return s, measure.spent
}

// shown returns the description of a host with at most that many servers, and the number of servers left out.
func (c *Connection) shown(most int, measure *measuring) (host Host, left int) {
	info := c.Info()
	host = Host{
		Name: brief(info.Name), Version: brief(info.Version), Transport: c.Transport, Identity: brief(c.Identity), Connected: c.connected,
		Toolboxes: []string{}, Servers: []Server{},
	}
	for _, name := range c.Open() {
		host.Toolboxes = append(host.Toolboxes, string(name))
	}
	slices.Sort(host.Toolboxes)
	if len(host.Toolboxes) > maxServers {
		host.Toolboxes = host.Toolboxes[:maxServers]
	}
	var statuses []ports.ServerStatus
	c.Servers.Statuses(func(status ports.ServerStatus) {
		if most == 0 {
			left++
			return
		}
		statuses = append(statuses, status)
	})
	slices.SortFunc(statuses, func(a, b ports.ServerStatus) int {
		return cmp.Or(cmp.Compare(a.Server.ID.Toolbox, b.Server.ID.Toolbox), cmp.Compare(a.Server.ID.Server, b.Server.ID.Server))
	})
	if len(statuses) > most {
		left, statuses = len(statuses)-most, statuses[:most]
	}
	for _, status := range statuses {
		host.Servers = append(host.Servers, c.server(status, measure))
	}
	return host, left
}

// server returns the description of a server.
func (c *Connection) server(status ports.ServerStatus, measure *measuring) Server {
	id := status.Server.ID
	server := Server{Toolbox: string(id.Toolbox), Name: string(id.Server), State: status.State, Shared: status.Server.Shared}
	if !status.Since.IsZero() { // it starts or runs
		server.Since = &status.Since
		if status.Process != nil {
			server.PID, server.Memory = status.Process.PID(), measure.size(status.Process)
		}
	}
	c.Numbers.fill(id, &server)
	return server
}

// brief returns the beginning of a text.
func brief(text string) string {
	if len(text) <= longestText {
		return text
	}
	for i := range text {
		if i > longestText {
			return text[:i] + "…"
		}
	}
	return text
}
