package report

import (
	"strconv"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/terminal"
)

// rows returns a row for each server, for programs: workbench, host, server, state, process, time of the
// connection, restarts, memory, calls, errors, p50 and p95, each "" if it is not known. A workbench without
// servers has a row with only its host; one that did not answer has a row with the problem as its state.
func rows(answers []status.Answer) terminal.Table {
	var table terminal.Table
	for _, answer := range answers {
		workbench := strconv.Itoa(answer.PID)
		if answer.Snapshot == nil {
			table.Rows = append(table.Rows, []string{workbench, "", "", answer.Problem})
			continue
		}
		before := len(table.Rows)
		for _, host := range answer.Snapshot.Hosts {
			for _, server := range host.Servers {
				table.Rows = append(table.Rows, append([]string{workbench, host.Name}, row(server)...))
			}
		}
		if len(table.Rows) == before {
			row := []string{workbench, "", "", ""}
			if len(answer.Snapshot.Hosts) > 0 {
				row[1] = answer.Snapshot.Hosts[0].Name
			}
			table.Rows = append(table.Rows, row)
		}
	}
	return table
}

func row(server status.Server) []string {
	process, since, memory, p50, p95 := "", "", "", "", ""
	if server.PID != 0 {
		process = strconv.Itoa(server.PID)
	}
	if server.Since != nil {
		since = server.Since.UTC().Format("2006-01-02T15:04:05Z")
	}
	if server.Memory != nil {
		memory = strconv.FormatInt(*server.Memory, 10)
	}
	if server.P50 != nil && server.P95 != nil {
		p50, p95 = strconv.FormatFloat(*server.P50, 'f', -1, 64), strconv.FormatFloat(*server.P95, 'f', -1, 64)
	}
	return []string{
		name(server), server.State, process, since, strconv.Itoa(server.Restarts), memory,
		strconv.FormatInt(server.Calls, 10), strconv.FormatInt(server.Errors, 10), p50, p95,
	}
}
