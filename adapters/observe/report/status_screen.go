package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

// minTableWidth is the width from which servers are shown in a table.
const minTableWidth = 80

// view returns lines that show what workbenches are doing, for a screen with this number of columns.
func view(answers []status.Answer, now time.Time, columns int) []string {
	if len(answers) == 0 {
		return []string{noWorkbench}
	}
	var lines []string
	for i, answer := range answers {
		if i > 0 {
			lines = append(lines, "")
		}
		if answer.Snapshot == nil {
			lines = append(lines, fmt.Sprintf("Workbench %d: %s", answer.PID, domain.LineText(answer.Problem)))
			continue
		}
		lines = append(lines, workbench(*answer.Snapshot, now, columns)...)
	}
	return lines
}

// workbench returns the lines of one workbench.
func workbench(s status.Snapshot, now time.Time, columns int) []string {
	first := fmt.Sprintf("Workbench %d, up %s, version %s", s.PID, age(now.Sub(s.Started)), domain.LineText(s.Version))
	if s.Background {
		first += ", in the background"
	}
	lines := []string{first}
	lines = append(lines, "  "+cmp.Or(domain.LineText(s.Configuration), "no configuration"))
	if s.Address != "" {
		lines = append(lines, "  "+domain.LineText(s.Address))
	}
	if len(s.Hosts) == 0 {
		lines = append(lines, "  no host is connected")
	}
	for _, host := range s.Hosts {
		lines = append(lines, "  "+title(host)+", "+age(now.Sub(host.Connected)))
		lines = append(lines, "  "+openToolboxes(host))
		for _, text := range host.LeftOut {
			lines = append(lines, "  left out: "+domain.LineText(text))
		}
		if columns < minTableWidth {
			lines = append(lines, blocks(host.Servers, now)...)
		} else {
			lines = append(lines, table(host.Servers, now, columns)...)
		}
	}
	if s.MoreHosts > 0 {
		lines = append(lines, "  … and "+domain.Counted(s.MoreHosts, "more host"))
	}
	if s.MoreServers > 0 {
		lines = append(lines, "  … and "+domain.Counted(s.MoreServers, "more server"))
	}
	return lines
}

// title names a host.
func title(host status.Host) string {
	text := cmp.Or(domain.LineText(host.Name), "a host that did not say its name")
	if host.Version != "" {
		text += " " + domain.LineText(host.Version)
	}
	if host.Transport == "http" {
		text += " over HTTP"
	}
	if host.Session != "" {
		text += " " + domain.QuotedName(host.Session)
	}
	if host.Identity != "" {
		text += " as " + domain.LineText(host.Identity)
	}
	return text
}

// openToolboxes names the open toolboxes of a host, or what calls the commands of a shell.
func openToolboxes(host status.Host) string {
	if host.Transport == "shell" {
		return "called by: " + cmp.Or(domain.LineText(host.Caller), "a program that the system does not name")
	}
	if len(host.Toolboxes) == 0 {
		return "no toolbox is open"
	}
	names := slices.Clone(host.Toolboxes)
	for i, name := range names {
		names[i] = domain.LineText(name)
	}
	return "open: " + strings.Join(names, ", ")
}

// table returns the servers as a table, with the notes about a server in further lines.
func table(servers []status.Server, now time.Time, columns int) []string {
	if len(servers) == 0 {
		return nil
	}
	const indent = "    "
	rows := terminal.Table{Headings: []string{"SERVER", "STATE", "PID", "UP", "MEMORY", "CALLS", "ERRORS", "P50/P95"}}
	for _, server := range servers {
		rows.Rows = append(rows.Rows, []string{
			name(server), server.State, pid(server), up(server, now), size(server.Memory),
			strconv.FormatInt(server.Calls, 10), strconv.FormatInt(server.Errors, 10), latency(server.P50, server.P95),
		})
	}
	var lines []string
	for i, row := range rows.Lines(columns - len(indent)) {
		lines = append(lines, strings.Split(indent+strings.ReplaceAll(row, "\n", "\n"+indent), "\n")...)
		if i > 0 {
			lines = append(lines, notes(servers[i-1], now, indent+"  ")...)
		}
	}
	return lines
}

// blocks returns the servers for a narrow screen, in two lines or more each.
func blocks(servers []status.Server, now time.Time) []string {
	var lines []string
	for _, server := range servers {
		line := "  " + name(server) + " " + server.State
		if server.Since != nil {
			line += " " + up(server, now)
		}
		lines = append(lines, line, fmt.Sprintf("    %s, %s", domain.Counted(int(server.Calls), "call"), domain.Counted(int(server.Errors), "error")))
		if server.P50 != nil {
			lines = append(lines, "    "+latency(server.P50, server.P95)+" (p50/p95)")
		}
		if server.PID != 0 {
			lines = append(lines, "    pid "+pid(server)+", "+size(server.Memory))
		}
		lines = append(lines, notes(server, now, "    ")...)
	}
	return lines
}

// notes returns the notes about a server that do not fit into the table.
func notes(server status.Server, now time.Time, indent string) []string {
	var lines []string
	if server.Shared {
		lines = append(lines, indent+"one session for all hosts")
	}
	if server.Restarts > 0 {
		lines = append(lines, indent+"restarted "+domain.Counted(server.Restarts, "time"))
	}
	if last := server.LastError; last != nil {
		lines = append(lines, indent+"last error "+age(now.Sub(last.Time))+" ago: "+failure(*last))
	}
	return lines
}

// failure says what failed.
func failure(last status.Failure) string {
	what := "it could not be started"
	switch {
	case last.Kind == string(domain.ActivityCall):
		what = domain.LineText(last.Tool) + ", " + last.Outcome
	case last.Kind == string(domain.ActivityEnd):
		what = "it died"
	}
	if last.Code != 0 {
		what += fmt.Sprintf(" (code %d)", last.Code)
	}
	return what
}

func name(server status.Server) string {
	return domain.LineText(server.Toolbox) + "/" + domain.LineText(server.Name)
}

func pid(server status.Server) string {
	if server.PID == 0 {
		return "-"
	}
	return strconv.Itoa(server.PID)
}

func up(server status.Server, now time.Time) string {
	if server.Since == nil {
		return "-"
	}
	return age(now.Sub(*server.Since))
}
