package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/knadh/koanf/v2"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/ports"
)

const (
	// usersFile is the entry of "include" for the user's own configuration.
	usersFile = "user"

	maxIncludeDepth = 8
	maxIncluded     = 100
)

const wantedInclude = `"user", or the path of a configuration file`

// document is a configuration file as it was read: the one in use, or one that it includes. The toolboxes of an included file
// have the secrets, approvals and lock of their own file. The file keeps its protections (protect), and all other root
// settings are those of the file in use.
type document struct {
	*reader
	// tree is nil for a file that cannot be read. members are those of its root.
	tree    *tree.Node
	members tree.Object
	sources secretSources
	// neededTrust says that an included file is in use since the user trusts it.
	neededTrust bool
	// isProject says that it is the file of a project, which joins the file in use.
	isProject bool
}

func newDocument(path string, options Options, transports map[string]ports.Transport) *document {
	return &document{reader: &reader{
		Findings: tree.Findings{File: path}, environment: newEnvironment(options.Environ),
		transports: transports, review: review{isWanted: options.Reviewed},
	}}
}

// read reads the members of the root, and which variables the file has sources for.
func (d *document) read() {
	if d.tree != nil {
		d.members, _ = d.Object(*d.tree, tree.SettingKeys, wantedRoot)
	}
	d.review.note(GivenKey{}, d.members, rootKeys)
	d.sources = d.readSecrets(d.members)
}

// includes reads the files that "include" names, and the files that those include.
type includes struct {
	options Options
	// needTrust says that the file in use may come from others, so that the files it includes need trust of
	// their own.
	needTrust bool
	// files are those that were read, each after the one that includes it.
	files []*document
	// paths are those of the file in use and of the files that were looked at.
	paths []string
	// untrusted are the files that the user does not trust.
	untrusted []*UntrustedError
	// plugins are those of the toolboxes of all files. A plugin that the user does not trust is among untrusted.
	plugins []UsedPlugin
	// given are the settings of the root from variables and flags, which count for all files.
	given *koanf.Koanf
}

func newIncludes(options Options, source source) *includes {
	return &includes{options: options, needTrust: source.origin == FromWorkingDirectory, paths: []string{source.path}}
}

// read reads the files that a file includes. chain holds the paths from the file in use to that file.
func (i *includes) read(d *document, chain []string) {
	m, ok := d.members.Get(includeKey)
	if !ok {
		return
	}
	r := d.reader
	for _, element := range r.List(m.Node, "a list of configuration files") {
		path := i.path(r, element)
		switch at := slices.Index(chain, path); {
		case path == "":
		case at >= 0:
			r.Wrong(element.Place(), "a cycle: "+strings.Join(append(slices.Clone(chain[at:]), path), " includes "), "files that do not include each other")
		case slices.Contains(i.paths, path): // it was read already
		case len(chain) > maxIncludeDepth:
			r.Wrong(element.Place(), "a chain of more than "+strconv.Itoa(maxIncludeDepth)+" included files", "a shorter chain")
		case len(i.paths) > maxIncluded:
			r.Wrong(element.Place(), "more than "+strconv.Itoa(maxIncluded)+" files", "fewer files")
		default:
			i.paths = append(i.paths, path)
			if i.options.Reviewed {
				continue
			}
			i.readFile(r, element, path, append(slices.Clip(chain), path))
		}
	}
}

// path returns the path that an entry names, "" after a mistake and for a user without a configuration
// directory.
func (i *includes) path(r *reader, element tree.Node) string {
	if text, _ := element.Text(); text == usersFile {
		return UserPlace(i.options)
	}
	return r.besideFile(element)
}

// readFile reads a file that an entry names.
func (i *includes) readFile(r *reader, element tree.Node, path string, chain []string) {
	read := readFile(path, maxFileSize)
	r.environment.files[path] = read.info
	isUsers := path == UserPlace(i.options)
	switch {
	case read.unusable == tree.NoFile && isUsers:
		return
	case read.unusable != "":
		r.Wrong(element.Place(), read.unusable+": "+path, wantedInclude+" that can be read")
		return
	}
	if exposure := safefile.PathExposure(path); exposure != "" && !i.options.AllowForeign && !r.allowsForeign() {
		r.Wrong(element.Place(), "a file that others can change ("+exposure+"): "+path,
			"a configuration that only you and root can change, or "+AllowForeignFlag)
		return
	}
	needsTrust := i.needTrust && !isUsers && i.options.Untrusted != LookedAt
	if needsTrust {
		trusted, why := false, ""
		if i.options.Trusts != nil {
			trusted, why = i.options.Trusts(path, read.data)
		}
		if !trusted {
			i.untrusted = append(i.untrusted, &UntrustedError{Path: path, Text: read.data, Why: why})
			return
		}
	}
	file := &document{reader: r.including(path), neededTrust: needsTrust}
	file.fromOthers = i.needTrust && !isUsers
	file.tree = file.Parse(read.data, wantedRoot)
	file.read()
	i.files = append(i.files, file)
	i.read(file, chain)
}
