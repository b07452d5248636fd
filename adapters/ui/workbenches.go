package ui

import (
	"html/template"
	"strconv"
	"strings"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/system/usersocket"
)

// workbenchesShown is the number of hosts that the overview lists.
const workbenchesShown = 50

// shownHost is a host of a running workbench.
type shownHost struct {
	Workbench      *status.Snapshot
	Host           status.Host
	Name, Up, Open string
}

// workbenches are the hosts of the running workbenches, and the workbenches that do not answer.
type workbenches struct {
	*request
	// None says why there is no host.
	None   string
	Hosts  []shownHost
	More   int
	Silent []string
}

// workbenches shows the hosts of the running workbenches.
func (q *request) workbenches() template.HTML {
	shown := workbenches{request: q}
	running := 0
	for _, answer := range q.board().answers {
		if answer.Snapshot == nil {
			shown.Silent = append(shown.Silent, "Workbench "+strconv.Itoa(answer.PID)+" did not answer: "+answer.Problem)
			continue
		}
		running++
		for _, host := range answer.Snapshot.Hosts {
			shown.Hosts = append(shown.Hosts, shownHost{answer.Snapshot, host, hostName(&host), q.Age(host.Connected), strings.Join(host.Toolboxes, ", ")})
		}
	}
	switch unsupported := usersocket.Supported(); {
	case running == 0 && unsupported != nil:
		shown.None = "Running workbenches cannot be shown: " + unsupported.Error() + "."
	case running == 0:
		shown.None = "No workbench is running. A host starts one when it is connected."
	case len(shown.Hosts) == 0:
		shown.None = quantity(running, "workbench runs", "workbenches run") + ", but no host is connected."
	}
	if shown.More = len(shown.Hosts) - workbenchesShown; shown.More > 0 {
		shown.Hosts = shown.Hosts[:workbenchesShown]
	}
	shown.More = max(shown.More, 0)
	shown.Silent = shown.Silent[:min(len(shown.Silent), workbenchesShown)]
	if !q.viewer.Everything {
		shown.Silent = nil
	}
	return render("workbenches", shown)
}
