package config

import (
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// loader reads one configuration.
type loader struct {
	findings
	environment *environment
	flags       map[string]string
	// lenient lets a configuration with problems be used, but for what they concern.
	lenient    bool
	transports map[string]ports.Transport
	// kinds are the names of the transports, sorted.
	kinds []string
	// untrusted is the file of the working directory that is not trusted, nil for none.
	untrusted *UntrustedError
	// info is the file as it was read, nil when it was not.
	info fs.FileInfo
	// root is the tree of the file, nil without a readable file.
	root *node
	// required are the variables that enabled servers refer to without a default, each
	// once, in the order of the file.
	required []string

	// Settings of the root for all servers:
	rootLimits domain.Limits
	inheritEnv json.RawMessage // nil when it does not say
	start      domain.StartMode
	dynamic    bool
	pinning    domain.PinPolicy
	approvals  domain.Approvals
	// makesLock says that the command makes the lock, so that none is needed.
	makesLock bool
	// http says who may call over HTTP.
	http HTTP
	// idleTimeout is the standard one, 0 for none.
	idleTimeout time.Duration
	// leftOut are the toolboxes all of whose servers are disabled.
	leftOut []domain.Toolbox
	// forReadTool is the first key that is for read_tool only, nil when there is none.
	forReadTool *member
	// forms are how much of their tools toolboxes show that say so themselves.
	forms map[domain.ToolboxName]definitions.Form
}

func newLoader(
	file string, environment *environment, flags map[string]string, transports map[string]ports.Transport,
) *loader {
	return &loader{
		findings:    findings{file: file},
		environment: environment,
		flags:       flags,
		transports:  transports,
		kinds:       slices.Sorted(maps.Keys(transports)),
		forms:       map[domain.ToolboxName]definitions.Form{},
	}
}

// load reads the tree, the environment and the flags.
func (l *loader) load(place location) (*Configuration, error) {
	var members []member
	if l.root != nil {
		members, _ = l.object(*l.root, settingKeys, `an object with "toolboxes"`)
	}
	standard := defaults()
	standard.set(idleTimeoutKey, int64(l.idleTimeout))
	merged, err := merge(standard, l.fileLayer(members), l.environmentLayer(), l.flagLayer())
	if err != nil {
		return nil, err
	}
	l.rootLimits = limitsOf(merged)
	l.start = domain.StartMode(merged.String(startKey))
	mode := ToolMode(merged.String("toolMode"))
	l.dynamic = mode == Dynamic
	l.pinning = domain.PinPolicy(merged.String(pinningKey))
	l.approvals = l.eachApproval(members, domain.Approvals{}, domain.RootPattern)
	toolboxes := l.toolboxes(members)
	l.warnUnknownVariables()
	l.warnUnknownServers(toolboxes)
	l.warnReadTool(members, merged.String(readToolKey) == "true")

	warnings := l.placed(l.warnings)
	problems := l.placed(l.problems)
	if len(problems) > 0 && (!l.lenient || isStrict(merged.String(strictKey))) {
		return nil, &InvalidError{Problems: problems, Warnings: warnings, Concerns: l.concerns()}
	}
	concerns := l.concerns()
	catalog := NewCatalog(remainder(toolboxes, concerns))
	catalog.problems = concerns
	if l.untrusted != nil {
		catalog.problems = append(catalog.problems, l.untrusted.Concern())
	}
	return &Configuration{
		Path:        place.path,
		Origin:      place.origin,
		Untrusted:   l.untrusted,
		File:        l.info,
		later:       place.later,
		Searched:    place.searched,
		LogLevel:    logLevels[merged.String("logLevel")],
		ToolMode:    mode,
		LogPayloads: merged.String(logPayloadsKey) == "true",
		OpenOnUse:   merged.String(openOnUseKey) == "true",
		Pinning:     l.pinning,
		Packages:    domain.PackagePolicy(merged.String(packagesKey)),
		Approvals:   l.approvals,
		Limits:      l.rootLimits,
		Definitions: l.definitions(merged),
		HTTP:        l.http,
		Catalog:     catalog,
		Problems:    problems,
		Variables:   l.required,
		Reads:       l.environment.expanded(),
		Warnings:    warnings,
	}, nil
}

// isStrict reports whether a value of "strict" asks for it. In a variable people write 1.
func isStrict(value string) bool { return value == "true" || value == "1" }
