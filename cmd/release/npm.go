package main

import (
	"context"
	"slices"
)

// makeNPM creates a package with the program for each platform, and one with a launcher that has them
// as optional dependencies, of which npm installs the matching one. No package has an
// install script.
func (r *release) makeNPM(context.Context) error {
	optional := map[string]string{}
	for _, p := range r.programs {
		name := r.platformPackage(p.platform)
		optional[name] = r.Version.Number
		manifest := r.npmManifest(name, "The program "+program+" for "+p.Node())
		manifest["os"], manifest["cpu"] = []string{p.NodeSystem()}, []string{p.NodeArchitecture()}
		manifest["files"], manifest["preferUnplugged"] = []string{"bin/"}, true
		if err := r.addPackage(program+"-"+p.Node(), manifest, []packed{{name: "bin/" + p.File(), data: p.data, executable: true}}); err != nil {
			return err
		}
	}
	manifest := r.npmManifest(r.Owner.NPM, r.Owner.Summary)
	manifest["bin"] = map[string]string{program: "bin/" + program + ".js"}
	manifest["files"], manifest["engines"] = []string{"bin/"}, map[string]string{"node": ">=18"}
	manifest["optionalDependencies"], manifest["mcpName"] = optional, r.Owner.RegistryName()
	manifest["keywords"] = []string{"mcp", "model-context-protocol", "mcp-server", "mcp-gateway"}
	script, err := render("launcher.js", r)
	if err != nil {
		return err
	}
	return r.addPackage(program, manifest, []packed{{name: "bin/" + program + ".js", data: script, executable: true}})
}

// platformPackage returns the name of the npm package with the program for a platform.
func (r *release) platformPackage(p platform) string {
	return "@" + r.Owner.Account + "/" + program + "-" + p.Node()
}

func (r *release) npmManifest(name, description string) map[string]any {
	return map[string]any{
		"name": name, "version": r.Version.Number, "description": description, "license": "MIT",
		"author":     r.Owner.Name + " <" + r.Owner.Email + ">",
		"homepage":   r.Owner.Repository,
		"repository": map[string]string{"type": "git", "url": "git+" + r.Owner.Repository + ".git"},
		// Packages with a scope are private by default.
		"publishConfig": map[string]any{"access": "public"},
	}
}

// addPackage adds an npm package in the form of "npm pack", but with the same bytes each time.
func (r *release) addPackage(file string, manifest map[string]any, files []packed) error {
	text, err := asJSON(manifest)
	if err != nil {
		return err
	}
	readme, err := render("npm.md", r)
	if err != nil {
		return err
	}
	files = slices.Concat([]packed{{name: "package.json", data: text}, {name: "README.md", data: readme}}, r.documents.licences(), files)
	data, err := tarArchive(inFolder("package", files))
	if err != nil {
		return err
	}
	r.add("npm/"+file+"-"+r.Version.Number+".tgz", data)
	return nil
}
