package main

import "context"

// makePlugin creates a marketplace for Claude Code in a folder, with one plugin: the workbench, which it
// starts with npx in exactly this version.
func (r *release) makePlugin(context.Context) error {
	const folder, plugin = "claude-code/", "claude-code/plugins/workbench/"
	r.add(folder+"LICENSE", r.documents.licence)
	return r.addRendered([]rendered{
		{folder + ".claude-plugin/marketplace.json", "marketplace.json"},
		{plugin + ".claude-plugin/plugin.json", "plugin.json"},
		{plugin + ".mcp.json", "plugin.mcp.json"},
	})
}
