package main

import "context"

// makeBundles creates an .mcpb bundle for each platform, which Claude Desktop and other hosts install with
// a click.
func (r *release) makeBundles(context.Context) error {
	for _, p := range r.programs {
		manifest, err := asJSON(r.bundleManifest(p.platform))
		if err != nil {
			return err
		}
		data, err := zipArchive(append(r.documents.licences(),
			packed{name: "manifest.json", data: manifest}, packed{name: "server/" + p.File(), data: p.data, executable: true}))
		if err != nil {
			return err
		}
		r.add(r.Bundle(p.platform), data)
	}
	return nil
}

// Bundle returns the name of the bundle for a platform. The MCP registry requires "mcp" in its address.
func (r *release) Bundle(p platform) string { return r.folder(p) + ".mcpb" }

func (r *release) bundleManifest(p platform) map[string]any {
	return map[string]any{
		"manifest_version": "0.3", "name": program, "display_name": "MCP Workbench", "version": r.Version.Number,
		"description": r.Owner.Summary,
		"author":      map[string]string{"name": r.Owner.Name, "email": r.Owner.Email},
		"repository":  map[string]string{"type": "git", "url": r.Owner.Repository + ".git"},
		"homepage":    r.Owner.Repository, "license": "MIT", "keywords": []string{"mcp", "gateway", "toolboxes"},
		"server": map[string]any{
			"type": "binary", "entry_point": "server/" + p.File(),
			"mcp_config": map[string]any{
				"command": "${__dirname}/server/" + p.File(), "args": []string{"serve"},
				"env": map[string]string{"WORKBENCH_CONFIG": "${user_config.config}"},
			},
		},
		"tools": []map[string]string{
			{"name": "open_toolbox", "description": "Starts the servers of a toolbox and lists their tools"},
			{"name": "use_tool", "description": "Calls a tool of an open toolbox"},
		},
		"tools_generated": true,
		"user_config": map[string]any{"config": map[string]any{
			"type": "file", "title": "Configuration", "required": false, "default": "",
			"description": "The configuration with your toolboxes. Leave it empty to use the one that 'mcp-workbench init' wrote.",
		}},
		"compatibility": map[string]any{"platforms": []string{p.NodeSystem()}},
	}
}
