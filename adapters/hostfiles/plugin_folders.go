package hostfiles

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain/rawjson"
)

// PluginPlace is a folder in which a host looks for a plugin. It need not be one.
type PluginPlace struct {
	// Host is the ID of the host, "" for a folder that several programs share.
	Host  string
	Scope setup.Scope
	// Folder is its absolute path.
	Folder string
}

// pluginSource finds the folders of plugins of one host in one place.
type pluginSource struct {
	host  string
	scope setup.Scope
	// folders returns the folders on a machine.
	folders func(Machine) []string
}

// pluginSources are where programs keep plugins of the Agent Plugins Specification, with what shows it.
//
// Decision: three kinds of folders are not here. Claude Code wants a manifest of its own (.claude-plugin). Caches with a folder
// for each version, as ~/.codex/plugins/cache and ~/.cursor/plugins/cache are, lose the folder with the next update, and the
// toolbox with it. For Kiro no page of its makers names a folder.
var pluginSources = []pluginSource{
	// https://github.com/vinhnx/VTCode/wiki/Agent-Plugins, and its guide to them, "Discovery roots"
	{"", setup.User, below(1, func(m Machine) string { return m.home(".agents", "plugins") })},
	{"", setup.Project, below(1, func(m Machine) string { return m.project(".agents", "plugins") })},
	// https://github.com/coder/coder/pull/29320, for its agents in a workspace
	{"", setup.User, below(1, func(m Machine) string { return m.home(".coder", "plugins") })},
	// https://github.com/coder/xum/pull/3815
	{"", setup.User, below(1, func(m Machine) string { return m.home(".mux", "plugins") })},
	{"", setup.Project, below(1, func(m Machine) string { return m.project(".mux", "plugins") })},
	// https://github.com/cursor/plugins, create-plugin/rules/plugin-quality-gates.mdc
	{"cursor", setup.User, below(1, func(m Machine) string { return m.home(".cursor", "plugins", "local") })},
	// https://github.com/microsoft/vscode, contrib/chat/common/plugins: ConfiguredAgentPluginDiscovery
	{"vscode", setup.User, func(m Machine) []string { return pluginLocations(m, m.config("Code", "User", "settings.json"), "") }},
	{"vscode", setup.Project, func(m Machine) []string {
		return pluginLocations(m, m.project(".vscode", "settings.json"), m.project())
	}},
	// the same folder: FileBackedInstalledPluginsStore
	{"vscode", setup.User, func(m Machine) []string {
		return installedPlugins(m, m.home(".vscode", "agent-plugins", "installed.json"))
	}},
	// https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-plugin-reference: a marketplace, or _direct, and a plugin
	{"copilot", setup.User, below(2, func(m Machine) string {
		return filepath.Join(m.orHome("COPILOT_HOME", ".copilot"), "installed-plugins")
	})},
}

// Plugins returns the folders in which hosts look for plugins: those of the hosts with these IDs, or of all hosts and those that
// several share if there are none.
func (m Machine) Plugins(ids []string) []PluginPlace {
	var places []PluginPlace
	for _, source := range pluginSources {
		if len(ids) > 0 && !slices.Contains(ids, source.host) {
			continue
		}
		for _, folder := range source.folders(m) {
			places = append(places, PluginPlace{Host: source.host, Scope: source.scope, Folder: folder})
		}
	}
	return places
}

// below returns the folders that are so many levels below another one, whose path is "" for none.
func below(levels int, folder func(Machine) string) func(Machine) []string {
	return func(m Machine) []string {
		folders := []string{folder(m)}
		if folders[0] == "" {
			return nil
		}
		for range levels {
			var inner []string
			for _, outer := range folders {
				entries, _ := os.ReadDir(outer) // one that cannot be read has no plugins
				for _, entry := range entries[:min(len(entries), maxInFolder)] {
					inner = append(inner, filepath.Join(outer, entry.Name()))
				}
			}
			folders = inner
		}
		return folders
	}
}

// pluginLocations returns the folders of the setting chat.pluginLocations in a file, "" for none: an object whose members are
// paths with true. A relative path is below the folder of the project, and ignored in the settings of the user.
func pluginLocations(m Machine, file, project string) []string {
	text, err := LoadIfThere(file)
	if file == "" || err != nil {
		return nil
	}
	members, _ := textedit.ReadJSON(text, []string{"chat.pluginLocations"}) // a file that cannot be parsed has none
	var folders []string
	for _, member := range members {
		if string(member.Value) != "true" {
			continue
		}
		path := m.pathOf(member.Name)
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = m.home(filepath.FromSlash(rest))
		}
		if !filepath.IsAbs(path) && project != "" {
			path = filepath.Join(project, path)
		}
		if filepath.IsAbs(path) {
			folders = append(folders, filepath.Clean(path))
		}
	}
	return folders
}

// installedPlugins returns the folders that the list of VS Code's installed plugins names.
func installedPlugins(m Machine, file string) []string {
	text, err := LoadIfThere(file)
	if err != nil || text == nil {
		return nil
	}
	var list struct {
		Installed []struct {
			PluginURI json.RawMessage `json:"pluginUri"`
		} `json:"installed"`
	}
	if json.Unmarshal(text, &list) != nil {
		return nil
	}
	var folders []string
	for _, plugin := range list.Installed {
		if path := m.pathOf(rawjson.Text(plugin.PluginURI)); filepath.IsAbs(path) {
			folders = append(folders, filepath.Clean(path))
		}
	}
	return folders
}

// pathOf returns the path that a text is, or that it names as an address of a file.
func (m Machine) pathOf(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.Scheme != "file" {
		return text
	}
	path := address.Path
	if m.isWindows() {
		path = strings.TrimPrefix(path, "/") // of "/c:/Users"
	}
	return filepath.FromSlash(path)
}
