package lockreport

import (
	"fmt"
	"strings"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// Outcome is the result of the command lock. Text from servers is quoted, so that no character is
// hidden or controls the terminal.
type Outcome struct {
	domain.LockRun
	// Path is that of the lock.
	Path string
	// Details is set to show every tool of added and removed servers.
	Details bool
}

// lines returns the report as text.
func (r Outcome) lines(paint terminal.Paint) []string {
	lines := r.found(paint)
	if r.Written && r.Found.Broken != nil && !r.Request.Packages {
		line := "warning: the old lock could not be read, so packages that it pinned are not pinned any more; lock --packages pins them"
		lines = append(lines, paint(colourOf(line), line))
	}
	return append(lines, r.Path+": "+r.conclusion())
}

// found returns what was found, before anything is written.
func (r Outcome) found(paint terminal.Paint) []string {
	var lines []string
	// A first lock consists of additions only, which the file itself shows.
	if r.Found.Lock != nil {
		lines = r.describeDifferences()
	}
	for _, compared := range r.Found.Packages {
		lines = append(lines, describePackage(compared)...)
	}
	for _, server := range r.Found.OnlyDescriptions {
		lines = append(lines, fmt.Sprintf("hint: %s: only descriptions differ; if they contain facts about a machine, "+
			`"pinned": "schema" in the server's settings leaves descriptions out of the lock`, serverPath(server)))
	}
	for _, tool := range r.Found.Varying {
		lines = append(lines, fmt.Sprintf("hint: %s: its defaults differ at each start, so that no lock fits; "+
			`"pinned": "no-defaults" in the server's settings leaves defaults out of the lock`, toolPath(tool)))
	}
	for _, server := range r.Found.NoDefaults {
		lines = append(lines, fmt.Sprintf(`note: %s: defaults in its schemas are not guarded ("pinned": "no-defaults")`, serverPath(server)))
	}
	for _, server := range r.Found.Unguarded {
		lines = append(lines, fmt.Sprintf(`note: %s: its descriptions are not guarded ("pinned": "schema")`, serverPath(server)))
	}
	for _, tool := range r.Found.Revealing {
		what, where := toolPath(tool), "definition"
		if tool.Tool == "" {
			what, where = serverPath(tool.ServerID()), "instructions"
		}
		lines = append(lines, fmt.Sprintf("warning: %s has a value of the environment or of \"env\" in its %s, and so has the lock", what, where))
	}
	for _, server := range r.Found.Unreachable {
		lines = append(lines, fmt.Sprintf("unreachable: %s: %s", serverPath(server.ID), wording.UserReason(server.Failure)))
	}
	for _, care := range r.needsCare() {
		lines = append(lines, "needs care: "+printable(care))
	}
	for i, line := range lines {
		lines[i] = paint(colourOf(line), line)
	}
	return lines
}

// colours are the colours of lines by how they begin.
var colours = []struct {
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
	{"needs care:", terminal.Yellow},
}

func colourOf(line string) terminal.Colour {
	for _, entry := range colours {
		if strings.HasPrefix(line, entry.begin) {
			return entry.colour
		}
	}
	return terminal.Plain
}

// conclusion returns the last line, without the path of the lock.
func (r Outcome) conclusion() string {
	tools := fmt.Sprintf("(tools: %d)", r.Found.Tools())
	if packages := len(r.Found.Live.Packages); packages > 0 {
		tools = fmt.Sprintf("(tools: %d, packages: %d)", r.Found.Tools(), packages)
	}
	switch {
	case r.Written && len(r.Found.PackageLocks) > 0:
		return "written " + tools + "; " + lockfile.PackageFolder + " beside it belongs to it"
	case r.Written:
		return "written " + tools
	case r.Found.Broken != nil:
		reason := r.Found.Broken.Error()
		return "cannot be used: " + strings.TrimPrefix(reason, r.Path+": ") + "; lock --update writes it again, unless the file is no lock"
	case r.Found.Lock == nil:
		return "no such file; 'mcp-workbench lock' writes it " + tools
	case r.Found.Fits():
		return "up to date " + tools
	}
	counts := r.counts()
	if r.Mode == domain.LockCheck {
		return counts
	}
	accepts := "lock --update"
	if r.Request.Packages {
		accepts = "lock --packages --update"
	}
	return counts + "; nothing was written, " + accepts + " accepts this"
}

// counts returns the numbers of tools that changed, were added and were removed, and of other changes.
func (r Outcome) counts() string {
	count := map[string]int{}
	for _, difference := range r.Found.Differences {
		count[kindOf(difference)]++
	}
	var parts []string
	for _, kind := range []string{changed, added, removed} {
		if count[kind] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[kind], kind))
		}
	}
	if instructions := len(r.Found.Instructions); instructions > 0 {
		parts = append(parts, "instructions of "+domain.Counted(instructions, "server")+" not as locked")
	}
	packages := 0
	for _, compared := range r.Found.Packages {
		if compared.Differs() {
			packages++
		}
	}
	if packages > 0 {
		parts = append(parts, domain.Counted(packages, "package")+" not as locked")
	}
	return strings.Join(parts, ", ")
}

// changesLock reports whether writing replaces something that a lock says.
func (r Outcome) changesLock() bool {
	return r.Mode == domain.LockUpdate && (r.Found.Broken != nil || r.Found.Lock != nil && r.counts() != "")
}

// needsCare says which packages of a lock would be others, which would no longer be pinned, and which would run more.
func (r Outcome) needsCare() []string {
	var lines []string
	for _, compared := range r.Found.Packages {
		locked, live := compared.Locked, compared.Live
		care := func(format string, args ...any) {
			lines = append(lines, compared.ID.Path()+": "+fmt.Sprintf(format, args...))
		}
		switch {
		case locked == nil:
		case live == nil:
			care("%s is no longer pinned", locked)
		case live.Name != locked.Name || live.Kind != locked.Kind:
			care("another package: %s (%s), was: %s (%s)", live.Name, live.Kind, locked.Name, locked.Kind)
		case live.InstallScripts && !locked.InstallScripts:
			care("install scripts of its packages run")
		}
	}
	return lines
}
