package ui

import (
	"strconv"
	"strings"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/system/usersocket"
	"mcp-workbench/adapters/ui/html"
)

// workbenchesShown is the number of hosts that the overview lists.
const workbenchesShown = 50

// writeWorkbenches writes the hosts of the running workbenches.
func (q *request) writeWorkbenches(w *html.Writer) {
	var silent []string
	running, hosts := 0, 0
	for _, answer := range q.board().answers {
		if answer.Snapshot == nil {
			silent = append(silent, "Workbench "+strconv.Itoa(answer.PID)+" did not answer: "+answer.Problem)
			continue
		}
		running++
		hosts += len(answer.Snapshot.Hosts)
	}
	if running == 0 {
		why := "No workbench is running. A host starts one when it is connected."
		if err := usersocket.Supported(); err != nil {
			why = "Running workbenches cannot be shown: " + err.Error() + "."
		}
		w.Element("p", why, "class", "empty")
	}
	if hosts > 0 {
		q.writeHosts(w)
	} else if running > 0 {
		w.Element("p", counted(running, "workbench runs", "workbenches run")+", but no host is connected.", "class", "empty")
	}
	if q.viewer.Everything {
		for _, text := range silent[:min(len(silent), workbenchesShown)] {
			w.Element("p", text, "class", "note")
		}
	}
}

func (q *request) writeHosts(w *html.Writer) {
	columns := []column{{"Host", ""}, {"Up for", ""}, {"Open toolboxes", ""}, {"Servers", "n"}}
	if q.viewer.Everything {
		columns = append(columns, column{"Process", "n wide-only"}, column{"Configuration", "wide-only"})
	}
	t := newTable(w, "hosts", "Hosts of running workbenches", columns)
	shown := 0
	for _, answer := range q.board().answers {
		if answer.Snapshot == nil {
			continue
		}
		for _, host := range answer.Snapshot.Hosts {
			if shown++; shown <= workbenchesShown {
				q.writeHost(t, answer.Snapshot, host)
			}
		}
	}
	t.end()
	if shown > workbenchesShown {
		w.Element("p", "and "+count(shown-workbenchesShown)+" more", "class", "more")
	}
}

func (q *request) writeHost(t grid, workbench *status.Snapshot, host status.Host) {
	t.row("")
	t.head("").Element("bdi", hostName(Entry{Host: host.Name, Version: host.Version, Identity: host.Identity}))
	t.w.Text(" ").Element("small", host.Transport).End()
	t.text("since", "up for", coarse(q.now.Sub(host.Connected)))
	t.cell("opened", "open").Element("bdi", orDash(strings.Join(host.Toolboxes, ", "))).End()
	t.text("n", "servers", count(len(host.Servers)))
	if q.viewer.Everything {
		t.text("n wide-only", "", strconv.Itoa(workbench.PID))
		t.cell("path wide-only", "").Element("bdi", orDash(workbench.Configuration)).End()
	}
	t.w.End()
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
