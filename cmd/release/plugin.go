package main

import "context"

// makePlugin creates a marketplace for Claude Code in a folder, with one plugin: the workbench, which it
// starts with npx in exactly this version.
func (r *release) makePlugin(context.Context) error {
	author := map[string]string{"name": r.Owner.Name, "email": r.Owner.Email}
	const folder, plugin = "claude-code/", "claude-code/plugins/workbench/"
	for _, file := range []struct {
		name  string
		value any
	}{
		{folder + ".claude-plugin/marketplace.json", map[string]any{
			"name": program, "owner": author, "metadata": map[string]string{"description": r.Owner.Summary, "version": r.Version.Number},
			"plugins": []map[string]any{{
				"name": "workbench", "source": "./plugins/workbench", "description": r.Owner.Summary, "version": r.Version.Number,
				"author": author, "homepage": r.Owner.Repository, "license": "MIT", "category": "productivity",
			}},
		}},
		{plugin + ".claude-plugin/plugin.json", map[string]any{
			"name": "workbench", "version": r.Version.Number, "description": r.Owner.Summary, "author": author,
			"homepage": r.Owner.Repository, "repository": r.Owner.Repository, "license": "MIT", "keywords": []string{"mcp", "gateway"},
		}},
		{plugin + ".mcp.json", map[string]any{"mcpServers": map[string]any{"workbench": map[string]any{
			"command": "npx", "args": []string{"-y", r.Owner.NPM + "@" + r.Version.Number, "serve"},
		}}}},
	} {
		text, err := asJSON(file.value)
		if err != nil {
			return err
		}
		r.add(file.name, text)
	}
	r.add(folder+"LICENSE", r.documents.licence)
	return nil
}
