package lockfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// instructionsKey is the member of the file with what servers say at their handshake: a text,
// or a list of two. A server that is not in it was locked in an older version.
const instructionsKey = "instructions"

// entry is the text about one server in a member of the file, as JSON.
type entry struct {
	id   domain.ServerID
	text string
}

// formatEntries writes a member of the file: each entry in a line of its own, by toolbox and
// server.
func formatEntries(text *bytes.Buffer, key string, entries []entry) {
	if len(entries) == 0 {
		fmt.Fprintf(text, ",\n  %q: {}", key)
		return
	}
	fmt.Fprintf(text, ",\n  %q: {", key)
	for i, e := range entries {
		switch {
		case i == 0:
			fmt.Fprintf(text, "\n    %s: {", quoted(string(e.id.Toolbox)))
		case entries[i-1].id.Toolbox != e.id.Toolbox:
			fmt.Fprintf(text, "\n    },\n    %s: {", quoted(string(e.id.Toolbox)))
		default:
			text.WriteByte(',')
		}
		fmt.Fprintf(text, "\n      %s: %s", quoted(string(e.id.Server)), e.text)
	}
	text.WriteString("\n    }\n  }")
}

// formatInstructions writes the member of instructions.
func formatInstructions(text *bytes.Buffer, servers []domain.LockedServer) {
	var entries []entry
	for _, server := range servers {
		switch len(server.Instructions) {
		case 0:
		case 1:
			entries = append(entries, entry{server.ID, quoted(server.Instructions[0])})
		default:
			entries = append(entries, entry{server.ID, "[" + quoted(server.Instructions[0]) + ", " + quoted(server.Instructions[1]) + "]"})
		}
	}
	formatEntries(text, instructionsKey, entries)
}

// parseInstructions reads what formatInstructions wrote, into the servers.
func parseInstructions(toolboxes json.RawMessage, servers []domain.LockedServer) error {
	return each(toolboxes, `its member "instructions"`, func(toolbox string, texts json.RawMessage) error {
		return each(texts, fmt.Sprintf("toolbox '%s' of the instructions", toolbox), func(server string, text json.RawMessage) error {
			id := domain.ServerID{Toolbox: domain.ToolboxName(toolbox), Server: domain.ServerName(server)}
			i := slices.IndexFunc(servers, func(s domain.LockedServer) bool { return s.ID == id })
			if i < 0 {
				return fmt.Errorf("it has instructions of server '%s' of toolbox '%s', and not its tools", server, toolbox)
			}
			instructions, ok := parseTexts(text)
			if !ok {
				return fmt.Errorf("the instructions of server '%s' of toolbox '%s' are neither a text nor two", server, toolbox)
			}
			servers[i].Instructions = instructions
			return nil
		})
	})
}

// parseTexts reads a text, or a list of two different ones.
func parseTexts(value json.RawMessage) (texts []string, ok bool) {
	if rawjson.Kind(value) == '"' {
		return []string{rawjson.Text(value)}, true
	}
	if rawjson.Kind(value) != '[' {
		return nil, false
	}
	areTexts := true
	err := rawjson.NewScanner().EachElement(value, func(element []byte) error {
		areTexts = areTexts && rawjson.Kind(element) == '"'
		texts = append(texts, rawjson.Text(element))
		return nil
	})
	return texts, err == nil && areTexts && len(texts) == 2 && texts[0] != texts[1]
}
