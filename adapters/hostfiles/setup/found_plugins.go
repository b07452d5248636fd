package setup

import (
	"errors"
	"fmt"
	"path/filepath"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// foundPlugin is a folder of a host that may have a plugin.
type foundPlugin struct {
	hostfiles.PluginPlace
	// toolbox is the name that the user gives its toolbox, "" for that of the plugin.
	toolbox string
}

// importedPlugin is a plugin of a host that becomes a toolbox. Its JSON is that of 'import --json'.
type importedPlugin struct {
	Toolbox string      `json:"toolbox"`
	Host    string      `json:"host"`
	Scope   setup.Scope `json:"scope"`
	Folder  string      `json:"folder"`

	plugin *Plugin
	from   foundPlugin
}

// pluginFolder returns the folder of the plugin that a source of import names, by itself or by a file in it, "" for none.
func pluginFolder(source string) string {
	if base := filepath.Base(source); base == plugins.Manifest || base == plugins.ServersFile {
		source = filepath.Dir(source)
	}
	if !plugins.IsIn(source) || hostfiles.IsManifestFolder(source) {
		return ""
	}
	absolute, err := filepath.Abs(source)
	if err != nil {
		return "" // the source is then read as a file, which names the failure
	}
	return absolute
}

// pluginsIn returns the toolboxes with plugins in the text of the configuration at a path, by the folders of the plugins without links.
func pluginsIn(path string, text []byte) map[string]string {
	toolboxes, _ := textedit.ReadJSON(text, []string{"toolboxes"}) // was read before
	used := map[string]string{}
	for _, toolbox := range toolboxes {
		if folder := pluginOf(path, text, toolbox.Name); folder != "" {
			used[safefile.Followed(folder)] = toolbox.Name
		}
	}
	return used
}

// withPlugins returns a text of the configuration with a toolbox for each plugin that was found, and notes in the plan which
// are in it and which are not. With a toolbox for all servers there are none: a plugin is a toolbox of its own.
func (i *importing) withPlugins(p *importPlan, text []byte, found []foundPlugin, unreviewed bool) ([]byte, error) {
	p.Plugins, i.own.shownPlugins = []importedPlugin{}, nil
	used := pluginsIn(i.own.path, text)
	for _, place := range found {
		folder := safefile.Followed(place.Folder)
		if _, isUsed := used[folder]; isUsed || !plugins.IsIn(folder) {
			continue
		}
		used[folder] = "" // hosts share plugins
		skip := func(reason string) {
			source := setup.Source{Host: place.Host, Scope: place.Scope, Path: place.Folder}
			p.Left = append(p.Left, setup.Skipped{Name: filepath.Base(place.Folder), Source: source, Reason: reason})
		}
		plugin, after, reason, err := i.withPlugin(text, place, unreviewed)
		switch {
		case err != nil:
			return nil, err
		case reason != "":
			skip(reason)
			continue
		}
		text = after
		p.Plugins = append(p.Plugins, plugin)
		i.own.shownPlugins = append(i.own.shownPlugins, domain.ToolboxName(plugin.Toolbox))
	}
	return text, nil
}

// withPlugin returns the text of the configuration with a toolbox added for a plugin, or the reason for not adding one.
func (i *importing) withPlugin(text []byte, place foundPlugin, unreviewed bool) (_ importedPlugin, after []byte, reason string, err error) {
	add := domain.QuotedCommand("mcp-workbench add " + domain.ShellWord(place.Folder))
	switch {
	case unreviewed && place.Scope == setup.Project:
		return importedPlugin{}, nil, "it belongs to the project in this folder, so review it first: " + add, nil
	case i.toolbox != "":
		return importedPlugin{}, nil, "a plugin is a toolbox of its own, which --toolbox does not fill", nil
	}
	plugin, err := i.ReadPlugin(place.Folder)
	if err != nil {
		return importedPlugin{}, nil, err.Error(), nil //nolint:nilerr // one plugin never takes the others with it
	}
	name := plugin.Name
	if place.toolbox != "" {
		name = place.toolbox
	}
	path := []string{"toolboxes", name}
	_, isTaken := memberOf(text, path)
	switch {
	case !plugin.HasServers && !plugin.HasSkills:
		return importedPlugin{}, nil, "the plugin has no server and no skill that can be used", nil
	case isTaken:
		return importedPlugin{}, nil, fmt.Sprintf("the toolbox %s exists; %s gives it another name", name,
			domain.QuotedCommand("mcp-workbench add "+domain.ShellWord(place.Folder)+" --toolbox NAME")), nil
	}
	after, err = withMember(text, path, pluginMember{Plugin: plugin.Root})
	if err == nil {
		_, err = i.own.check(after)
	}
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return importedPlugin{}, nil, invalid.Problems[0].String(), nil
	}
	imported := importedPlugin{Toolbox: name, Host: place.Host, Scope: place.Scope, Folder: plugin.Root, plugin: plugin, from: place}
	return imported, after, "", err
}

// trusting returns a change that first records trust in plugins.
func trusting(found []importedPlugin, apply func() error) func() error {
	return func() error {
		for _, plugin := range found {
			if err := plugin.plugin.Trust(); err != nil {
				return err
			}
		}
		return apply()
	}
}

// reportPlugins prints the plugins that are about to become toolboxes.
func (i *importing) reportPlugins(found []importedPlugin) {
	for _, plugin := range found {
		line := plugin.Toolbox + " is the plugin in " + plugin.Folder
		if host, known := hostfiles.Find(plugin.Host); known {
			line += ", a folder of " + host.Name
		}
		if plugin.Scope == setup.Project {
			line += ", which belongs to the project in this folder"
		}
		i.say("%s", domain.LineText(line))
		i.sayPlugin(plugin.plugin)
	}
}
