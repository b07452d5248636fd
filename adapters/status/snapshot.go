package status

import (
	"time"

	"mcp-workbench/domain"
)

// Snapshot is a workbench's description of itself. Its texts are those of files, hosts and servers: whatever
// shows them escapes them.
type Snapshot struct {
	Version string    `json:"version"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Configuration is the path of the configuration, "" for none.
	Configuration string `json:"configuration"`
	// Address is where hosts reach it over HTTP, "" if they do not.
	Address string `json:"address,omitempty"`
	Hosts   []Host `json:"hosts"`
	// MoreHosts and MoreServers count those that were left out, since an answer has bounds.
	MoreHosts   int `json:"moreHosts,omitempty"`
	MoreServers int `json:"moreServers,omitempty"`
}

// Host is a host of a workbench: over HTTP each session is one.
type Host struct {
	// Name and Version are from its clientInfo, "" if it said nothing.
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Transport is "stdio" or "http".
	Transport string `json:"transport"`
	// Identity names a caller over HTTP, "" without authentication.
	Identity  string    `json:"identity,omitempty"`
	Connected time.Time `json:"connected"`
	// Toolboxes are the names of those that are open, sorted.
	Toolboxes []string `json:"toolboxes"`
	// Servers are those that were needed so far, sorted by toolbox and name.
	Servers []Server `json:"servers"`
}

// Server is a server of a host.
type Server struct {
	Toolbox string `json:"toolbox"`
	Name    string `json:"name"`
	// State is "starting", "running", "idle", "login", "failed" or "stopped".
	State string `json:"state"`
	// Shared says that all hosts of the workbench have one session with it.
	Shared bool `json:"shared,omitempty"`
	// PID is that of its process while it starts or runs, 0 for a server elsewhere.
	PID int `json:"pid,omitempty"`
	// Since is when it was connected to, or began to start; nil in other states.
	Since    *time.Time `json:"since,omitempty"`
	Restarts int        `json:"restarts"`
	// Memory is the memory of its process and of that process's descendants, in bytes; nil where it is not measured.
	Memory *int64 `json:"memory,omitempty"`
	// Calls counts the calls of its tools by this host since it connected, Errors those that failed: with
	// an error, in time, or by what the tool said.
	Calls  int64 `json:"calls"`
	Errors int64 `json:"errors"`
	// P50 and P95 are how many milliseconds half of the calls and 95 of 100 took at most, nil without
	// calls. They are at most an eighth too high.
	P50 *float64 `json:"p50,omitempty"`
	P95 *float64 `json:"p95,omitempty"`
	// LastError is the last call or start that failed, or the last end of a server that died; nil for none.
	LastError *Failure `json:"lastError,omitempty"`
}

// Failure is a call or a start that failed, or the end of a server that died. It has no text of the server.
type Failure struct {
	Time time.Time `json:"time"`
	// Kind is "call", "start", "restart" or "end". Tool is that of a call.
	Kind    string `json:"kind"`
	Tool    string `json:"tool,omitempty"`
	Outcome string `json:"outcome"`
	// Code is that of a JSON-RPC error, 0 for none.
	Code int `json:"code,omitempty"`
}

// Answer is the outcome of the question to one workbench.
type Answer struct {
	PID int `json:"pid"`
	// Snapshot is nil if there was no answer.
	Snapshot *Snapshot `json:"snapshot,omitempty"`
	// Problem says why there was none, "" otherwise.
	Problem string `json:"problem,omitempty"`

	path string // of the socket
}

// Servers returns the servers of all hosts, each once.
func (s *Snapshot) Servers() []domain.ServerID {
	var servers []domain.ServerID
	seen := map[domain.ServerID]bool{}
	for _, host := range s.Hosts {
		for _, server := range host.Servers {
			id := domain.ServerID{Toolbox: domain.ToolboxName(server.Toolbox), Server: domain.ServerName(server.Name)}
			if !seen[id] {
				seen[id] = true
				servers = append(servers, id)
			}
		}
	}
	return servers
}
