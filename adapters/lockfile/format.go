package lockfile

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf16"

	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// lockVersion is the version of what the file holds.
const lockVersion = "1"

// The members of the file and of a tool in it.
const (
	versionKey    = "lockVersion"
	toolboxesKey  = "toolboxes"
	digestKey     = "sha256"
	definitionKey = "definition"
)

// format returns the bytes of the file. The same lock gives the same bytes.
func format(lock domain.Lock) []byte {
	var text bytes.Buffer
	fmt.Fprintf(&text, "{\n  %q: %s,\n  %q: {", versionKey, lockVersion, toolboxesKey)
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
	text.WriteString("}\n}\n")
	return text.Bytes()
}

func formatServer(text *bytes.Buffer, server domain.LockedServer) {
	fmt.Fprintf(text, "\n      %s: {", quoted(string(server.ID.Server)))
	for i, pin := range server.Tools {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(text, "\n        %s: {%q: %q, %q: %s}",
			quoted(pin.Tool), digestKey, pin.Digest, definitionKey, visible(string(pin.Definition)))
	}
	if len(server.Tools) > 0 {
		text.WriteString("\n      ")
	}
	text.WriteByte('}')
}

func quoted(name string) string { return visible(string(jsonscan.Quote(name))) }

// visible returns JSON text in which every character is escaped that a reviewer cannot
// see, or that reorders others. In canonical JSON such characters are in strings only.
func visible(text string) string {
	var shown []byte
	for _, r := range text {
		switch {
		case strconv.IsPrint(r):
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
