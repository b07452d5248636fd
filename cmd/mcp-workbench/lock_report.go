package main

import (
	"fmt"
	"io"
	"strings"

	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// lockReport is what the command lock prints. Text from servers is quoted, so that no
// character is hidden or controls the terminal.
type lockReport struct {
	found   domain.LockComparison
	request domain.LockRequest
	mode    lockMode
	path    string
	written bool
	// settings say how the tools of toolboxes are shown.
	settings definitions.Settings
}

func (r lockReport) print(out io.Writer, paint terminal.Paint) error {
	var lines []string
	// A first lock consists of additions only, which the file itself shows.
	if r.found.Lock != nil {
		for _, difference := range r.found.Differences {
			lines = append(lines, describeDifference(difference)...)
		}
		for _, difference := range r.found.Instructions {
			lines = append(lines, describeInstructions(difference)...)
		}
	}
	for _, compared := range r.found.Packages {
		lines = append(lines, r.describePackage(compared)...)
	}
	for _, server := range r.found.OnlyDescriptions {
		lines = append(lines, fmt.Sprintf("hint: %s / %s: only descriptions differ; if they hold facts of a machine, "+
			`"pinned": "schema" in the server's settings leaves descriptions out of the lock`, server.Toolbox, server.Server))
	}
	for _, server := range r.found.Unguarded {
		lines = append(lines, fmt.Sprintf(`note: %s / %s: its descriptions are not guarded ("pinned": "schema")`, server.Toolbox, server.Server))
	}
	if r.holdsLess() {
		lines = append(lines, fmt.Sprintf("hint: an older version wrote the lock, which holds neither titles, output schemas and other members of "+
			"%s, nor their instructions; lock --update adds them", plural(len(r.found.Older), "server")))
	}
	for _, tool := range r.found.Revealing {
		what, where := toolPath(tool), "definition"
		if tool.Tool == "" {
			what, where = serverPath(tool.ServerID()), "instructions"
		}
		lines = append(lines, fmt.Sprintf("warning: %s has a value of the environment or of \"env\" in its %s, and so has the lock", what, where))
	}
	for _, server := range r.found.Unreachable {
		lines = append(lines, fmt.Sprintf("unreachable: %s / %s: %s", server.ID.Toolbox, server.ID.Server, wording.UserReason(server.Failure)))
	}
	for _, opened := range r.found.Opened {
		if opened.Connected() > 0 {
			lines = append(lines, openingCost(opened, r.settings).String())
		}
	}
	if r.written && r.found.Broken != nil && !r.request.Packages {
		lines = append(lines, "warning: the old lock could not be read, so packages that it pinned are not pinned any more; lock --packages pins them")
	}
	lines = append(lines, r.path+": "+r.conclusion())
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, paint(lockColour(line), line)); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	return nil
}

// holdsLess reports whether the lock holds less of some servers than it would if it was written
// again.
func (r lockReport) holdsLess() bool { return !r.written && len(r.found.Older) > 0 }

// lockColours are the colours of lines by how they begin.
var lockColours = []struct {
	begin  string
	colour terminal.Colour
}{
	{added + ":", terminal.Green},
	{"      + ", terminal.Green},
	{removed + ":", terminal.Red},
	{"      - ", terminal.Red},
	{"unreachable:", terminal.Red},
	{changed + ":", terminal.Yellow},
	{packagePinned + ":", terminal.Green},
	{packageNotPinned + ":", terminal.Yellow},
	{packageNotUpdated + ":", terminal.Yellow},
	{packageNewer + ":", terminal.Yellow},
	{"warning:", terminal.Yellow},
}

func lockColour(line string) terminal.Colour {
	for _, entry := range lockColours {
		if strings.HasPrefix(line, entry.begin) {
			return entry.colour
		}
	}
	return terminal.Plainly
}

// conclusion returns the last line, without the path of the lock.
func (r lockReport) conclusion() string {
	tools := fmt.Sprintf("(tools: %d)", r.found.Tools())
	if packages := len(r.found.Live.Packages); packages > 0 {
		tools = fmt.Sprintf("(tools: %d, packages: %d)", r.found.Tools(), packages)
	}
	switch {
	case r.written && len(r.found.PackageLocks) > 0:
		return "written " + tools + "; " + lockfile.PackageFolder + " beside it belongs to it"
	case r.written:
		return "written " + tools
	case r.found.Broken != nil:
		reason := r.found.Broken.Error()
		return "cannot be used: " + strings.TrimPrefix(reason, r.path+": ") + "; lock --update writes it again"
	case r.found.Lock == nil:
		return "no such file; lock writes it " + tools
	case r.found.Fits():
		return "up to date " + tools
	}
	counts := r.counts()
	if r.mode == lockCheck {
		return counts
	}
	accepts := "lock --update"
	if r.request.Packages {
		accepts = "lock --packages --update"
	}
	return counts + "; nothing was written, " + accepts + " accepts this"
}

// counts returns how many tools changed, were added and were removed.
func (r lockReport) counts() string {
	count := map[string]int{}
	for _, difference := range r.found.Differences {
		count[kindOf(difference)]++
	}
	var parts []string
	for _, kind := range []string{changed, added, removed} {
		if count[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[kind], kind))
		}
	}
	if instructions := len(r.found.Instructions); instructions > 0 {
		parts = append(parts, "instructions of "+plural(instructions, "server")+" not as locked")
	}
	packages := 0
	for _, compared := range r.found.Packages {
		if compared.Differs() {
			packages++
		}
	}
	if packages > 0 {
		parts = append(parts, plural(packages, "package")+" not as locked")
	}
	return strings.Join(parts, ", ")
}

// plural returns a number of things: "1 line", "2 lines".
func plural(count int, thing string) string {
	if count != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", count, thing)
}
