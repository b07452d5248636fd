package config

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/plugins"
	"mcp-workbench/domain"
)

const (
	pluginKey  = "plugin"
	serversKey = "servers"
)

// UsedPlugin is the plugin of a toolbox.
type UsedPlugin struct {
	*plugins.Plugin
	Toolbox domain.ToolboxName
}

// ManifestPath returns the absolute path of the plugin's manifest, by which trust in the plugin is recorded.
func (p UsedPlugin) ManifestPath() string { return filepath.Join(p.Root, plugins.Manifest) }

// addedServers are the value of "servers": keys for servers of the plugin, by their names.
type addedServers struct{}

func (addedServers) schema(schemaWriter, keyPlace) schema {
	return schema{"type": "object", "additionalProperties": schema{"type": "object"}}
}

// plugin reads the plugin of a toolbox, whose members are those of the toolbox. The toolbox is left without servers if the
// plugin cannot be used, or is not trusted.
//
// Decision: nothing about a plugin is a mistake of the configuration, since the user cannot correct it there, and an
// update of a plugin must not keep a configuration from being read. What cannot be used is left out with a warning.
func (r *toolboxReader) plugin(toolbox *domain.Toolbox, m tree.Member, members tree.Object, defaults domain.Server) {
	path := r.beside(m.Node, "the path of the folder of a plugin, absolute or relative to the configuration")
	if path == "" {
		return
	}
	loaded, err := plugins.Load(path)
	closed := &UntrustedError{Path: filepath.Join(path, plugins.Manifest), Toolbox: toolbox.Name}
	if err != nil {
		r.environment.files[closed.Path], _ = os.Stat(closed.Path) // a missing file counts once it is there
		closed.Rejected = err.Error()
		r.included.untrusted = append(r.included.untrusted, closed)
		return
	}
	used := UsedPlugin{loaded, toolbox.Name}
	closed.Path = used.ManifestPath()
	maps.Copy(r.environment.files, loaded.Files)
	if !r.mayUsePlugin(used, closed) {
		r.included.untrusted = append(r.included.untrusted, closed)
		return
	}
	r.included.plugins = append(r.included.plugins, used)
	for _, report := range loaded.Reports {
		r.WarnReviewed(m.Place(), domain.ReviewLine(report.String()))
	}
	if toolbox.Description == "" {
		toolbox.Description, toolbox.IsDescribedByOthers = wordsOfOthers(loaded.Description), true
	}
	toolbox.Skills = used.PluginSkills()
	toolbox.Servers, toolbox.Disabled = r.pluginServers(m, used, r.addedObjects(members), defaults)
	if len(toolbox.Servers)+len(toolbox.Disabled)+len(used.Skills) == 0 {
		r.Warn(m.Place(), "left out, since its plugin has no server that can be used")
	}
}

// maxDescription is the maximum number of characters of the description of a plugin that a toolbox has.
const maxDescription = 300

// wordsOfOthers returns the description of a plugin as that of a toolbox, "" for none. It shows that others wrote it.
func wordsOfOthers(text string) string {
	if text = domain.OneLine(text); text == "" {
		return ""
	}
	text = strings.ReplaceAll(domain.ReviewLine(domain.CutCharacters(text, maxDescription)), `"`, `'`)
	return `Its plugin says: "` + text + `"`
}

// mayUsePlugin reports whether a plugin is trusted, or need not be, since nothing is started. Otherwise it notes why not.
func (r *toolboxReader) mayUsePlugin(used UsedPlugin, closed *UntrustedError) bool {
	if exposure := used.Exposure(); exposure != "" && !r.included.options.AllowForeign && !r.allowsForeign() {
		closed.Exposure = exposure
		return false
	}
	if r.included.options.Reviewed || r.included.options.ReadsPlugins || r.included.options.Untrusted == LookedAt {
		return true
	}
	closed.Text = used.Seen()
	if r.included.options.Trusts == nil {
		return false
	}
	trusted, why := r.included.options.Trusts(closed.Path, closed.Text)
	closed.Why = why
	return trusted
}

