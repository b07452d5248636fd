package lockfile_test

import (
	"encoding/json"
	"testing"

	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

func TestLockfile(t *testing.T) { spec.Run(t, "The lock file") }

// pin returns the pin of a tool whose definition is that text.
func pin(name, definition string) domain.Pin {
	return lockfile.NewDefinitions().Pin(domain.ToolInfo{Name: name, Definition: json.RawMessage(definition)}, domain.PinDefinition)
}

// lockedServer returns a server of a lock with tools of these names and without instructions.
func lockedServer(toolbox domain.ToolboxName, server domain.ServerName, tools ...string) domain.LockedServer {
	entry := domain.LockedServer{ID: domain.ServerID{Toolbox: toolbox, Server: server}, Instructions: []string{""}}
	for _, tool := range tools {
		quoted, err := json.Marshal(tool)
		if err != nil {
			panic(err)
		}
		definition := `{"name":` + string(quoted) + `,"inputSchema":{"type":"object"}}`
		entry.Tools = append(entry.Tools, domain.LockedTool{Name: tool, Pins: []domain.Pin{pin(tool, definition)}})
	}
	return entry
}
