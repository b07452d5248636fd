package config

import (
	"maps"
	"slices"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Load finds the configuration and reads it. transports are the kinds of servers that it
// may name. If no file is found, the catalog is empty. The error for an invalid
// configuration is an *InvalidError with every problem; with Options.Lenient only a strict
// configuration fails that way. If Options.Untrusted is Refused, the error for a file that
// is not trusted is an *UntrustedError.
func Load(options Options, transports map[string]ports.Transport) (*Configuration, error) {
	file := newDocument("", options, transports)
	source, err := findSource(options, file.environment)
	if err != nil {
		return nil, err
	}
	file.File = source.path
	if text, ok := file.use(source, options); ok {
		file.tree = file.Parse(text, wantedRoot)
	}
	included := newIncludes(options, source)
	configuration, err := load(options, source, file, included)
	if path, why := changed(options, source, file, included); why != "" {
		return Load(options.distrusting(path, why), transports)
	}
	return configuration, err
}

// Check reads a text as if it were the file at path, which need not exist, of the origin in the options. The error
// for an invalid configuration is an *InvalidError with every problem.
func Check(options Options, path string, text []byte, transports map[string]ports.Transport) (*Configuration, error) {
	file := newDocument(path, options, transports)
	file.tree = file.Parse(text, wantedRoot)
	source := source{path: path, origin: options.Origin}
	return load(options, source, file, newIncludes(options, source))
}

// load reads a file: first the settings of the root, then the toolboxes and servers, which depend on them. The file has no
// tree if it does not exist or cannot be read.
func load(options Options, source source, file *document, included *includes) (*Configuration, error) {
	file.fromOthers = included.needTrust
	file.read()
	included.read(file, included.paths)
	names := namesIn[string](file.members, toolboxesKey)
	for _, other := range included.files {
		names = append(names, namesIn[string](other.members, toolboxesKey)...)
	}
	root, given, err := file.readRoot(file.members, options, names)
	if err != nil {
		return nil, err
	}
	if project := options.projectOf(source.path); project != "" && root.Projects {
		before := len(included.files)
		included.join(file, project)
		for _, other := range included.files[before:] {
			names = append(names, namesIn[string](other.members, toolboxesKey)...)
		}
	}
	included.given = given
	included.protect(file, root)
	own := &toolboxReader{reader: file.reader, root: root, makesLock: options.MakesLock, included: included}
	toolboxes := own.read(file)

	file.warnUnknownVariables()
	warnUnknownServers(&file.Findings, slices.Concat(toolboxes, own.disabled))
	own.warnReadTool(file.members)

	keepOf(&file.Findings, options.Toolboxes)
	found := &loaded{
		warnings: file.Placed(file.Warnings), problems: file.Placed(file.Problems), concerns: concerns(&file.Findings),
		disabled: own.disabled, secrets: file.sources.secrets,
	}
	found.toolboxes = remainder(toolboxes, found.concerns)
	included.addTo(found, file, toolboxes, root)
	if len(found.problems) > 0 && (!options.Lenient || root.Strict) {
		return nil, &InvalidError{Problems: found.problems, Warnings: found.warnings, Concerns: found.concerns, OtherFiles: file.environment.files}
	}
	configuration := &Configuration{
		Path:      source.path,
		Origin:    source.origin,
		Untrusted: source.untrusted,
		File:      source.info,
		later:     source.later,
		Searched:  source.searched,
		Root:      *root,
		Catalog:   found.catalog(options.Toolboxes, append(slices.Clip(included.untrusted), source.untrusted)),
		Problems:  append(found.problems, found.ofProject...),
		Included:  included.paths[1:],
		Plugins:   included.plugins,

		OtherFiles: file.environment.files,
		distrusts:  included.untrusted,
		Secrets:    found.secrets,
		EnvFile:    file.sources.envFile,
		Values:     file.fileValues,
		Given:      file.review.keys,
		Variables:  file.environment.required,
		Reads:      slices.Sorted(maps.Keys(file.environment.inFile)),
		Warnings:   found.warnings,
	}
	if own := UserPlace(options); slices.Contains(configuration.Included, own) {
		configuration.Own = own
	}
	if options.Toolboxes != nil {
		configuration.choose(options.Toolboxes, names)
	}
	return configuration, nil
}

// loaded holds the toolboxes and findings of all files of a configuration.
type loaded struct {
	toolboxes          []domain.Toolbox
	problems, warnings []tree.Problem
	concerns           []domain.ConfigurationProblem
	// ofProject are the problems of a project's file, which never keep the user's own file from being used.
	ofProject []tree.Problem
	// disabled are the toolboxes whose servers are all disabled.
	disabled []domain.Toolbox
	// secrets say where the values of variables are kept.
	secrets []domain.SecretPlace
}

// catalog returns the catalog of the toolboxes, with the disabled ones among those that are chosen, nil for all. Untrusted
// are the files that the user does not trust, or nil.
func (l *loaded) catalog(chosen []string, untrusted []*UntrustedError) *Catalog {
	catalog := NewCatalog(l.toolboxes)
	catalog.problems = l.concerns
	for _, toolbox := range l.disabled {
		if chosen != nil && !slices.Contains(chosen, string(toolbox.Name)) {
			continue
		}
		if len(toolbox.Disabled) > 0 {
			catalog.disabled = append(catalog.disabled, toolbox)
		}
		if len(toolbox.Skills) > 0 {
			catalog.onlySkills = append(catalog.onlySkills, toolbox)
		}
	}
	for _, file := range untrusted {
		if file != nil {
			catalog.problems = append(catalog.problems, file.Concern())
		}
	}
	return catalog
}
