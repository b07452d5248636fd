package status

import (
	"time"

	"mcp-workbench/domain"
)

// Snapshot describes what a workbench is doing. Its texts come from files, hosts and servers: escape them for a
// terminal or a page.
type Snapshot struct {
	Version string    `json:"version"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	// Configuration is the path of the configuration, "" for none.
	Configuration string `json:"configuration"`
	// Address is the address for hosts over HTTP, "" for none.
	Address string `json:"address,omitempty"`
	// Background reports whether it is the background workbench, which the hosts of the user share.
	Background bool   `json:"background,omitempty"`
	Hosts      []Host `json:"hosts"`
	// MoreHosts and MoreServers are the numbers of hosts and servers that were left out to bound the answer.
	MoreHosts   int `json:"moreHosts,omitempty"`
	MoreServers int `json:"moreServers,omitempty"`
}

// Host is a host of a workbench. Over HTTP, each session is a host.
type Host struct {
	// Name and Version are from its clientInfo, "" if it reported none.
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Transport is "stdio", "background", "shell" or "http".
	Transport string `json:"transport"`
	// Caller is the command line of what calls the commands of a shell, "" if it is not known and for other hosts.
	Caller string `json:"caller,omitempty"`
	// Session is the name that the user gave a session of a shell, "" for that of a terminal and for other hosts.
	Session string `json:"session,omitempty"`
	// Identity names the caller over HTTP, "" if callers do not authenticate.
	Identity  string    `json:"identity,omitempty"`
	Connected time.Time `json:"connected"`
	// Toolboxes are the names of the open toolboxes, sorted.
	Toolboxes []string `json:"toolboxes"`
	// LeftOut says which parts of its configuration the host does not see, and why: one sentence each, and no value.
	LeftOut []string `json:"leftOut,omitempty"`
	// Servers are the servers that were needed so far, sorted by toolbox and name.
	Servers []Server `json:"servers"`
}

// Server is a server of a host.
type Server struct {
	Toolbox string `json:"toolbox"`
	Name    string `json:"name"`
	// State is "starting", "running", "idle", "login", "failed", "stopped" or "starts at its first use".
	State string `json:"state"`
	// Shared reports whether all hosts of the workbench use one session with it.
	Shared bool `json:"shared,omitempty"`
	// PID is the id of its process while it starts or runs, 0 for a remote server.
	PID int `json:"pid,omitempty"`
	// Since is when it was connected or began to start, nil in other states.
	Since    *time.Time `json:"since,omitempty"`
	Restarts int        `json:"restarts"`
	// Memory is the memory of its process and that process's descendants in bytes, nil if it is not known.
	Memory *int64 `json:"memory,omitempty"`
	// Calls is the number of calls of its tools by this host since the host connected. Errors is the number
	// of those that failed: by an error, by a timeout, or with a result that the tool marked as an error.
	Calls  int64 `json:"calls"`
	Errors int64 `json:"errors"`
	// P50 and P95 are the milliseconds that 50 and 95 percent of the calls did not exceed, nil without calls.
	// They are at most a tenth too high.
	P50 *float64 `json:"p50,omitempty"`
	P95 *float64 `json:"p95,omitempty"`
	// LastError is the last failed call or start, or the unexpected end of the server; nil for none.
	LastError *Failure `json:"lastError,omitempty"`
}

// Failure is a failed call or start, or the unexpected end of a server. It has no text from the server.
type Failure struct {
	Time time.Time `json:"time"`
	// Kind is "call", "start", "restart" or "end". Tool is set for a call.
	Kind    string `json:"kind"`
	Tool    string `json:"tool,omitempty"`
	Outcome string `json:"outcome"`
	// Code is the code of a JSON-RPC error, 0 for none.
	Code int `json:"code,omitempty"`
}

// Answer is the outcome of the question to one workbench.
type Answer struct {
	PID int `json:"pid"`
	// Snapshot is nil if there was no answer.
	Snapshot *Snapshot `json:"snapshot,omitempty"`
	// Problem says why there was no answer, "" otherwise.
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
