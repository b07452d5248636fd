package config

import (
	"maps"
	"slices"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

const wantedRoot = `an object with "toolboxes"`

// Load finds the configuration and reads it. transports are the kinds of servers that it
// may name. If no file is found, the catalog is empty. The error for an invalid
// configuration is an *InvalidError with every problem; with Options.Lenient only a strict
// configuration fails that way. If Options.Untrusted is Refused, the error for a file that
// is not trusted is an *UntrustedError.
func Load(options Options, transports map[string]ports.Transport) (*Configuration, error) {
	r := newReader("", options, transports)
	source, err := findSource(options, r.environment)
	if err != nil {
		return nil, err
	}
	r.File = source.path
	var file *tree.Node
	if text, ok := r.use(source, options); ok {
		file = r.Parse(text, wantedRoot)
	}
	configuration, err := r.load(source, file, options)
	if path, why := r.changed(source, options); why != "" {
		return Load(options.distrusting(path, why), transports)
	}
	return configuration, err
}

// Check reads a text as if it were the file at path, which need not exist, of the origin in the options. The error
// for an invalid configuration is an *InvalidError with every problem.
func Check(options Options, path string, text []byte, transports map[string]ports.Transport) (*Configuration, error) {
	r := newReader(path, options, transports)
	return r.load(source{path: path, origin: options.Origin}, r.Parse(text, wantedRoot), options)
}

// load reads the tree of a file, which may be nil: first the settings of the root, then the toolboxes
// and servers, which depend on them.
func (r *reader) load(source source, file *tree.Node, options Options) (*Configuration, error) {
	r.fromOthers = source.origin == FromWorkingDirectory
	var members tree.Object
	if file != nil {
		members, _ = r.Object(*file, tree.SettingKeys, wantedRoot)
	}
	r.review(GivenKey{}, members, rootKeys)
	r.readSecrets(members)
	included := &includes{options: options, needTrust: r.fromOthers, paths: []string{source.path}}
	r.included = included
	included.read(r, members, included.paths)
	names := namesIn[string](members, toolboxesKey)
	for _, file := range included.files {
		names = append(names, namesIn[string](file.members, toolboxesKey)...)
	}
	root, err := r.readRoot(members, options, names)
	if err != nil {
		return nil, err
	}
	if project := options.projectOf(source.path); project != "" && root.Projects {
		before := len(included.files)
		included.join(r, project)
		for _, file := range included.files[before:] {
			r.names = append(r.names, namesIn[string](file.members, toolboxesKey)...)
		}
	}
	included.protect(r, members, root)
	r.root = root
	root.Approvals = r.approvals(members, domain.Approvals{}, domain.RootPattern)
	toolboxes := r.toolboxes(file, members)

	r.warnUnknownVariables()
	r.warnUnknownServers(slices.Concat(toolboxes, r.disabled))
	r.warnReadTool(members)

	keepOf(&r.Findings, options.Toolboxes)
	found := &loaded{warnings: r.Placed(r.Warnings), problems: r.Placed(r.Problems), concerns: concerns(&r.Findings)}
	found.toolboxes = remainder(toolboxes, found.concerns)
	r.addIncluded(found, included, toolboxes, options.Toolboxes)
	if len(found.problems) > 0 && (!options.Lenient || root.Strict) {
		return nil, &InvalidError{Problems: found.problems, Warnings: found.warnings, Concerns: found.concerns, OtherFiles: r.environment.files}
	}
	catalog := NewCatalog(found.toolboxes)
	catalog.problems = found.concerns
	for _, toolbox := range r.disabled {
		if isChosen := options.Toolboxes == nil || slices.Contains(options.Toolboxes, string(toolbox.Name)); isChosen && len(toolbox.Disabled) > 0 {
			catalog.disabled = append(catalog.disabled, toolbox)
		}
	}
	for _, untrusted := range append(slices.Clip(included.untrusted), source.untrusted) {
		if untrusted != nil {
			catalog.problems = append(catalog.problems, untrusted.Concern())
		}
	}
	configuration := &Configuration{
		Path:      source.path,
		Origin:    source.origin,
		Untrusted: source.untrusted,
		File:      source.info,
		later:     source.later,
		Searched:  source.searched,
		Root:      *root,
		Catalog:   catalog,
		Problems:  append(found.problems, found.ofProject...),
		Included:  included.paths[1:],

		OtherFiles: r.environment.files,
		distrusts:  included.untrusted,
		Secrets:    r.secrets,
		EnvFile:    r.envFile,
		Values:     r.fileValues,
		Given:      r.decisive,
		Variables:  r.environment.required,
		Reads:      slices.Sorted(maps.Keys(r.environment.inFile)),
		Warnings:   found.warnings,
	}
	if own := UserPlace(options); slices.Contains(configuration.Included, own) {
		configuration.Own = own
	}
	if options.Toolboxes != nil {
		configuration.choose(options.Toolboxes, r.names)
	}
	return configuration, nil
}
