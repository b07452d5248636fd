package main

import "context"

// makeBundles creates an .mcpb bundle for each platform, which Claude Desktop and other hosts install with
// a click.
func (r *release) makeBundles(context.Context) error {
	for _, p := range r.programs {
		manifest, err := render("bundle.json", map[string]any{"Release": r, "Platform": p.platform})
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
