package status

import "mcp-workbench/domain"

// The questions to a workbench.
const (
	askStatus  = "status"
	askLog     = "log"
	askRestart = "restart"
	askTools   = "tools"
)

// question is a program's question to a workbench, on one line.
type question struct {
	Ask     string `json:"ask"`
	Toolbox string `json:"toolbox,omitempty"`
	Server  string `json:"server,omitempty"`
	// Follow asks also for the future lines of a log.
	Follow bool `json:"follow,omitempty"`
}

func (q question) server() domain.ServerID {
	return domain.ServerID{Toolbox: domain.ToolboxName(q.Toolbox), Server: domain.ServerName(q.Server)}
}

// reply is a line of an answer. An empty one says that the workbench is alive.
type reply struct {
	Snapshot *Snapshot    `json:"snapshot,omitempty"`
	Log      *LogLines    `json:"log,omitempty"`
	Tools    *ServerTools `json:"tools,omitempty"`
	// Restarted is the number of hosts that have the restarted server.
	Restarted int `json:"restarted,omitempty"`
	// Problem says why the request failed for some or all hosts.
	Problem string `json:"problem,omitempty"`
}

// LogLines are lines that a process of a server wrote to its standard error, without secrets and escaped for a
// terminal.
type LogLines struct {
	PID   int      `json:"pid"`
	Lines []string `json:"lines"`
}

const (
	maxQuestion = 4 << 10
	maxReply    = 4 << 20
)
