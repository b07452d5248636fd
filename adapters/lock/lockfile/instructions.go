package lockfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// instructionsKey is the member of the file with the instructions that servers send at the
// handshake: a text, or a list of two, of every server.
const instructionsKey = "instructions"

// formatInstructions writes the member of instructions.
func formatInstructions(text *bytes.Buffer, servers []domain.LockedServer) {
	formatEntries(text, instructionsKey, servers, func(server domain.LockedServer) (domain.ServerID, string) {
		var texts []string
		for _, instructions := range server.Instructions {
			texts = append(texts, quotedName(instructions))
		}
		if len(texts) > 1 {
			return server.ID, "[" + strings.Join(texts, ", ") + "]"
		}
		return server.ID, strings.Join(texts, "")
	})
}

// parseInstructions reads what formatInstructions wrote, into the servers.
func parseInstructions(toolboxes json.RawMessage, servers []domain.LockedServer) error {
	err := eachServer(toolboxes, instructionsKey, func(id domain.ServerID, text json.RawMessage) error {
		i := slices.IndexFunc(servers, func(s domain.LockedServer) bool { return s.ID == id })
		if i < 0 {
			return fmt.Errorf("it has instructions of %s, but not its tools", serverName(id))
		}
		instructions, ok := parseTexts(text)
		if !ok {
			return fmt.Errorf("the instructions of %s are neither a text nor a list of two", serverName(id))
		}
		servers[i].Instructions = instructions
		return nil
	})
	for _, server := range servers {
		if err == nil && server.Instructions == nil {
			err = fmt.Errorf("it has no instructions of %s", serverName(server.ID))
		}
	}
	return err
}

// parseTexts reads a text, or a list of two different ones.
func parseTexts(text json.RawMessage) (texts []string, ok bool) {
	value, err := rawjson.Parse(text)
	texts = value.Texts()
	if err != nil || value.Kind == '"' {
		return texts, err == nil
	}
	return texts, len(texts) == 2 && len(value.Elements()) == 2 && texts[0] != texts[1]
}
