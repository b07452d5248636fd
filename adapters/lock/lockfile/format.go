package lockfile

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// version is the version of the file.
const version = "1"

// The members of the file and of a tool in it.
const (
	versionKey    = "lockVersion"
	toolboxesKey  = "toolboxes"
	digestKey     = "sha256"
	definitionKey = "definition"
	optionalKey   = "optional"
)

// format returns the bytes of the file. The same lock gives the same bytes. A file has every member, so that none can be
// removed unnoticed.
func format(lock domain.Lock) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\n  %q: %s", versionKey, version)
	formatEntries(&text, toolboxesKey, lock.Servers, func(server domain.LockedServer) (domain.ServerID, string) {
		return server.ID, serverText(server)
	})
	formatInstructions(&text, lock.Servers)
	formatPackages(&text, lock.Packages)
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