// addedObjects returns the objects of "servers".
func (r *toolboxReader) addedObjects(members tree.Object) tree.Object {
	m, ok := members.Get(serversKey)
	if !ok {
		return nil
	}
	objects, _ := r.Object(m.Node, tree.NameKeys, "an object of servers of the plugin")
	return objects
}

// pluginServers returns the servers of a plugin, and the names of those that are disabled.
func (r *toolboxReader) pluginServers(
	m tree.Member, used UsedPlugin, added tree.Object, defaults domain.Server,
) (servers []domain.Server, disabled []domain.ServerName) {
	for _, given := range used.Servers {
		entry, err := tree.Elsewhere(m.Path.Parent.Member(serversKey), given.Name, given.Settings)
		if err != nil {
			continue // the settings were written as JSON
		}
		if own, ok := added.Get(given.Name); ok {
			r.addKeys(entry, own)
		}
		before := len(r.Problems)
		server, enabled := r.server(entry, defaults)
		server.IsOfPlugin = true
		if server.Traits.Program.Command != "" {
			server.Data, server.Files = used.Data, used.Digests()
		}
		switch {
		case r.leaveOut(m, given.Name, before):
		case enabled:
			servers = append(servers, server)
		default:
			disabled = append(disabled, server.ID.Server)
		}
	}
	for _, own := range added {
		if !slices.ContainsFunc(used.Servers, func(s plugins.Server) bool { return s.Name == own.Name }) {
			r.Warn(own.Key(), "the plugin has no server of this name that can be used")
		}
	}
	return servers, disabled
}

// leaveOut reports whether something that the plugin says about a server is a problem, one of those that were found since there
// were before of them. It turns these problems into warnings.
func (r *toolboxReader) leaveOut(m tree.Member, name string, before int) bool {
	isOthers := func(found tree.Finding) bool { return found.IsElsewhere() }
	own, others := slices.Clone(r.Problems[before:]), r.Problems[before:]
	own = slices.DeleteFunc(own, isOthers)
	others = slices.DeleteFunc(slices.Clone(others), func(found tree.Finding) bool { return !isOthers(found) })
	r.Problems = append(r.Problems[:before], own...)
	for _, found := range others {
		r.WarnReviewed(m.Place(), "the server "+domain.QuotedName(name)+" of the plugin is left out: found "+found.Found+", want "+found.Wanted)
	}
	return len(others) > 0
}

// addKeys adds the keys that the configuration has for a server of a plugin, unless they would change what runs.
func (r *toolboxReader) addKeys(entry, own tree.Member) {
	given, ok := r.Object(own.Node, tree.SettingKeys, "an object with keys for the server of the plugin")
	if !ok {
		return
	}
	members, _ := r.Object(entry.Node, tree.SettingKeys, "")
	for _, m := range given {
		key := KeyAt(r.transports, []string{toolboxesKey, "", serversKey, "", m.Name})
		before, isGiven := members.Get(m.Name)
		switch {
		case key.Is(keys.Code | keys.Address), isGiven && key.Kind != keys.Pairs:
			r.Wrong(m.Key(), "a key that says what runs", "only keys that the plugin leaves open")
		case isGiven:
			before.Append(r.addedPairs(m, key, before))
		default:
			entry.Append(tree.Object{m})
		}
	}
}

// addedPairs returns the variables or headers that can be added to those of a plugin.
func (r *toolboxReader) addedPairs(m tree.Member, key keys.Key, before tree.Member) tree.Object {
	given, _ := r.Object(m.Node, tree.DataKeys, "an object of strings")
	taken, _ := r.Object(before.Node, tree.DataKeys, "")
	return slices.DeleteFunc(given, func(pair tree.Member) bool {
		isTaken := slices.ContainsFunc(taken, func(t tree.Member) bool { return strings.EqualFold(t.Name, pair.Name) })
		if isTaken || key.Is(keys.Variables) && domain.CodeVariable(pair.Name) != "" {
			r.Wrong(pair.Key(), "a name that says what runs, or that the plugin sets", "only other names")
			return true
		}
		return false
	})
}
