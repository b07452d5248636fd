package setup

import (
	"fmt"
	"path/filepath"

	"mcp-workbench/adapters/plugins"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// AddPlugin adds a toolbox with the plugin in a folder to the configuration, which must be the one of the scope, after a yes to
// its review. A name that is "" is that of the plugin.
func (e *Editor) AddPlugin(folder, name, description, scope string) error {
	own, _, err := e.openInScope(scope)
	if err != nil {
		return err
	}
	plugin, err := e.ReadPlugin(folder)
	if err != nil {
		return err
	}
	if name == "" {
		name = plugin.Name
	}
	path := []string{"toolboxes", name}
	if _, isTaken := memberOf(own.text(), path); isTaken {
		return &UsageError{fmt.Errorf("the toolbox %s exists in %s; give the plugin another name with --toolbox NAME", name, own.path)}
	}
	edit := own.edit(domain.ServerID{Toolbox: domain.ToolboxName(name)})
	edit.set(path, pluginMember{description, plugin.Root})
	if _, err := edit.check("add the plugin " + plugin.Name); err != nil {
		return err
	}
	e.sayPlugin(plugin)
	if err := e.unaccepted(plugin.NeedsCare); err != nil {
		return err
	}
	edit.asks = true
	edit.around = func(write func() error) error {
		if err := plugin.Trust(); err != nil {
			return err
		}
		return write()
	}
	return e.write(edit, fmt.Sprintf("Added the toolbox %s.", name))
}

// pluginMember is a toolbox with a plugin as it is written.
type pluginMember struct {
	Description string `json:"description,omitempty"`
	Plugin      string `json:"plugin"`
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

// RemovePlugin removes a toolbox that has a plugin from the configuration, which must be the one of the scope, and the private
// folder of the plugin too if that is wanted. It reports whether there is such a toolbox.
func (e *Editor) RemovePlugin(toolbox, scope string, withData bool) (found bool, err error) {
	own, _, err := e.openInScope(scope)
	if err != nil {
		return false, err
	}
	folder := pluginOf(own.path, own.text(), toolbox)
	if folder == "" {
		return false, nil
	}
	edit := own.edit(domain.ServerID{Toolbox: domain.ToolboxName(toolbox)})
	edit.remove([]string{"toolboxes", toolbox})
	if _, err := edit.check("remove " + toolbox); err != nil {
		return true, err
	}
	if withData {
		edit.around = func(write func() error) error {
			if err := write(); err != nil {
				return err
			}
			return plugins.RemoveData(folder)
		}
	}
	return true, e.write(edit, fmt.Sprintf("Removed the toolbox %s. Its plugin stays in %s.", toolbox, folder))
}
