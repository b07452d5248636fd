package config

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

// toolboxKeys are the keys of a toolbox. Those with names of fields of domain.Server are for servers without their own.
var toolboxKeys = keys.For[struct {
	Description string             `key:"description"`
	Form        definitions.Form   `key:"definitions" is:"harmless"`
	Results     domain.ResultsMode `key:"results" is:"harmless"`
	Start       domain.StartMode   `key:"start"`
	_           servers            `key:"mcpServers" is:"shown"`
	_           string             `key:"plugin" pattern:"^[^~]" not:"\\$\\{"`
	_           addedServers       `key:"servers" is:"shown"`
	ApprovalKeys
	_ bool `key:"disabled" default:"false" is:"harmless"`
}]()

// toolboxReader reads the toolboxes of a file and their servers.
type toolboxReader struct {
	*reader
	// root has the settings that toolboxes and servers depend on. Reading a toolbox adds its form of definitions.
	root *Root
	// makesLock says that the command makes the lock, so that it need not exist yet.
	makesLock bool
	// included has the options, and collects the plugins of all files.
	included *includes
	// forReadTool is the first key that only read_tool needs, or nil.
	forReadTool *tree.Member
	// disabled are the toolboxes whose servers are all disabled. They are left out.
	disabled []domain.Toolbox
}

// read reads the approvals at the root of the file, and its toolboxes, none from a file that cannot be read.
func (r *toolboxReader) read(file *document) []domain.Toolbox {
	r.root.Approvals = r.approvals(file.members, domain.Approvals{}, domain.RootPattern)
	if file.tree == nil {
		return nil
	}
	m, ok := file.members.Get(toolboxesKey)
	if !ok {
		missingToolboxes(&r.Findings, *file.tree, file.members)
		return nil
	}
	entries, _ := r.Object(m.Node, tree.NameKeys, "an object of toolboxes")
	toolboxes := make([]domain.Toolbox, 0, len(entries))
	for _, entry := range entries {
		if toolbox := r.toolbox(entry); len(toolbox.Servers) > 0 {
			toolboxes = append(toolboxes, toolbox)
		} else {
			r.disabled = append(r.disabled, toolbox)
		}
	}
	return toolboxes
}

// toolbox reads a toolbox. The result has no servers if the toolbox or each of its servers is
// disabled, or if a problem hides them. A disabled toolbox is not checked, like a disabled
// server.
func (r *toolboxReader) toolbox(m tree.Member) domain.Toolbox {
	toolbox := domain.Toolbox{Name: domain.ToolboxName(m.Name)}
	members, ok := r.Object(m.Node, tree.SettingKeys, `an object with "mcpServers"`)
	if ok && r.isDisabled(members) {
		toolbox.Disabled = namesIn[domain.ServerName](members, mcpServersKey)
		return toolbox
	}
	r.checkName(m)
	if !ok {
		return toolbox
	}
	r.review.note(GivenKey{Toolbox: toolbox.Name}, members, toolboxKeys)
	defaults := domain.Server{
		ID:        domain.ServerID{Toolbox: toolbox.Name},
		Limits:    r.root.Limits,
		Start:     r.root.Start,
		Results:   r.root.Results,
		Approvals: r.approvals(members, r.root.Approvals, domain.ToolboxPattern),
	}
	values := struct {
		*domain.Server
		Description string
		Form        definitions.Form
	}{Server: &defaults}
	for _, field := range members {
		key, isLegal := toolboxKeys.Get(field.Name)
		switch entries, _ := new(tree.Findings).Object(field.Node, tree.NameKeys, ""); {
		case isLegal:
			r.fillKey(field.Node, key, reflect.ValueOf(&values).Elem())
		case entries.Has("command"), entries.Has("url"):
			r.Wrong(field.Key(), `a server outside of "mcpServers"`, fmt.Sprintf(`"mcpServers": {%q: {…}}`, tree.Shortened(field.Name)))
		default:
			r.unknownKey(field, toolboxKeys.Names())
		}
	}
	toolbox.Description = values.Description
	if values.Form != "" {
		r.root.Definitions.ByToolbox[toolbox.Name] = values.Form
	}
	r.readServers(&toolbox, m.Node, members, defaults)
	return toolbox
}

// readServers reads the servers of a toolbox: its own, or those of its plugin.
func (r *toolboxReader) readServers(toolbox *domain.Toolbox, n tree.Node, members tree.Object, defaults domain.Server) {
	own, hasOwn := members.Get(mcpServersKey)
	plugin, hasPlugin := members.Get(pluginKey)
	added, adds := members.Get(serversKey)
	switch {
	case hasOwn && hasPlugin:
		r.Wrong(plugin.Key(), `"plugin" together with "mcpServers"`, "one of them: a toolbox has servers of its own, or those of a plugin")
	case adds && !hasPlugin:
		r.Unknown(added, mcpServersKey, toolboxKeys.Names())
	case hasPlugin:
		r.plugin(toolbox, plugin, members, defaults)
	case hasOwn:
		toolbox.Servers, toolbox.Disabled = r.servers(own.Node, defaults)
	default:
		r.Wrong(n.Absent(mcpServersKey), "nothing", "an object with at least one server")
	}
}

// namesIn returns the names in the object of toolboxes or servers under a key, whatever is wrong with them.
func namesIn[T ~string](members tree.Object, key string) []T {
	m, ok := members.Get(key)
	if !ok {
		return nil
	}
	var names []T
	entries, _ := new(tree.Findings).Object(m.Node, tree.NameKeys, "")
	for _, entry := range entries {
		names = append(names, T(entry.Name))
	}
	return names
}

// servers returns the servers of a toolbox, and the names of those that are disabled. Settings
// that a server does not have itself are those of defaults.
func (r *toolboxReader) servers(n tree.Node, defaults domain.Server) (servers []domain.Server, disabled []domain.ServerName) {
	entries, ok := r.Object(n, tree.NameKeys, "an object with at least one server")
	if ok && len(entries) == 0 {
		r.Wrong(n.Place(), "no server", "at least one server")
	}
	servers = make([]domain.Server, 0, len(entries))
	for _, entry := range entries {
		if server, enabled := r.server(entry, defaults); enabled {
			servers = append(servers, server)
		} else {
			disabled = append(disabled, server.ID.Server)
		}
	}
	if len(servers) == 0 && len(entries) > 0 {
		r.Warn(tree.Place{Offset: n.Value.StartOffset, Path: n.Path.Parent}, "left out, since all its servers are disabled")
	}
	return servers, disabled
}

// checkName checks the name of a toolbox or server. The key path shows the name.
func (r *toolboxReader) checkName(m tree.Member) {
	switch {
	case m.Name == "":
		r.Wrong(m.Key(), "an empty name", "at least one character")
	case strings.Contains(m.Name, "__"):
		r.Wrong(m.Key(), `a name with "__"`, `a name without "__"`)
	case domain.SuspiciousName(m.Name) != nil:
		found := fmt.Sprintf("a name with invisible characters (%s)", strings.Join(domain.SuspiciousName(m.Name), ", "))
		r.Wrong(m.Key(), found, fmt.Sprintf("a name without them, such as %q", cmp.Or(domain.SeenName(m.Name), "tools")))
	case r.root.ToolMode == Dynamic && strings.Contains(m.Name, "_"):
		found := fmt.Sprintf(`a name with "_" and the tool mode %q`, Dynamic)
		r.Wrong(m.Key(), found, fmt.Sprintf(`a name without "_" or the tool mode %q`, Proxy))
	}
}
