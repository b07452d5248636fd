package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// makeSystemPackages creates a .deb and an .rpm for each Linux with nfpm.
func (r *release) makeSystemPackages(ctx context.Context) error {
	directory, err := os.MkdirTemp("", "release")
	if err != nil {
		return fmt.Errorf("make a directory for packages: %w", err)
	}
	defer func() { _ = os.RemoveAll(directory) }() // the system cleans its temporary directory
	for _, p := range r.programs {
		if p.System != "linux" {
			continue
		}
		for _, form := range []string{"deb", "rpm"} {
			if err := r.makeSystemPackage(ctx, p, form, filepath.Join(directory, p.String(), form)); err != nil {
				return fmt.Errorf("make the .%s for %s: %w", form, p, err)
			}
		}
	}
	return nil
}

func (r *release) makeSystemPackage(ctx context.Context, p built, form, directory string) error {
	files, err := r.installedFiles(p, form)
	if err != nil {
		return err
	}
	var contents []map[string]any
	for _, file := range files {
		source := filepath.Join(directory, filepath.FromSlash(file.name))
		if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(source, file.data, file.mode()); err != nil {
			return err
		}
		contents = append(contents, map[string]any{
			"src": source, "dst": file.name,
			"file_info": map[string]any{"mode": file.mode(), "mtime": r.Version.Time.Format(time.RFC3339), "owner": "root", "group": "root"},
		})
	}
	configuration, err := asJSON(map[string]any{ // nfpm reads YAML, of which JSON is a subset
		"name": program, "arch": p.Architecture, "platform": "linux", "version": r.Version.Number, "version_schema": "semver", "release": "1",
		"section": "utils", "priority": "optional", "maintainer": r.Owner.Name + " <" + r.Owner.Email + ">", "vendor": r.Owner.Name,
		"homepage": r.Owner.Repository, "license": "MIT", "mtime": r.Version.Time.Format(time.RFC3339),
		"description": r.Owner.Summary + ".\nHosts such as Claude, Cursor and Codex see two tools in place of hundreds.\nA server starts when its toolbox is opened.",
		"contents":    contents, "rpm": map[string]any{"buildhost": "localhost", "group": "Applications/System", "summary": r.Owner.Summary},
	})
	if err != nil {
		return err
	}
	path := filepath.Join(directory, "nfpm.yaml")
	if err := os.WriteFile(path, configuration, 0o600); err != nil {
		return err
	}
	name := r.SystemPackage(p.Architecture, form)
	target := filepath.Join(directory, name)
	if err := r.runTool(ctx, "nfpm", "package", "--config", path, "--packager", form, "--target", target); err != nil {
		return err
	}
	data, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	r.add(name, data)
	return nil
}

// SystemPackage returns the name of the .deb or .rpm for an architecture.
func (r *release) SystemPackage(architecture, form string) string {
	if form == "rpm" {
		architecture = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[architecture]
	}
	return program + "-" + r.Version.Number + "-linux-" + architecture + "." + form
}

// installedFiles returns the files that a package installs. Manual pages and changes are compressed, as
// Debian's rules require.
func (r *release) installedFiles(p built, form string) ([]packed, error) {
	documents := "/usr/share/doc/" + program + "/"
	manual, err := compress(r.documents.manPage)
	if err != nil {
		return nil, err
	}
	changelog, err := compress(r.documents.changelog)
	if err != nil {
		return nil, err
	}
	files := []packed{
		{name: "/usr/bin/" + program, data: p.data, executable: true},
		{name: "/usr/share/man/man1/" + program + ".1.gz", data: manual},
		{name: "/usr/share/bash-completion/completions/" + program, data: r.documents.completions["bash"]},
		{name: "/usr/share/fish/vendor_completions.d/" + program + ".fish", data: r.documents.completions["fish"]},
		{name: documents + "THIRD_PARTY_LICENSES", data: r.documents.thirdParty},
		{name: documents + "changelog.gz", data: changelog},
	}
	if form == "rpm" {
		return append(files,
			packed{name: "/usr/share/zsh/site-functions/_" + program, data: r.documents.completions["zsh"]},
			packed{name: "/usr/share/licenses/" + program + "/LICENSE", data: r.documents.licence}), nil
	}
	changes, err := compress(r.debianChanges())
	if err != nil {
		return nil, err
	}
	return append(files,
		packed{name: "/usr/share/zsh/vendor-completions/_" + program, data: r.documents.completions["zsh"]},
		packed{name: documents + "changelog.Debian.gz", data: changes},
		packed{name: documents + "copyright", data: r.copyright()},
		packed{name: "/usr/share/lintian/overrides/" + program, data: []byte(lintianOverrides)}), nil
}

// lintianOverrides has the reasons why lintian need not warn.
const lintianOverrides = `# Go programs are linked statically.
mcp-workbench: statically-linked-binary [usr/bin/mcp-workbench]
# The package is not in Debian.
mcp-workbench: initial-upload-closes-no-bugs *
# nfpm writes it.
mcp-workbench: unknown-field License
`

// debianChanges is the only entry of the changelog in Debian's form.
func (r *release) debianChanges() []byte {
	number := strings.Replace(r.Version.Number, "-", "~", 1) + "-1"
	return fmt.Appendf(nil, "%s (%s) unstable; urgency=medium\n\n  * Release %s. changelog.gz has its changes.\n\n -- %s <%s>  %s\n",
		program, number, r.Version.Number, r.Owner.Name, r.Owner.Email, r.Version.Time.Format(time.RFC1123Z))
}

// copyright is the licence in Debian's form.
func (r *release) copyright() []byte {
	notice, terms, _ := strings.Cut(string(r.documents.licence), "\n\nPermission")
	_, notice, _ = strings.Cut(notice, "Copyright")
	var text strings.Builder
	fmt.Fprintf(&text, "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: %s\nSource: %s\n"+
		"Comment: THIRD_PARTY_LICENSES has the licences of the libraries in the program.\n\nFiles: *\nCopyright:%s\nLicense: MIT\n",
		program, r.Owner.Repository, strings.TrimRight(notice, "\n"))
	for line := range strings.Lines("Permission" + strings.TrimRight(terms, "\n") + "\n") {
		if line == "\n" {
			line = ".\n"
		}
		text.WriteString(" " + line)
	}
	return []byte(text.String())
}

// compress returns data compressed, without a name and a time.
func compress(data []byte) ([]byte, error) {
	var compressed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&compressed, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	_, err = writer.Write(data)
	if err = errors.Join(err, writer.Close()); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return compressed.Bytes(), nil
}
