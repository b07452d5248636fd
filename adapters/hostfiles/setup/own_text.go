package setup

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// serversIn returns the servers in the text of a configuration, in its order. Members of the wrong type
// are left out.
//
// Failures: textedit.ErrSyntax.
func serversIn(text []byte) ([]setup.Configured, error) {
	toolboxes, err := textedit.ReadJSON(text, []string{"toolboxes"})
	if err != nil {
		return nil, fmt.Errorf("read the toolboxes: %w", err)
	}
	var found []setup.Configured
	for _, toolbox := range toolboxes {
		servers, _ := textedit.ReadJSON(text, []string{"toolboxes", toolbox.Name, "mcpServers"}) // a value of another type has none
		for _, server := range servers {
			settings, ok := setup.ReadSettings(server.Value)
			if !ok {
				continue
			}
			found = append(found, setup.Configured{
				ID:       domain.ServerID{Toolbox: domain.ToolboxName(toolbox.Name), Server: domain.ServerName(server.Name)},
				Settings: settings,
			})
		}
	}
	return found, nil
}

// emptyText returns the text of a configuration without toolboxes, which shortens definitions and
// results as needed, and opens toolboxes at once. It refers to its JSON Schema, unless the reference is "". With background,
// windows share one workbench.
func emptyText(schema string, background bool) []byte {
	first, last := "", ""
	if schema != "" {
		quoted, _ := json.Marshal(schema) // a string can always be encoded
		first = "  \"$schema\": " + string(quoted) + ",\n"
	}
	if background {
		last = "  \"background\": true,\n"
	}
	return []byte("{\n" + first + "  \"definitions\": \"auto\",\n  \"results\": \"fit\",\n  \"openOnUse\": true,\n  \"start\": \"lazy\",\n" + last + "  \"toolboxes\": {}\n}\n")
}

// addServer returns the text with a server in a toolbox, which is created, with its description,
// if it does not exist. A server of that name is replaced in its place.
//
// Failures: those of textedit.SetJSON.
func addServer(text []byte, place setup.Place, name string, settings setup.Settings) ([]byte, error) {
	path := []string{"toolboxes", place.Toolbox}
	existing, err := textedit.ReadJSON(text, path)
	var member any = settings
	if existing != nil {
		path = append(path, "mcpServers", name)
	} else {
		member = struct {
			Description string                    `json:"description,omitempty"`
			Servers     map[string]setup.Settings `json:"mcpServers"`
		}{place.Description, map[string]setup.Settings{name: settings}}
	}
	if err == nil {
		text, err = withMember(text, path, member)
	}
	if err != nil {
		return nil, fmt.Errorf("add %q to %q: %w", name, place.Toolbox, err)
	}
	return text, nil
}

// removeServer returns the text without a server, and without its toolbox if that is then empty.
//
// Failures: those of textedit.DeleteJSON.
func removeServer(text []byte, toolbox, name string) ([]byte, error) {
	path := []string{"toolboxes", toolbox, "mcpServers", name}
	servers, err := textedit.ReadJSON(text, path[:3])
	if err != nil {
		return nil, err
	}
	if len(servers) == 1 && servers[0].Name == name {
		path = path[:2]
	}
	return textedit.DeleteJSON(text, path)
}

// Masked returns the text of a configuration in a form that can be shown: the keys of the configuration decide what is masked. It is nil for
// a text that cannot be parsed. A value of a key that is not known decides nothing, and is not shown.
func Masked(text []byte, transports map[string]ports.Transport) []byte {
	return hostfiles.MaskedText(textedit.JSON, text, func(value textedit.Value) hostfiles.Described {
		path := value.Path
		described := hostfiles.Described{Key: config.KeyAt(transports, path)}
		isComment := slices.ContainsFunc(path, func(name string) bool { return strings.HasPrefix(name, "$") || strings.HasPrefix(name, "_") })
		if described.Key.Type == nil && !isComment {
			described.Key.Trait |= keys.Secret
		}
		if len(path) > serverDepth && path[0] == "toolboxes" && path[2] == "mcpServers" {
			described.Server = serverDepth
		}
		return described
	})
}

// serverDepth is the number of names that lead to a server: toolboxes, a name, mcpServers, a name.
const serverDepth = 4

