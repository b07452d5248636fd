package lockreport

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
)

const (
	changed = "changed"
	added   = "added"
	removed = "removed"
)

func kindOf(difference domain.Difference) string {
	switch {
	case difference.Locked == nil:
		return added
	case difference.Live == nil:
		return removed
	}
	return changed
}

func toolPath(tool domain.ToolIdentifier) string {
	return fmt.Sprintf("%s / %s / %s", tool.Toolbox, tool.Server, printable(tool.Tool))
}

func serverPath(server domain.ServerID) string {
	return fmt.Sprintf("%s / %s", server.Toolbox, server.Server)
}

// describeDifferences returns lines about everything that differs from the lock. Without Details, a
// server that was added or removed is one line.
func (r Outcome) describeDifferences() []string {
	var lines []string
	whole, hasInstructions, tools := map[domain.ServerID]bool{}, map[domain.ServerID]bool{}, map[domain.ServerID]int{}
	for _, difference := range r.Found.Instructions {
		hasInstructions[difference.ID] = true
	}
	for _, difference := range r.Found.Differences {
		tools[difference.Tool.ServerID()]++
	}
	add := func(kind string, id domain.ServerID, described []string) {
		switch {
		case !r.isWhole(kind, id):
			lines = append(lines, described...)
		case !whole[id]:
			whole[id] = true
			line := fmt.Sprintf("%s: %s (%s)", kind, serverPath(id), domain.Counted(tools[id], "tool"))
			if hasInstructions[id] {
				line = strings.TrimSuffix(line, ")") + ", instructions)"
			}
			lines = append(lines, line)
		}
	}
	for _, difference := range r.Found.Differences {
		add(kindOf(difference), difference.Tool.ServerID(), describeDifference(difference))
	}
	for _, difference := range r.Found.Instructions {
		add(added, difference.ID, describeInstructions(difference))
	}
	if len(whole) > 0 {
		lines = append(lines, "hint: with --details each tool of added and removed servers is shown")
	}
	return lines
}

// isWhole reports whether a server as a whole was added or removed, and is shown as one line.
func (r Outcome) isWhole(kind string, id domain.ServerID) bool {
	_, wasLocked := r.Found.Lock.Server(id)
	_, isLive := r.Found.Live.Server(id)
	return !r.Details && (kind == added && !wasLocked || kind == removed && !isLive)
}

// describeInstructions returns lines about a server whose instructions differ from the lock.
func describeInstructions(difference domain.InstructionsDifference) []string {
	lines := []string{changed + ": " + serverPath(difference.ID), "    instructions"}
	return append(lines, markedLines(instructionLines(difference.Locked), instructionLines(difference.Live))...)
}

func instructionLines(texts []string) []string {
	var lines []string
	for _, text := range texts {
		if text != "" {
			lines = append(lines, quotedLines(text)...)
		}
	}
	return lines
}

// quotedLines returns the lines of a text, each in quotation marks.
func quotedLines(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strconv.Quote(line))
	}
	return lines
}

// describeDifference returns lines about a tool that differs from the lock: what happened to it, and
// each place in its definition that changed.
func describeDifference(difference domain.Difference) []string {
	kind := kindOf(difference)
	lines := []string{kind + ": " + toolPath(difference.Tool)}
	if kind == removed {
		return lines
	}
	live := *difference.Live
	var locked domain.LockedTool
	if difference.Locked != nil {
		locked = *difference.Locked
	}
	if kind == changed || live.Optional {
		lines = append(lines, describeHosts(locked, live)...)
	}
	definitions := lockfile.NewDefinitions()
	for i, pin := range live.Pins {
		if locked.Has(pin) {
			continue
		}
		if len(live.Pins) > 1 {
			lines = append(lines, "    "+[]string{"to hosts with all capabilities:", "to hosts without capabilities:"}[i])
		}
		lines = append(lines, describeChanges(definitions.Changes(locked.Nearest(pin, definitions.Changes), pin))...)
		if kind == added {
			locked.Pins = append(locked.Pins, pin) // the second definition is shown only where it differs
		}
	}
	return lines
}

// describeHosts returns a line about the hosts that see a tool, if that changed.
func describeHosts(locked, live domain.LockedTool) []string {
	switch {
	case live.Optional && !locked.Optional:
		return []string{"    shown to some hosts only, by their capabilities"}
	case locked.Optional && !live.Optional:
		return []string{"    shown to every host"}
	case len(live.Pins) < len(locked.Pins):
		return []string{"    shown to every host in the same way"}
	}
	return nil
}

// describeChanges returns each place that changed, with its lines before and after.
func describeChanges(changes []domain.DefinitionChange) []string {
	var lines []string
	for _, change := range changes {
		if change.Path != "name" {
			lines = append(lines, "    "+printable(change.Path))
			lines = append(lines, markedLines(linesOf(change.Before), linesOf(change.After))...)
		}
	}
	return lines
}

// linesOf returns a JSON value as printable lines.
func linesOf(value json.RawMessage) []string {
	var text string
	switch {
	case value == nil:
		return nil
	case value[0] != '"' || json.Unmarshal(value, &text) != nil:
		return []string{printable(string(value))}
	}
	return quotedLines(text)
}

// markedLines returns the lines that differ, marked with "-" and "+". Equal lines at the beginning and
// at the end are left out.
func markedLines(before, after []string) []string {
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	var lines []string
	for _, line := range before {
		lines = append(lines, "      - "+line)
	}
	for _, line := range after {
		lines = append(lines, "      + "+line)
	}
	return lines
}

// printable returns a text unchanged if all of it is visible, otherwise quoted.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
