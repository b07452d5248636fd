package lockfile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// The versions of the file. A lock is written in the first version that can express it, so a lock that
// an older program wrote does not change.
const (
	onePin       = "1" // each tool has one definition, which every host sees
	twoPins      = "2" // a tool can have two definitions, or be optional
	withPackages = "3" // packages are pinned, too
	whole        = "4" // every member of definitions is pinned, and so are instructions
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
	fmt.Fprintf(&text, "{\n  %q: %s", versionKey, version(lock))
	formatEntries(&text, toolboxesKey, lock.Servers, func(server domain.LockedServer) (domain.ServerID, string) {
		return server.ID, serverText(server)
	})
	switch version(lock) {
	case whole: // it has every member, so that none can be removed unnoticed
		formatInstructions(&text, lock.Servers)
		formatPackages(&text, lock.Packages)
	case withPackages:
		formatPackages(&text, lock.Packages)
	}
	text.WriteString("\n}\n")
	return text.Bytes()
}

// formatEntries writes a member of the file, with a line for each entry of a server, by toolbox and
// server. An entry without text is left out.
func formatEntries[T any](text *bytes.Buffer, key string, entries []T, describe func(T) (domain.ServerID, string)) {
	fmt.Fprintf(text, ",\n  %q: {", key)
	written := 0
	var before domain.ToolboxName
	for _, entry := range entries {
		id, entryText := describe(entry)
		switch {
		case entryText == "":
			continue
		case written == 0:
			fmt.Fprintf(text, "\n    %s: {", quotedName(string(id.Toolbox)))
		case before != id.Toolbox:
			fmt.Fprintf(text, "\n    },\n    %s: {", quotedName(string(id.Toolbox)))
		default:
			text.WriteByte(',')
		}
		fmt.Fprintf(text, "\n      %s: %s", quotedName(string(id.Server)), entryText)
		before = id.Toolbox
		written++
	}
	if written > 0 {
		text.WriteString("\n    }\n  ")
	}
	text.WriteByte('}')
}

func serverText(server domain.LockedServer) string {
	if len(server.Tools) == 0 {
		return "{}"
	}
	lines := make([]string, len(server.Tools))
	for i, tool := range server.Tools {
		lines[i] = fmt.Sprintf("\n        %s: %s", quotedName(tool.Name), toolText(tool))
	}
	return "{" + strings.Join(lines, ",") + "\n      }"
}

// toolText returns one definition, or a list of two, each on a line of its own.
func toolText(tool domain.LockedTool) string {
	if len(tool.Pins) == 1 {
		return pinText(tool.Pins[0], tool.Optional)
	}
	lines := make([]string, len(tool.Pins))
	for i, pin := range tool.Pins {
		lines[i] = "\n          " + pinText(pin, false)
	}
	return "[" + strings.Join(lines, ",") + "\n        ]"
}

func pinText(pin domain.Pin, optional bool) string {
	mark := ""
	if optional {
		mark = fmt.Sprintf("%q: true, ", optionalKey)
	}
	return fmt.Sprintf("{%q: %q, %s%q: %s}", digestKey, pin.Digest, mark, definitionKey, visible(string(pin.Definition)))
}

// version returns the version in which a lock is written.
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

func quotedName(name string) string { return visible(string(rawjson.Quote(name))) }

// visible escapes the characters of JSON text that reviewers cannot see, or that reorder others. In
// canonical JSON such characters occur in strings only.
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
