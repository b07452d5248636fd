package config

import (
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Load finds the configuration and reads it. Transports are the kinds of servers
// that the configuration may name. Without a file anywhere the catalog is empty.
// An invalid configuration is an *InvalidError with every problem in it; with
// Options.Lenient only a strict one is. A file that is not trusted is an *UntrustedError if
// Options.Untrusted is Refused.
func Load(options Options, transports map[string]ports.Transport) (*Configuration, error) {
	r := newReader("", options.Environ)
	source, err := findSource(options, r.environment)
	if err != nil {
		return nil, err
	}
	r.file = source.path
	var tree *node
	if text, ok := r.use(source, options); ok {
		tree = r.parse(text)
	}
	return r.load(source, tree, options, transports)
}

// Check reads a text as the configuration of a path that need not exist. An invalid
// configuration is an *InvalidError with every problem in it.
func Check(options Options, path string, text []byte, transports map[string]ports.Transport) (*Configuration, error) {
	r := newReader(path, options.Environ)
	return r.load(source{location: location{path: path}}, r.parse(text), options, transports)
}

// load reads the tree, nil for none: first the settings of the root, which toolboxes and
// servers go by, then those.
func (r reader) load(source source, tree *node, options Options, transports map[string]ports.Transport) (*Configuration, error) {
	var members object
	if tree != nil {
		members, _ = r.object(*tree, settingKeys, `an object with "toolboxes"`)
	}
	settings := settings()
	root, err := r.root(members, settings, options)
	if err != nil {
		return nil, err
	}
	approvals := approvalReader{reader: r, pinning: root.Pinning, makesLock: options.MakesLock}
	root.Approvals = approvals.level(members, domain.Approvals{}, domain.RootPattern)
	boxes := toolboxReader{reader: r, root: root, approvals: &approvals, transports: transports}
	toolboxes := boxes.toolboxes(tree, members)

	r.warnUnknownVariables(settings)
	r.warnUnknownServers(slices.Concat(toolboxes, boxes.disabled))
	approvals.warnReadTool(members, root)

	warnings, problems, concerns := r.placed(r.warnings), r.placed(r.problems), r.concerns()
	if len(problems) > 0 && (!options.Lenient || root.isStrict) {
		return nil, &InvalidError{Problems: problems, Warnings: warnings, Concerns: concerns}
	}
	catalog := NewCatalog(remainder(toolboxes, concerns))
	catalog.problems = concerns
	if source.untrusted != nil {
		catalog.problems = append(catalog.problems, source.untrusted.Concern())
	}
	return &Configuration{
		Path:      source.path,
		Origin:    source.origin,
		Untrusted: source.untrusted,
		File:      source.info,
		later:     source.later,
		Searched:  source.searched,
		Root:      *root,
		Catalog:   catalog,
		Problems:  problems,
		Variables: r.environment.required,
		Reads:     r.environment.expanded(),
		Warnings:  warnings,
	}, nil
}
