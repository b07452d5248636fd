package config

import (
	"path/filepath"
	"slices"
	"strconv"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// projectKeys are the keys of the root that a project's file can have beside the user's own: its toolboxes, and what
// protects the user of their servers.
//
// Decision: every other setting is the user's, also those that could be stricter, such as "pinning": they hold for the
// whole workbench, and a project must not change what the user's own servers do.
var projectKeys = append(approvalKeys.Names(), toolboxesKey, inheritEnvKey, includeKey)

// projectOf returns the path of the project's file that joins the file in use, "" for none. Only the user's own file is
// joined.
func (o Options) projectOf(inUse string) string {
	path := filepath.Join(o.WorkDir, FileName)
	if users := UserPlace(o); !o.JoinsProject || inUse != users || path == users {
		return ""
	}
	return path
}

// join reads the file of a project, whose toolboxes are served beside those of the user's own file once the user trusts
// it (tests/acceptance/CONTRACT.md section 38). A file that cannot be used is a reason for a warning only.
func (i *includes) join(own *document, path string) {
	if slices.Contains(i.paths, path) {
		return // the user's file includes it
	}
	read := source{path: path, origin: FromWorkingDirectory}
	read.read()
	own.environment.files[path] = read.info
	switch {
	case read.unusable == tree.NoFile:
		return
	case read.unusable != "":
		own.Warn(tree.WholeFile, path+" is left out: it is "+read.unusable)
		return
	}
	untrusted := i.options.distrust(read)
	if untrusted != nil && i.options.Untrusted != LookedAt {
		i.untrusted = append(i.untrusted, untrusted)
		return
	}
	i.paths = append(i.paths, path)
	file := &document{reader: own.including(path), neededTrust: true, isProject: true}
	file.environment.provided = own.environment.provided
	file.fromOthers = true
	if file.tree = file.Parse(read.data, wantedRoot); file.tree != nil {
		file.members, _ = file.Object(*file.tree, tree.SettingKeys, wantedRoot)
	}
	if untrusted != nil {
		file.Warn(tree.WholeFile, "it is not trusted, so hosts do not get its toolboxes; `mcp-workbench trust` in its folder shows what it would run")
	}
	file.refuseSettings(own.File, i.options.Untrusted == LookedAt)
	i.files = append(i.files, file)
}

// refuseSettings names the settings of a project's file that do not count beside the user's file: as problems for a
// command that looks at the files, as warnings for all others.
func (d *document) refuseSettings(users string, isLookedAt bool) {
	for _, m := range d.members {
		key, isLegal := rootKeys.Get(m.Name)
		if !isLegal || slices.Contains(projectKeys, key.Name) && !d.includesOthers(m) {
			continue
		}
		if found := strconv.Quote(m.Name) + " beside the user's own configuration"; isLookedAt {
			d.Wrong(m.Key(), found, "it in "+users)
		} else {
			d.Warn(m.Key(), found+" does not count; it belongs in "+users)
		}
	}
}

// includesOthers reports whether a setting includes other files than the user's own, beside which the project is served.
func (d *document) includesOthers(m tree.Member) bool {
	if m.Name != includeKey {
		return false
	}
	return slices.ContainsFunc(d.List(m.Node, "a list of configuration files"), func(element tree.Node) bool {
		text, _ := element.Text()
		return text != usersFile
	})
}

// refuseTaken reports the toolboxes of a project whose names are taken.
func (d *document) refuseTaken(fileOf map[domain.ToolboxName]string) {
	m, ok := d.members.Get(toolboxesKey)
	if !ok {
		return
	}
	boxes, _ := d.Object(m.Node, tree.NameKeys, wantedRoot)
	for _, box := range boxes {
		if other, isTaken := fileOf[domain.ToolboxName(box.Name)]; isTaken {
			d.Wrong(box.Key(), "the name of a toolbox of "+other,
				"another name, as `mcp-workbench rename "+domain.ShellWord(box.Name)+" NEW` in "+filepath.Dir(d.File)+" gives it")
		}
	}
}
