package lockreport

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/application/pinning"
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

// describeInstructions returns a line for a server whose instructions are not as they were
// locked, and what was there before and what is there now.
func describeInstructions(difference domain.InstructionsDifference) []string {
	lines := []string{changed + ": " + serverPath(difference.ID), "    instructions"}
	before, now := differingLines(quotedLines(difference.Locked), quotedLines(difference.Live))
	for _, line := range before {
		lines = append(lines, "      - "+line)
	}
	for _, line := range now {
		lines = append(lines, "      + "+line)
	}
	return lines
}

// quotedLines returns texts line by line, each in quotation marks.
func quotedLines(texts []string) []string {
	var lines []string
	for _, text := range texts {
		for line := range strings.SplitSeq(text, "\n") {
			if text != "" {
				lines = append(lines, strconv.Quote(line))
			}
		}
	}
	return lines
}

// describeDifference returns a line for a tool and, when its definition changed, each
// place with what was there before and what is there now.
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
	before := locked.Pins
	for i, pin := range live.Pins {
		if locked.Has(pin) {
			continue
		}
		if len(live.Pins) > 1 {
			lines = append(lines, "    "+[]string{"to hosts with all capabilities:", "to hosts without capabilities:"}[i])
		}
		lines = append(lines, describeChanges(definitions.Changes(pinning.Nearest(definitions, before, pin), pin))...)
		if kind == added {
			before = append(before, pin) // the second definition is described by what is other in it
		}
	}
	return lines
}

// describeHosts says to which hosts a tool is shown, if that changed.
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

// describeChanges returns each place with what was there before and what is there
// now.
func describeChanges(changes []domain.DefinitionChange) []string {
	var lines []string
	for _, change := range changes {
		if change.Path == "name" {
			continue
		}
		lines = append(lines, "    "+printable(change.Path))
		was, is := differingLines(linesOf(change.Before), linesOf(change.After))
		for _, line := range was {
			lines = append(lines, "      - "+line)
		}
		for _, line := range is {
			lines = append(lines, "      + "+line)
		}
	}
	return lines
}

// linesOf returns a JSON value as lines that can be printed: texts line by line.
func linesOf(value json.RawMessage) []string {
	if value == nil {
		return nil
	}
	var text string
	if value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return []string{printable(string(value))}
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, strconv.Quote(line))
	}
	return lines
}

// differingLines returns the lines without those that are equal at the beginning and
// at the end.
func differingLines(a, b []string) (onlyA, onlyB []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// printable returns text unchanged when all of it is visible, otherwise quoted.
func printable(text string) string {
	if slices.ContainsFunc([]rune(text), func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
