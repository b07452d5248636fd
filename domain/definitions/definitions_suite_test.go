package definitions_test

import (
	"encoding/json"
	"os"
	"testing"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

func TestDefinitions(t *testing.T) { spec.Run(t, "Definitions in the size that is needed") }

// catalogs are the published servers whose definitions are in tests/catalogs.
var catalogs = []string{
	"azure", "brave-search", "chrome-devtools", "cloudflare", "context7", "desktop-commander", "everything", "figma",
	"filesystem", "firecrawl", "github", "gitlab", "google-maps", "memory", "mongodb", "postgres", "sequential-thinking",
	"supabase", "tavily",
}

// catalog reads the tools of a published server.
func catalog(t testing.TB, server string) definitions.ServerTools {
	t.Helper()
	text, err := os.ReadFile("../../tests/catalogs/" + server + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	tools := definitions.ServerTools{Server: domain.ServerName(server)}
	for _, definition := range list.Tools {
		tools.Tools = append(tools.Tools, toolOf(string(definition)))
	}
	return tools
}

// toolbox reads the tools of several published servers.
func toolbox(t testing.TB, servers ...string) []definitions.ServerTools {
	t.Helper()
	tools := make([]definitions.ServerTools, 0, len(servers))
	for _, server := range servers {
		tools = append(tools, catalog(t, server))
	}
	return tools
}

// toolOf makes a tool of its definition, under the name that this has.
func toolOf(definition string) domain.ToolInfo {
	var named struct{ Name string }
	_ = json.Unmarshal([]byte(definition), &named)
	return domain.ToolInfo{Name: named.Name, Shown: domain.ShownText(named.Name), Definition: json.RawMessage(definition)}
}

// toolWith makes a tool called "t" of its input schema.
func toolWith(schema string) domain.ToolInfo {
	return toolOf(`{"name":"t","description":"","title":"A title makes the definition longer","inputSchema":` + schema + `}`)
}

// describedTool makes a tool without parameters of its description.
func describedTool(description string) domain.ToolInfo {
	text := spec.Must(json.Marshal(description))
	return toolOf(`{"name":"t","description":` + string(text) + `,"inputSchema":{"type":"object","properties":{}}}`)
}