// withRenewedDescriptions returns the text after a change, in which each description that no user wrote names the
// servers that its toolbox now has. Before is the text before the change.
func withRenewedDescriptions(before, after []byte) []byte {
	old, _ := serversIn(before) // none in a new or a broken file
	servers, err := serversIn(after)
	if err != nil {
		return after
	}
	for _, toolbox := range toolboxesOf(servers) {
		earlier := namesIn(old, toolbox)
		if len(earlier) == 0 {
			earlier = firstIn(servers, toolbox) // as addServer wrote it
		}
		now := descriptionIn(after, domain.ToolboxName(toolbox))
		wanted, isGenerated := setup.Renewed(now, earlier, namesIn(servers, toolbox))
		if !isGenerated || wanted == now {
			continue
		}
		if text, err := withMember(after, []string{"toolboxes", toolbox, "description"}, wanted); err == nil {
			after = text
		}
	}
	return after
}

// toolboxesOf returns the toolboxes of servers, each once.
func toolboxesOf(servers []setup.Configured) []string {
	var toolboxes []string
	for _, server := range servers {
		if name := string(server.ID.Toolbox); !slices.Contains(toolboxes, name) {
			toolboxes = append(toolboxes, name)
		}
	}
	return toolboxes
}

// firstIn returns the name of the first server of a toolbox.
func firstIn(servers []setup.Configured, toolbox string) []string {
	i := slices.IndexFunc(servers, func(s setup.Configured) bool { return string(s.ID.Toolbox) == toolbox })
	return []string{string(servers[i].ID.Server)}
}

// namesIn returns the names of the servers of a toolbox that a model can reach, or of all if it can reach
// none.
func namesIn(servers []setup.Configured, toolbox string) []string {
	var enabled, disabled []string
	for _, server := range servers {
		switch name := string(server.ID.Server); {
		case string(server.ID.Toolbox) != toolbox:
		case server.Settings.Disabled:
			disabled = append(disabled, name)
		default:
			enabled = append(enabled, name)
		}
	}
	if len(enabled) == 0 {
		return disabled
	}
	return enabled
}

// descriptionIn returns the description of a toolbox, "" for none.
func descriptionIn(text []byte, toolbox domain.ToolboxName) (description string) {
	value, _ := memberOf(text, pathOf(domain.ServerID{Toolbox: toolbox}, "description"))
	_ = json.Unmarshal(value, &description) // one of the wrong type is not the program's
	return description
}

// withMember returns a text with the member at a path set to a value.
//
// Failures: those of textedit.SetJSON.
func withMember(text []byte, path []string, value any) ([]byte, error) {
	written, err := setup.JSON(value)
	if err != nil {
		return nil, err
	}
	return textedit.SetJSON(text, path, written)
}

// pathOf returns the path of a member of a toolbox or a server in the file, or of the two themselves.
func pathOf(id domain.ServerID, member ...string) []string {
	path := []string{"toolboxes", string(id.Toolbox)}
	if id.Server != "" {
		path = append(path, "mcpServers", string(id.Server))
	}
	return append(path, member...)
}

// disabledIn returns the path of the member that disables a toolbox or a server, which may be one of a plugin.
func disabledIn(text []byte, id domain.ServerID) []string {
	path := pathOf(id, "disabled")
	if _, hasPlugin := memberOf(text, pathOf(domain.ServerID{Toolbox: id.Toolbox}, "plugin")); hasPlugin && id.Server != "" {
		path[2] = "servers"
	}
	return path
}

// memberOf returns the value at a path of a text that was read before, and reports whether there
// is one.
func memberOf(text []byte, path []string) (json.RawMessage, bool) {
	members, _ := textedit.ReadJSON(text, path[:len(path)-1])
	for _, member := range members {
		if member.Name == path[len(path)-1] {
			return member.Value, true
		}
	}
	return nil, false
}

// pluginOf returns the folder of the plugin of a toolbox in the text of the configuration at a path, "" for a toolbox without one.
func pluginOf(path string, text []byte, toolbox string) string {
	value, _ := memberOf(text, []string{"toolboxes", toolbox, "plugin"})
	folder := rawjson.Text(value)
	if folder != "" && !filepath.IsAbs(folder) {
		folder = filepath.Join(filepath.Dir(path), folder)
	}
	return folder
}
