package lockfile

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf16"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// The versions of what the file holds. What was locked in an older one is written as it
// was, in the first one that can say it.
const (
	onePin       = "1" // each tool has one definition, which each host is shown
	twoPins      = "2" // a tool may have two, or be optional
	withPackages = "3" // packages are pinned, too
	whole        = "4" // every member of definitions is pinned, and instructions are
)

// The members of the file and of a tool in it.
const (
	versionKey    = "lockVersion"
	toolboxesKey  = "toolboxes"
	digestKey     = "sha256"
	definitionKey = "definition"
	optionalKey   = "optional"
)

// format returns the bytes of the file. The same lock gives the same bytes.
func format(lock domain.Lock) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\n  %q: %s,\n  %q: {", versionKey, version(lock), toolboxesKey)
	var toolbox domain.ToolboxName
	servers := 0
	for i, server := range lock.Servers {
		if i == 0 || server.ID.Toolbox != toolbox {
			if i > 0 {
				text.WriteString("\n    },")
			}
			toolbox, servers = server.ID.Toolbox, 0
			fmt.Fprintf(&text, "\n    %s: {", quoted(string(toolbox)))
		}
		if servers > 0 {
			text.WriteByte(',')
		}
		servers++
		formatServer(&text, server)
	}
	if len(lock.Servers) > 0 {
		text.WriteString("\n    }\n  ")
	}
	text.WriteByte('}')
	switch version(lock) {
	case whole: // has every member, so that none can be cut out
		formatInstructions(&text, lock.Servers)
		formatPackages(&text, lock.Packages)
	case withPackages:
		formatPackages(&text, lock.Packages)
	}
	text.WriteString("\n}\n")
	return text.Bytes()
}

func formatServer(text *bytes.Buffer, server domain.LockedServer) {
	fmt.Fprintf(text, "\n      %s: {", quoted(string(server.ID.Server)))
	for i, tool := range server.Tools {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(text, "\n        %s: ", quoted(tool.Name))
		formatTool(text, tool)
	}
	if len(server.Tools) > 0 {
		text.WriteString("\n      ")
	}
	text.WriteByte('}')
}

// formatTool writes one definition, or a list of two, each in a line of its own.
func formatTool(text *bytes.Buffer, tool domain.LockedTool) {
	if len(tool.Pins) == 1 {
		text.WriteString(pinText(tool.Pins[0], tool.Optional))
		return
	}
	for i, pin := range tool.Pins {
		text.WriteString([]string{"[", ","}[min(i, 1)])
		text.WriteString("\n          " + pinText(pin, false))
	}
	text.WriteString("\n        ]")
}

func pinText(pin domain.Pin, optional bool) string {
	mark := ""
	if optional {
		mark = fmt.Sprintf("%q: true, ", optionalKey)
	}
	return fmt.Sprintf("{%q: %q, %s%q: %s}", digestKey, pin.Digest, mark, definitionKey, visible(string(pin.Definition)))
}

// version returns the version of the file that a lock is written in.
func version(lock domain.Lock) string {
	older := onePin
	for _, server := range lock.Servers {
		if server.Instructions != nil {
			return whole
		}
		if slices.ContainsFunc(server.Tools, func(t domain.LockedTool) bool { return t.Optional || len(t.Pins) > 1 }) {
			older = twoPins
		}
	}
	if len(lock.Packages) > 0 {
		return withPackages
	}
	return older
}

func quoted(name string) string { return visible(string(rawjson.Quote(name))) }

// visible returns JSON text in which every character is escaped that a reviewer cannot
// see, or that reorders others. In canonical JSON such characters are in strings only.
func visible(text string) string {
	var shown []byte
	for _, r := range text {
		switch {
		case !domain.Unseen(r):
			shown = append(shown, string(r)...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			shown = fmt.Appendf(shown, `\u%04x\u%04x`, high, low)
		default:
			shown = fmt.Appendf(shown, `\u%04x`, r)
		}
	}
	return string(shown)
}
