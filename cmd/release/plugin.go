package main

import "context"

// makePlugin creates a marketplace for Claude Code in a folder, with one plugin: the workbench, which it
// starts with npx in exactly this version. Beside it is the same as an Agent Plugin, for all hosts that read those.
func (r *release) makePlugin(context.Context) error {
	const folder, plugin, portable = "claude-code/", "claude-code/plugins/workbench/", "agent-plugin/"
	r.add(folder+"LICENSE", r.documents.licence)
	r.add(portable+"LICENSE", r.documents.licence)
	return r.addRendered([]rendered{
		{folder + ".claude-plugin/marketplace.json", "marketplace.json"},
		{plugin + ".claude-plugin/plugin.json", "plugin.json"},
		{plugin + ".mcp.json", "plugin.mcp.json"},
		{portable + "plugin.json", "agent-plugin.json"},
		{portable + "mcp.json", "agent-plugin.mcp.json"},
	})
}
