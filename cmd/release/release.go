package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// release has the inputs of a release, and the files made from them.
type release struct {
	Owner   owner
	Version version

	programs  []built
	documents documents
	files     []packed
}

// newRelease builds the programs for the platforms and collects the documents beside them.
func newRelease(ctx context.Context, o owner, v version, wanted []platform) (*release, error) {
	directory, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, fmt.Errorf("make a directory to build in: %w", err)
	}
	defer func() { _ = os.RemoveAll(directory) }() // the system cleans its temporary directory
	r := &release{Owner: o, Version: v}
	for i, p := range wanted {
		say(fmt.Sprintf("program for %s (%d of %d)", p, i+1, len(wanted)))
		program, err := build(ctx, p, v.Tag, directory)
		if err != nil {
			return nil, err
		}
		r.programs = append(r.programs, program)
	}
	say("documents and licences")
	here := platform{runtime.GOOS, runtime.GOARCH}
	if !slices.Contains(wanted, here) { // the documents come from a program that runs here
		if _, err := build(ctx, here, v.Tag, directory); err != nil {
			return nil, err
		}
	}
	r.documents, err = newDocuments(ctx, filepath.Join(directory, here.String(), here.File()), v, r.programs)
	return r, err
}

// say prints what is made next, since that takes minutes.
func say(next string) { _, _ = fmt.Fprintln(os.Stderr, "making:", next) } // a failure cannot be reported

// add adds a file to the release.
func (r *release) add(name string, data []byte) {
	r.files = append(r.files, packed{name: name, data: data})
}

// make creates every file of the release. Later steps name the files of earlier ones, with their sums.
func (r *release) make(ctx context.Context) error {
	for _, step := range []struct {
		makes string
		make  func(context.Context) error
	}{
		{"archives", r.makeArchives},
		{"packages of npm", r.makeNPM},
		{"bundles", r.makeBundles},
		{"packages of systems", r.makeSystemPackages},
		{"image", r.makeImage},
		{"manifests", r.makeManifests},
		{"plugin", r.makePlugin},
	} {
		say(step.makes)
		if err := step.make(ctx); err != nil {
			return err
		}
	}
	r.add(program+"-"+r.Version.Number+".cdx.json", r.documents.bill)
	r.add("THIRD_PARTY_LICENSES", r.documents.thirdParty)
	return nil
}

// write writes the files and their sums into a directory. Existing files are replaced.
func (r *release) write(directory string) error {
	var sums strings.Builder
	slices.SortFunc(r.files, func(a, b packed) int { return strings.Compare(a.name, b.name) })
	for _, file := range r.files {
		sums.WriteString(sumLine(file.name, file.data))
	}
	for _, file := range append(slices.Clip(r.files), packed{name: "SHA256SUMS", data: []byte(sums.String())}) {
		path := filepath.Join(directory, filepath.FromSlash(file.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make a folder of the release: %w", err)
		}
		if err := os.WriteFile(path, file.data, file.mode()); err != nil {
			return fmt.Errorf("write a file of the release: %w", err)
		}
		if _, err := fmt.Println(path); err != nil {
			return fmt.Errorf("print the name of a file: %w", err)
		}
	}
	return nil
}

// Sum returns the SHA-256 sum of a file of the release, for templates. It is an error if the file does not
// exist yet.
func (r *release) Sum(name string) (string, error) {
	for _, file := range r.files {
		if file.name == name {
			return fmt.Sprintf("%x", sha256.Sum256(file.data)), nil
		}
	}
	return "", fmt.Errorf("the release has no file %s", name)
}

// Download returns the address of a file of the release.
func (r *release) Download(name string) string {
	return r.Owner.Repository + "/releases/download/" + r.Version.Tag + "/" + name
}

// Platforms returns the platforms of the programs in the release.
func (r *release) Platforms() []platform {
	var found []platform
	for _, p := range r.programs {
		found = append(found, p.platform)
	}
	return found
}

// Archive returns the name of the archive for a platform.
func (r *release) Archive(system, architecture string) string {
	p := platform{system, architecture}
	if system == "windows" {
		return r.folder(p) + ".zip"
	}
	return r.folder(p) + ".tar.gz"
}

// folder is the name of the only folder in an archive.
func (r *release) folder(p platform) string {
	return strings.Join([]string{program, r.Version.Number, p.System, p.Architecture}, "-")
}

// makeArchives creates an archive for each platform.
func (r *release) makeArchives(context.Context) error {
	for _, p := range r.programs {
		readme, err := render("README.md", map[string]any{"Release": r, "Windows": p.System == "windows", "Folder": r.folder(p.platform), "Archive": r.Archive(p.System, p.Architecture)})
		if err != nil {
			return err
		}
		files := []packed{
			{name: p.File(), data: p.data, executable: true},
			{name: "README.md", data: readme},
			{name: "CHANGELOG.md", data: r.documents.changelog},
			{name: program + ".cdx.json", data: r.documents.bill},
			{name: "man/" + program + ".1", data: r.documents.manPage},
			{name: "completions/" + program + ".bash", data: r.documents.completions["bash"]},
			{name: "completions/_" + program, data: r.documents.completions["zsh"]},
			{name: "completions/" + program + ".fish", data: r.documents.completions["fish"]},
			{name: "completions/" + program + ".ps1", data: r.documents.completions["powershell"]},
		}
		pack := tarArchive
		if p.System == "windows" {
			pack = zipArchive
		}
		data, err := pack(inFolder(r.folder(p.platform), append(files, r.documents.licences()...)))
		if err != nil {
			return err
		}
		r.add(r.Archive(p.System, p.Architecture), data)
	}
	return nil
}

// inFolder returns the files with a folder before their names.
func inFolder(folder string, files []packed) []packed {
	placed := slices.Clone(files)
	for i := range placed {
		placed[i].name = folder + "/" + placed[i].name
	}
	return placed
}

// runTool runs a tool of cmd/release/tools, with the time of the commit for its archives.
func (r *release) runTool(ctx context.Context, arguments ...string) error {
	command := exec.CommandContext(ctx, "go", append([]string{"tool", "-modfile=cmd/release/tools/go.mod"}, arguments...)...)
	command.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", r.Version.Time.Unix()))
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", arguments[0], err, strings.TrimSpace(string(output)))
	}
	return nil
}
