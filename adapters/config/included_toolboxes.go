package config

import (
	"cmp"
	"slices"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// toolboxReader returns the reader of the toolboxes of an included file. They get the settings of the root. If the file in use
// may come from others, the settings of the included file also decide which variables its servers inherit and when they start.
func (i *includes) toolboxReader(file *document, root Root) *toolboxReader {
	decidesStart := i.needTrust && !file.isProject && !i.given.Exists(startKey)
	if i.needTrust || file.isProject {
		root.inheritEnv = nil
	}
	if decidesStart {
		root.Start = domain.StartOnOpen
	}
	if m, ok := file.members.Get(inheritEnvKey); ok {
		root.inheritEnv = rootInheritEnv(&file.Findings, m.Node)
	}
	if m, ok := file.members.Get(startKey); ok && decidesStart {
		root.Start, _ = tree.Word(&file.Findings, m.Node, domain.StartModes())
	}
	return &toolboxReader{reader: file.reader, root: &root, makesLock: i.options.MakesLock, included: i}
}

// addTo adds the toolboxes of the included files, and their problems. Own are the toolboxes of the file in use,
// including those with mistakes. A mistake in one file does not remove the toolboxes of others.
func (i *includes) addTo(found *loaded, including *document, own []domain.Toolbox, root *Root) {
	fileOf := map[domain.ToolboxName]string{}
	for _, toolbox := range slices.Concat(own, found.disabled) {
		fileOf[toolbox.Name] = including.File
	}
	for _, file := range i.files {
		reader := i.toolboxReader(file, *root)
		toolboxes := reader.read(file)
		if file.isProject {
			file.refuseTaken(fileOf)
		}
		warnUnknownServers(&file.Findings, slices.Concat(toolboxes, reader.disabled))
		keepOf(&file.Findings, i.options.Toolboxes)
		concerns := concerns(&file.Findings)
		found.toolboxes = file.add(found.toolboxes, remainder(toolboxes, concerns), fileOf)
		for _, concern := range concerns {
			concern.All = false
			found.concerns = append(found.concerns, concern)
		}
		if file.isProject && i.options.Untrusted != LookedAt {
			found.ofProject = file.Placed(file.Problems)
		} else {
			found.problems = append(found.problems, file.Placed(file.Problems)...)
		}
		found.warnings = append(found.warnings, file.Placed(file.Warnings)...)
		found.disabled = append(found.disabled, reader.disabled...)
		found.secrets = append(found.secrets, file.sources.secrets...)
		including.environment.require(file.environment.required)
	}
}

// add appends the file's own toolboxes to those of earlier files. If a name is taken, the earlier toolbox
// stays. fileOf maps the names that are taken to their files.
func (d *document) add(toolboxes, own []domain.Toolbox, fileOf map[domain.ToolboxName]string) []domain.Toolbox {
	for _, toolbox := range own {
		if other, taken := fileOf[toolbox.Name]; taken {
			d.Warn(tree.WholeFile, "its toolbox "+domain.QuotedName(toolbox.Name)+" is left out, since "+other+" has one of that name")
			continue
		}
		toolbox.File, toolbox.IsOfProject = d.File, d.isProject
		toolboxes = append(toolboxes, toolbox)
	}
	for _, toolbox := range own {
		fileOf[toolbox.Name] = cmp.Or(fileOf[toolbox.Name], d.File)
	}
	return toolboxes
}
