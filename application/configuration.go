package application

import (
	"slices"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// Configuration is a configuration as the use cases see it. It never
// changes.
type Configuration struct {
	Catalog     ports.Catalog
	Definitions definitions.Settings
	Pinning     domain.PinPolicy
	Packages    domain.PackagePolicy
	// LogPayloads says that arguments and results of calls are logged.
	LogPayloads bool
	// Approvals are those of the root.
	Approvals domain.Approvals
	// AtStart are the settings that are read only at the start of the program, in the
	// order of reports.
	AtStart []Setting
}

// Setting is the value of one key of the configuration, in any form that can be compared.
type Setting struct{ Key, Value string }

// Current is the configuration in force. It is a catalog too, and is replaced as a whole
// when the configuration is read again. Safe for concurrent use.
type Current struct {
	state *atomic.Pointer[inForce]
	// view is the set of toolboxes that are visible.
	view view
}

// inForce is a configuration in force, and what is to be reported about the last reading of
// the configuration. It never changes.
type inForce struct {
	Configuration
	// unread are the problems that kept the last read configuration out of force.
	unread   []domain.ConfigurationProblem
	withheld []withheld
}

var _ ports.Catalog = (*Current)(nil)

// NewCurrent returns the configuration that the program starts with.
func NewCurrent(configuration Configuration) *Current {
	c := &Current{state: &atomic.Pointer[inForce]{}}
	c.state.Store(&inForce{Configuration: configuration})
	return c
}

// Limited returns the configuration as seen by a host that may see only these toolboxes,
// whether or not they exist yet.
func (c *Current) Limited(toolboxes []domain.ToolboxName) *Current {
	limited := view{}
	for _, name := range toolboxes {
		limited[name] = c.view.sees(name)
	}
	return &Current{state: c.state, view: limited}
}

// Names returns the names of the toolboxes.
func (c *Current) Names() []string { return domain.NamesOf(c.Toolboxes()) }

// Toolboxes implements ports.Catalog.
func (c *Current) Toolboxes() []domain.Toolbox {
	return c.view.toolboxes(c.state.Load().Catalog.Toolboxes())
}

// Disabled implements ports.Catalog.
func (c *Current) Disabled() []domain.Toolbox {
	return c.view.toolboxes(c.state.Load().Catalog.Disabled())
}

// Toolbox implements ports.Catalog. A toolbox may be missing because the configuration
// could not be read again, so the failure includes its problems.
func (c *Current) Toolbox(name domain.ToolboxName) (domain.Toolbox, error) {
	state := c.state.Load()
	toolbox, err := c.view.toolbox(state.Catalog, name)
	if len(state.unread) == 0 {
		return toolbox, err
	}
	return toolbox, withProblems(err, c.view.problems(state.unread))
}

// Problems implements ports.Catalog. A file that was refused because it is not trusted counts as a
// problem.
func (c *Current) Problems() []domain.ConfigurationProblem {
	state := c.state.Load()
	problems := state.Catalog.Problems()
	for _, problem := range state.unread {
		if problem.Untrusted {
			problems = append(slices.Clip(problems), problem)
		}
	}
	return c.view.problems(problems)
}

// Definitions returns how much of the tools is shown, and which calls are checked.
func (c *Current) Definitions() definitions.Settings { return c.state.Load().Definitions }

// LogsPayloads reports whether arguments and results of calls are logged.
func (c *Current) LogsPayloads() bool { return c.state.Load().LogPayloads }

// noteReload warns of the parts of a reloaded configuration that are not in force.
func (c *Current) noteReload(opened *domain.OpenedToolbox) {
	state := c.state.Load()
	var warnings []domain.Warning
	for _, problem := range c.view.problems(state.unread) {
		warnings = append(warnings, domain.Warning{Kind: domain.ConfigurationNotRead, Detail: problem.Text})
	}
	for _, setting := range state.withheld {
		if setting.toolbox == "" || setting.toolbox == opened.Toolbox.Name {
			warnings = append(warnings, domain.Warning{Kind: domain.SettingWithheld, Detail: setting.name})
		}
	}
	opened.Warnings = append(opened.Warnings, slices.Compact(warnings)...)
}
