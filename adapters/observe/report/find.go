package report

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/domain"
)

// find returns the workbench that has a server, and the id of that server. If workbench is not 0, only the
// workbench with this process id counts.
func find(answers []status.Answer, name string, workbench int) (status.Answer, domain.ServerID, error) {
	if len(answers) == 0 {
		return status.Answer{}, domain.ServerID{}, noWorkbenchError()
	}
	candidates := slices.DeleteFunc(slices.Clone(answers), func(a status.Answer) bool { return workbench != 0 && a.PID != workbench })
	if len(candidates) == 0 {
		return status.Answer{}, domain.ServerID{}, fmt.Errorf("no workbench has the process number %d: %s", workbench, processIDs(answers))
	}
	id, err := serverNamed(candidates, name)
	if err != nil {
		return status.Answer{}, domain.ServerID{}, err
	}
	having := slices.DeleteFunc(candidates, func(a status.Answer) bool {
		return a.Snapshot == nil || !slices.Contains(a.Snapshot.Servers(), id)
	})
	if len(having) > 1 {
		return status.Answer{}, domain.ServerID{},
			fmt.Errorf("several workbenches have the server %s: choose one with --pid: %s", name, processIDs(having))
	}
	return having[0], id, nil
}

// silent returns an error that names the workbenches that did not answer and may have a server, nil if there are none.
// If workbench is not 0, the user chose one that answered.
func silent(answers []status.Answer, id domain.ServerID, workbench int) error {
	var silent []error
	for _, answer := range answers {
		if answer.Snapshot == nil && workbench == 0 {
			silent = append(silent, fmt.Errorf("workbench %d may have %s/%s too: %s", answer.PID, id.Toolbox, id.Server, answer.Problem))
		}
	}
	return errors.Join(silent...)
}

// serverNamed returns the server with a name among those that any workbench has needed.
func serverNamed(answers []status.Answer, name string) (domain.ServerID, error) {
	places := startedServers(answers)
	if len(places.Servers) == 0 {
		for _, answer := range answers {
			if answer.Snapshot == nil {
				return domain.ServerID{}, fmt.Errorf("workbench %d: %s", answer.PID, answer.Problem)
			}
		}
		return domain.ServerID{}, fmt.Errorf("%s is not running: no workbench has started a server yet", name)
	}
	found, err := places.Find(name, nil)
	switch {
	case err != nil:
		return domain.ServerID{}, fmt.Errorf("find %s among the servers that were started: %w", name, err)
	case found.Server == "" || found.Tool != "":
		return domain.ServerID{}, fmt.Errorf("%s is not a server: name one as TOOLBOX/SERVER", name)
	}
	return domain.ServerID{Toolbox: found.Toolbox, Server: found.Server}, nil
}

// startedServers returns the servers that any workbench has needed, with their toolboxes.
func startedServers(answers []status.Answer) domain.Places {
	servers, toolboxes := map[domain.ServerID]bool{}, map[domain.ToolboxName]bool{}
	for _, answer := range answers {
		if answer.Snapshot == nil {
			continue
		}
		for _, id := range answer.Snapshot.Servers() {
			servers[id], toolboxes[id.Toolbox] = true, true
		}
	}
	return domain.Places{Toolboxes: slices.Sorted(maps.Keys(toolboxes)), Servers: slices.SortedFunc(maps.Keys(servers), domain.ServerID.Compare)}
}

// processIDs lists workbenches by their process ids and hosts.
func processIDs(answers []status.Answer) string {
	var texts []string
	for _, answer := range answers {
		text := fmt.Sprintf("%d", answer.PID)
		if answer.Snapshot != nil && len(answer.Snapshot.Hosts) > 0 {
			text += " (" + cmp.Or(domain.LineText(answer.Snapshot.Hosts[0].Name), "no name") + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}
