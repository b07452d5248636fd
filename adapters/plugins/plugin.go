package plugins

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/safefile"
)

// The files of a plugin.
const (
	// Manifest is the name of the file that makes a folder a plugin.
	Manifest = "plugin.json"
	// ServersFile is the name of the file with the servers of a plugin.
	ServersFile = "mcp.json"
)

const (
	// maxFile is the largest manifest, file of servers or skill in bytes.
	maxFile = 1 << 20
	// maxReports is the maximum number of reports. More of them would hide what a review shows besides.
	maxReports = 50
)

// Plugin is what a folder with a manifest provides.
type Plugin struct {
	// Root is the absolute path of its folder without links, and Data that of its private folder, which need not exist.
	Root, Data string
	// Name, Version and Description are those of the manifest. Other people wrote them.
	Name, Version, Description string
	// Servers and Skills are those without mistakes, in the order of the file and of their names.
	Servers []Server
	Skills  []Skill
	// Reports say what is ignored or skipped, and by which rule.
	Reports []Report
	// Files are the files whose bytes decide what runs, by their paths, as they were read. One that does not exist is nil.
	Files map[string]fs.FileInfo

	digests map[string]string
}

// Report is a part of a plugin that is ignored or skipped. No text of it shows more than the name of a value.
type Report struct {
	// Part is the part: a file, or "server" or "skill" with its name in quotes.
	Part string
	// Problem says what is wrong and what follows, Rule the section of the specification.
	Problem, Rule string
}

// String returns the report on one line.
func (r Report) String() string { return r.Part + " " + r.Problem + " (" + section(r.Rule) + ")" }

// RejectedError is a plugin that cannot be used at all.
type RejectedError struct {
	// Folder is the folder of the plugin.
	Folder string
	// Problem says what is wrong with its manifest, Rule the section of the specification.
	Problem, Rule string
}

func (e *RejectedError) Error() string {
	return fmt.Sprintf("%s: %s (%s)", filepath.Join(e.Folder, Manifest), e.Problem, section(e.Rule))
}

func section(rule string) string { return "Agent Plugins 1.0.0, section " + rule }

// IsIn reports whether a folder has a manifest, so that it can be a plugin.
func IsIn(folder string) bool {
	info, err := os.Stat(filepath.Join(folder, Manifest))
	return err == nil && info.Mode().IsRegular()
}

// Load reads the plugin in a folder. It starts nothing, and fetches nothing.
//
// Failures: *RejectedError; a folder that does not exist; no state folder, which every plugin needs for its data.
func Load(folder string) (*Plugin, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return nil, fmt.Errorf("find the plugin %s: %w", folder, err)
	}
	info, err := os.Stat(absolute)
	switch {
	case err != nil:
		return nil, fmt.Errorf("find the plugin: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("find the plugin: %s is no folder (%s)", absolute, section("4.1"))
	}
	p := &Plugin{Root: safefile.Followed(absolute), Files: map[string]fs.FileInfo{}, digests: map[string]string{}}
	text, err := p.read(Manifest)
	if err != nil {
		rule := "5.1"
		if errors.Is(err, errLeaves) {
			rule = "4.1"
		}
		return nil, &RejectedError{Folder: absolute, Problem: cause(err), Rule: rule}
	}
	if err := p.readManifest(text); err != nil {
		err.Folder = absolute
		return nil, err
	}
	if p.Data, err = p.dataFolder(); err != nil {
		return nil, err
	}
	p.readServers()
	p.readSkills()
	return p, nil
}

// dataFolder returns the private folder of the plugin.
func (p *Plugin) dataFolder() (string, error) {
	folder, err := safefile.InStateFolder("plugins")()
	if err != nil {
		return "", fmt.Errorf("find a place for the data of the plugin %s: %w", p.Name, err)
	}
	return filepath.Join(safefile.Followed(folder), p.Name+dataSuffix(p.Root)), nil
}

// dataSuffix ends the names of the private folders of a plugin at a path without links.
func dataSuffix(root string) string {
	const digits = 16
	return "-" + safefile.Digest([]byte(root))[:digits]
}

// RemoveData removes the private folder of the plugin in a folder, which need not exist any more.
//
// Failures: those of the file system.
func RemoveData(folder string) error {
	within, err := safefile.InStateFolder("plugins")()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(within)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), dataSuffix(safefile.Followed(folder))) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(within, entry.Name())))
		}
	}
	return err
}

// errLeaves means that a path leads out of the folder of its plugin.
var errLeaves = errors.New("it leads out of the folder of the plugin")

// within returns the absolute path that a path with slashes names in a folder, unless it or a link in it leads out of that folder.
//
// Failures: errLeaves.
func within(root, path string) (string, error) {
	path = filepath.FromSlash(path)
	if path = filepath.Clean(path); !filepath.IsLocal(path) {
		return "", errLeaves
	}
	path = filepath.Join(root, path)
	if followed := safefile.Followed(path); followed != root && !safefile.IsBelow(root, followed) {
		return "", errLeaves
	}
	return path, nil
}

// read reads a file of the plugin whose bytes decide what runs, and notes it. A missing file is fs.ErrNotExist.
func (p *Plugin) read(name string) ([]byte, error) {
	path, err := within(p.Root, name)
	if err != nil {
		return nil, err
	}
	info, _ := os.Stat(path) // before the file is read, so that a later change is noticed
	p.Files[path], p.digests[name] = info, "none"
	text, err := safefile.ReadUpTo(path, maxFile)
	if err == nil {
		p.digests[name] = safefile.Digest(text)
	}
	return text, err
}

// Seen returns what the consent of a user to the plugin holds for: a line for each file whose bytes decide what runs, with its
// digest. Two states of a plugin with the same lines run the same.
func (p *Plugin) Seen() []byte {
	var text strings.Builder
	for _, name := range p.Deciding() {
		fmt.Fprintf(&text, "%s %q\n", p.digests[name], name)
	}
	return []byte(text.String())
}

// Deciding returns the files whose bytes decide what runs, below the folder of the plugin: the manifest first, then the others by
// name.
func (p *Plugin) Deciding() []string {
	var names []string
	for name := range p.digests {
		if name != Manifest {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return append([]string{Manifest}, names...)
}

// Digest returns the SHA-256 in hexadecimal of a file that decides what runs, "none" for one that cannot be read.
func (p *Plugin) Digest(name string) string { return p.digests[name] }

// Digests returns the digests of the files that decide what runs, by their absolute paths.
func (p *Plugin) Digests() map[string]string {
	digests := make(map[string]string, len(p.digests))
	for name, digest := range p.digests {
		digests[filepath.Join(p.Root, filepath.FromSlash(name))] = digest
	}
	return digests
}

// Exposure describes which other users can change a file that decides what runs, "" if only the user and root can.
func (p *Plugin) Exposure() string {
	for _, name := range p.Deciding() {
		if exposure := safefile.PathExposure(filepath.Join(p.Root, filepath.FromSlash(name))); exposure != "" {
			return exposure
		}
	}
	return ""
}

// report notes a part that is ignored or skipped. Beyond maxReports it notes once that there are more.
func (p *Plugin) report(part, problem, rule string) {
	if len(p.Reports) < maxReports {
		p.Reports = append(p.Reports, Report{Part: part, Problem: problem, Rule: rule})
	} else if len(p.Reports) == maxReports {
		p.Reports = append(p.Reports, Report{Part: "more", Problem: "is ignored or skipped", Rule: rule})
	}
}

// cause returns why a file cannot be read, without its path.
func cause(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "it does not exist"
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return err.Error()
}
