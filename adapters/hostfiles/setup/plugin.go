package setup

import (
	"fmt"

	"mcp-workbench/adapters/plugins"
	"mcp-workbench/domain"
)

// AddPlugin adds a toolbox with the plugin in a folder to the configuration, which must be the one of the scope, after a yes to
// its review. A name that is "" is that of the plugin.
func AddPlugin(e *Editor, folder, name, description, scope string) error {
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
	edit := e.edit(own, domain.ServerID{Toolbox: domain.ToolboxName(name)})
	edit.set(path, pluginMember{description, plugin.Root})
	if _, err := edit.check("add the plugin " + plugin.Name); err != nil {
		return err
	}
	own.shownPlugins = []domain.ToolboxName{domain.ToolboxName(name)}
	e.sayPlugin(plugin)
	if !plugin.HasServers && !plugin.HasSkills {
		return fmt.Errorf("add the plugin %s: it has no server and no skill that can be used", plugin.Name)
	}
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
	done := fmt.Sprintf("Added the toolbox %s.", name)
	if !plugin.HasServers && plugin.HasSkills {
		done += " Its plugin has only skills, which " + e.command("connect HOST --skills") + " writes."
	}
	return edit.write(done)
}

// pluginMember is a toolbox with a plugin as it is written.
type pluginMember struct {
	Description string `json:"description,omitempty"`
	Plugin      string `json:"plugin"`
}

// RemovePlugin removes a toolbox that has a plugin from the configuration, which must be the one of the scope, and the private
// folder of the plugin too if that is wanted. It reports whether there is such a toolbox.
func RemovePlugin(e *Editor, toolbox, scope string, withData bool) (found bool, err error) {
	own, _, err := e.openInScope(scope)
	if err != nil {
		return false, err
	}
	folder := pluginOf(own.path, own.text(), toolbox)
	if folder == "" {
		return false, nil
	}
	edit := e.edit(own, domain.ServerID{Toolbox: domain.ToolboxName(toolbox)})
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
	return true, edit.write(fmt.Sprintf("Removed the toolbox %s. Its plugin stays in %s.", toolbox, folder))
}
