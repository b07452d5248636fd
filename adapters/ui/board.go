package ui

import (
	"maps"
	"slices"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
)

// The states of a server that no workbench reports. An unused one is configured but was not needed; one that is
// gone was used but is no longer configured.
const (
	stateUnused = "not started"
	stateGone   = "not configured"
)

// states are the states of servers. If several workbenches have a server, the state that comes first here is shown.
var states = []string{"failed", "login", "starting", "running", "idle", "starts at its first use", "stopped", stateUnused, stateGone}

// board has the toolboxes with their servers, and the workbenches that serve them.
type board struct {
	toolboxes []*toolbox
	byName    map[domain.ToolboxName]*toolbox
	servers   map[domain.ServerID]*server
	// gone are the servers in stateGone, which are in no toolbox.
	gone    []*server
	answers []status.Answer
}

// toolbox is a toolbox with its servers.
type toolbox struct {
	Name, Description string
	// Open is the number of hosts in which it is open.
	Open    int
	Servers []*server
}

// server is a server with its state in all workbenches.
type server struct {
	ID domain.ServerID
	// State is one of states.
	State     string
	Transport string
	disabled  bool
	filter    domain.ToolFilter
	instances []instance
}

// instance is a server of one host.
type instance struct {
	workbench *status.Snapshot
	host      *status.Host
	status.Server
}

// board returns the present board.
func (q *request) board() *board {
	if q.known != nil {
		return q.known
	}
	b := &board{byName: map[domain.ToolboxName]*toolbox{}, servers: map[domain.ServerID]*server{}}
	for _, answer := range q.observed.status.get(q.ctx, answerWait) {
		b.answers = append(b.answers, q.seen(answer))
	}
	for _, configured := range q.observed.toolboxes() {
		if !q.viewer.sees(configured.Name) {
			continue
		}
		b.toolbox(configured.Name).Description = configured.Description
		for _, s := range configured.Servers {
			added := b.server(s.ID, stateUnused)
			added.Transport, added.filter = s.Transport, s.Tools
		}
		for _, name := range configured.Disabled {
			b.server(domain.ServerID{Toolbox: configured.Name, Server: name}, stateUnused).disabled = true
		}
	}
	b.addRunning()
	for _, id := range slices.SortedFunc(maps.Keys(q.summary().servers), domain.ServerID.Compare) {
		if id.Server != "" && b.servers[id] == nil {
			b.servers[id] = &server{ID: id, State: stateGone}
			b.gone = append(b.gone, b.servers[id])
		}
	}
	q.known = b
	return b
}

// seen returns the part of an answer that the viewer may see.
func (q *request) seen(answer status.Answer) status.Answer {
	if q.viewer.Everything || answer.Snapshot == nil {
		return answer
	}
	limited := *answer.Snapshot
	limited.Configuration, limited.Hosts = "", nil
	for _, host := range answer.Snapshot.Hosts {
		if !q.viewer.IsOwn(host.Identity) {
			continue
		}
		unseen := func(name string) bool { return !q.viewer.sees(domain.ToolboxName(name)) }
		host.Toolboxes = slices.DeleteFunc(slices.Clone(host.Toolboxes), unseen)
		host.Servers = slices.DeleteFunc(slices.Clone(host.Servers), func(s status.Server) bool { return unseen(s.Toolbox) })
		limited.Hosts = append(limited.Hosts, host)
	}
	answer.Snapshot = &limited
	return answer
}

// addRunning adds the hosts and servers in the answers of the workbenches.
func (b *board) addRunning() {
	for _, answer := range b.answers {
		if answer.Snapshot == nil {
			continue
		}
		for i := range answer.Snapshot.Hosts {
			host := &answer.Snapshot.Hosts[i]
			for _, name := range host.Toolboxes {
				b.toolbox(domain.ToolboxName(name)).Open++
			}
			for _, running := range host.Servers {
				s := b.server(domain.ServerID{Toolbox: domain.ToolboxName(running.Toolbox), Server: domain.ServerName(running.Name)}, running.State)
				s.instances = append(s.instances, instance{answer.Snapshot, host, running})
				if rankOf(running.State) < rankOf(s.State) {
					s.State = running.State
				}
			}
		}
	}
}

func rankOf(state string) int {
	if at := slices.Index(states, state); at >= 0 {
		return at
	}
	return len(states)
}

// toolbox returns the toolbox with a name, and adds it if it is new.
func (b *board) toolbox(name domain.ToolboxName) *toolbox {
	if known := b.byName[name]; known != nil {
		return known
	}
	added := &toolbox{Name: string(name)}
	b.byName[name] = added
	b.toolboxes = append(b.toolboxes, added)
	return added
}

// server returns the server with an id, and adds it with a state if it is new.
func (b *board) server(id domain.ServerID, state string) *server {
	if known := b.servers[id]; known != nil {
		return known
	}
	added := &server{ID: id, State: state}
	b.servers[id] = added
	t := b.toolbox(id.Toolbox)
	t.Servers = append(t.Servers, added)
	return added
}

// counts returns the number of servers in each state.
func (b *board) counts() map[string]int {
	counts := map[string]int{}
	for _, s := range b.servers {
		counts[s.State]++
	}
	return counts
}

// isGone reports whether the server of a tool is no longer configured.
func (b *board) isGone(tool domain.ToolIdentifier) bool {
	s := b.servers[tool.ServerID()]
	return s == nil || s.State == stateGone
}

// Restarts returns how often the server was restarted.
func (s *server) Restarts() int {
	restarts := 0
	for _, i := range s.instances {
		restarts += i.Restarts
	}
	return restarts
}

// tools returns the tools that the viewer may see, sorted by toolbox, server and name: those that are listed, and
// those that were called but are not listed.
func (q *request) tools() []*tool {
	s := q.summary()
	byID := map[domain.ToolIdentifier]*tool{}
	for _, listed := range q.observed.listedTools(q.ctx) {
		if q.viewer.sees(listed.ID.Toolbox) {
			byID[listed.ID] = &tool{ID: listed.ID, figures: s.tool(listed.ID)}
			byID[listed.ID].list(listed)
		}
	}
	for id, figures := range s.tools {
		if byID[id] == nil {
			byID[id] = &tool{ID: id, figures: figures}
		}
	}
	return slices.SortedFunc(maps.Values(byID), func(a, b *tool) int { return a.ID.Compare(b.ID) })
}
