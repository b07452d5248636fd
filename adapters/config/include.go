package config

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

const (
	includeKey = "include"
	// usersFile is the entry of "include" for the user's own configuration.
	usersFile = "user"

	maxIncludeDepth = 8
	maxIncluded     = 100
)

const wantedInclude = `"user", or the path of a configuration file`

// includes reads the files that "include" names, and the files that those include.
type includes struct {
	options Options
	// needTrust says that the file in use may come from others, so that the files it includes need trust of
	// their own.
	needTrust bool
	// files are those that were read, each after the one that includes it.
	files []*includedFile
	// paths are those of the file in use and of the files that were looked at.
	paths []string
	// untrusted are the files that the user does not trust.
	untrusted []*UntrustedError
}

// includedFile is a file that another one includes. Its toolboxes have the secrets, approvals and lock of their own
// file. The file keeps its protections (protect), and all other root settings are those of the file in use.
type includedFile struct {
	*reader
	// neededTrust says that the file is in use since the user trusts it.
	neededTrust bool
	// isProject says that it is the file of a project, which joins the file in use.
	isProject bool
	tree      *tree.Node
	members   tree.Object
}

// read reads the files that a file includes. chain holds the paths from the file in use to that file.
func (i *includes) read(r *reader, members tree.Object, chain []string) {
	m, ok := members.Get(includeKey)
	if !ok {
		return
	}
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
	read := source{path: path}
	read.read()
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
	file := &includedFile{reader: r.including(path), neededTrust: needsTrust}
	file.fromOthers = i.needTrust && !isUsers
	if file.tree = file.Parse(read.data, wantedRoot); file.tree != nil {
		file.members, _ = file.Object(*file.tree, tree.SettingKeys, `an object with "toolboxes"`)
	}
	file.readSecrets(file.members)
	i.files = append(i.files, file)
	i.read(file.reader, file.members, chain)
}

// including returns a reader for a file that another one includes.
func (r *reader) including(path string) *reader {
	environment := *r.environment
	environment.provided, environment.required = map[string]*provided{}, nil
	return &reader{
		Findings: tree.Findings{File: path}, environment: &environment, transports: r.transports, makesLock: r.makesLock,
	}
}

// toolboxes reads the toolboxes of the file, with the settings of root but the file's own approvals. If the file in
// use may come from others, its own settings also decide which variables its servers inherit and when they start.
func (f *includedFile) toolboxes(root Root, ofOthers bool) []domain.Toolbox {
	f.root = &root
	if ofOthers {
		root.inheritEnv = nil
	}
	if ofOthers && !f.isProject && !f.isGiven(startKey) {
		root.Start = domain.StartOnOpen
	}
	if m, ok := f.members.Get(inheritEnvKey); ok {
		root.inheritEnv = f.rootInheritEnv(m.Node)
	}
	if m, ok := f.members.Get(startKey); ok && ofOthers && !f.isProject && !f.isGiven(startKey) {
		root.Start, _ = tree.Word(&f.reader.Findings, m.Node, domain.StartModes())
	}
	root.Approvals = f.approvals(f.members, domain.Approvals{}, domain.RootPattern)
	return f.reader.toolboxes(f.tree, f.members)
}

// add appends the file's own toolboxes to those of earlier files. If a name is taken, the earlier toolbox
// stays. fileOf maps the names that are taken to their files.
func (f *includedFile) add(toolboxes, own []domain.Toolbox, fileOf map[domain.ToolboxName]string) []domain.Toolbox {
	for _, toolbox := range own {
		if other, taken := fileOf[toolbox.Name]; taken {
			f.Warn(tree.WholeFile, "its toolbox "+domain.QuotedName(toolbox.Name)+" is left out, since "+other+" has one of that name")
			continue
		}
		toolbox.File = f.File
		toolboxes = append(toolboxes, toolbox)
	}
	for _, toolbox := range own {
		fileOf[toolbox.Name] = cmp.Or(fileOf[toolbox.Name], f.File)
	}
	return toolboxes
}

// loaded holds the toolboxes and findings of all files of a configuration.
type loaded struct {
	toolboxes          []domain.Toolbox
	problems, warnings []tree.Problem
	concerns           []domain.ConfigurationProblem
	// ofProject are the problems of a project's file, which never keep the user's own file from being used.
	ofProject []tree.Problem
}

// addIncluded adds the toolboxes of the included files, and their problems. own are the toolboxes of the file
// in use, including those with mistakes. A mistake in one file does not remove the toolboxes of others.
func (r *reader) addIncluded(found *loaded, included *includes, own []domain.Toolbox, chosen []string) {
	fileOf := map[domain.ToolboxName]string{}
	for _, toolbox := range slices.Concat(own, r.disabled) {
		fileOf[toolbox.Name] = r.File
	}
	for _, file := range included.files {
		file.given = r.given
		toolboxes := file.toolboxes(*r.root, included.needTrust || file.isProject)
		if file.isProject {
			file.refuseTaken(fileOf)
		}
		file.warnUnknownServers(slices.Concat(toolboxes, file.disabled))
		keepOf(&file.Findings, chosen)
		concerns := concerns(&file.Findings)
		found.toolboxes = file.add(found.toolboxes, remainder(toolboxes, concerns), fileOf)
		for _, concern := range concerns {
			concern.All = false
			found.concerns = append(found.concerns, concern)
		}
		if file.isProject && included.options.Untrusted != LookedAt {
			found.ofProject = file.Placed(file.Problems)
		} else {
			found.problems = append(found.problems, file.Placed(file.Problems)...)
		}
		found.warnings = append(found.warnings, file.Placed(file.Warnings)...)
		r.disabled = append(r.disabled, file.disabled...)
		r.secrets = append(r.secrets, file.secrets...)
		r.environment.require(file.environment.required)
	}
}
