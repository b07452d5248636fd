package setup

import (
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/domain"
)

// pluginUpdate is the JSON that update prints about the plugin of a toolbox.
type pluginUpdate struct {
	Toolbox string `json:"toolbox"`
	Folder  string `json:"folder"`
	Version string `json:"version"`
	Changed bool   `json:"changed"`
	Written bool   `json:"written"`
	// New are the lines of its review that the user did not see before, Was those that no longer hold.
	New   []string `json:"new"`
	Was   []string `json:"was"`
	Error string   `json:"error,omitempty"`
}

// namedPlugins returns the toolboxes with plugins among names, or all of them if there are no names, and the other names.
func (f *ownFile) namedPlugins(names []string) (toolboxes, others []string) {
	if len(names) == 0 {
		members, _ := textedit.ReadJSON(f.text(), []string{"toolboxes"}) // was read before
		for _, toolbox := range members {
			if pluginOf(f.path, f.text(), toolbox.Name) != "" {
				toolboxes = append(toolboxes, toolbox.Name)
			}
		}
		return toolboxes, nil
	}
	for _, name := range names {
		if toolbox := strings.TrimSuffix(name, "/"); pluginOf(f.path, f.text(), toolbox) != "" {
			toolboxes = append(toolboxes, toolbox)
		} else {
			others = append(others, name)
		}
	}
	return toolboxes, others
}

// updatePlugins shows what differs between the plugins of toolboxes and the bytes that the user trusts, and trusts each after a
// yes. It reports whether the command fails.
//
// Failures: those of unaccepted and of asking.
func (u *update) updatePlugins(own *ownFile, toolboxes []string) (results []pluginUpdate, failed bool, err error) {
	results = []pluginUpdate{}
	for _, toolbox := range toolboxes {
		result := pluginUpdate{Toolbox: toolbox, Folder: pluginOf(own.path, own.text(), toolbox), New: []string{}, Was: []string{}}
		plugin, err := u.ReadPlugin(result.Folder)
		if err != nil {
			result.Error, failed = err.Error(), true
			u.say("%s: %s", domain.ReviewLine(toolbox), domain.ReviewLine(err.Error()))
			results = append(results, result)
			continue
		}
		result.Version, result.Changed = plugin.Version, !plugin.IsTrusted
		if result.Changed {
			result.New, result.Was = slices.Concat(result.New, plugin.New), slices.Concat(result.Was, plugin.Was)
			if result.Written, err = u.updatePlugin(toolbox, plugin); err != nil {
				return nil, false, err
			}
		} else {
			u.say("%s: its plugin is as you trusted it", domain.ReviewLine(toolbox))
		}
		failed = failed || u.wish.Check && result.Changed
		results = append(results, result)
	}
	return results, failed, nil
}

// updatePlugin shows what differs in a plugin, and trusts it after a yes. It reports whether it is trusted now.
func (u *update) updatePlugin(toolbox string, plugin *Plugin) (written bool, err error) {
	u.say("%s: the plugin in %s is not as you trusted it. It would start and reach, with your rights:",
		domain.ReviewLine(toolbox), domain.ReviewLine(plugin.Root))
	u.sayPluginLines(plugin.New, plugin.Was)
	if u.wish.Check || u.DryRun {
		return false, u.printErr
	}
	care := slices.DeleteFunc(slices.Clone(plugin.NeedsCare), func(line string) bool { return !slices.Contains(plugin.New, line) })
	if u.AllowOptions = u.wish.AllowOptions; u.Yes {
		err = u.unaccepted(care)
	}
	switch {
	case err != nil:
		return false, err
	case !u.Yes && !u.asks():
		u.isUnconfirmed = true
		return false, nil
	case !u.Yes:
		if yes, err := u.terminal.Confirm("Trust this plugin?"); err != nil || !yes {
			return false, err
		}
	}
	if err := plugin.Trust(); err != nil {
		return false, err
	}
	u.say("%s: trusted as it is now.", domain.ReviewLine(toolbox))
	return true, u.printErr
}
