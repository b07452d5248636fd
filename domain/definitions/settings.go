package definitions

import (
	"slices"

	"mcp-workbench/domain"
)

// Validation says which calls the workbench checks against the input schema of their
// tool before it asks the server (CONTRACT.md section 2, "validate").
type Validation int

// The kinds of validation.
const (
	// ValidateUnseen checks calls of tools whose definition the host was not shown, in
	// toolboxes that were shown in a short form.
	ValidateUnseen Validation = iota
	// ValidateNone checks no call.
	ValidateNone
	// ValidateAll checks every call.
	ValidateAll
)

// Settings say how much of the tools is shown, and how they are called, as configured. They never change.
type Settings struct {
	// Default is the form of the toolboxes that have none of their own, "" means Full.
	Default Form
	// ByToolbox are the forms of those that have.
	ByToolbox map[domain.ToolboxName]Form
	// Budget is how many bytes an answer of open_toolbox may have with Auto and Names.
	Budget int
	// Validation says which calls are checked.
	Validation Validation
	// Registered is set when the tools of open toolboxes are registered as tools of
	// their own, with their definitions, so that Auto means Names.
	Registered bool
	// ReadTool says that tools which only read can be used through read_tool as well. It is
	// false where tools are registered: they have names and annotations of their own.
	ReadTool bool
}

// Form returns the form of a toolbox.
func (s Settings) Form(toolbox domain.ToolboxName) Form {
	form := s.Default
	if own, ok := s.ByToolbox[toolbox]; ok {
		form = own
	}
	switch {
	case form == "":
		return Full
	case form == Auto && s.Registered:
		return Names
	}
	return form
}

// Used returns the forms that the toolboxes have, each once, from the most detailed to
// the least.
func (s Settings) Used(toolboxes []domain.Toolbox) []Form {
	var used []Form
	for _, form := range Forms() {
		has := func(t domain.Toolbox) bool { return s.Form(t.Name) == form }
		if slices.ContainsFunc(toolboxes, has) {
			used = append(used, form)
		}
	}
	return used
}

// AllFull reports whether every toolbox is shown in full.
func (s Settings) AllFull(toolboxes []domain.Toolbox) bool {
	return !slices.ContainsFunc(s.Used(toolboxes), func(form Form) bool { return form != Full })
}

// ChecksCalls reports whether calls of any of the toolboxes may be checked.
func (s Settings) ChecksCalls(toolboxes []domain.Toolbox) bool {
	switch s.Validation {
	case ValidateNone:
		return false
	case ValidateAll:
		return true
	case ValidateUnseen:
	}
	return slices.ContainsFunc(s.Used(toolboxes), func(form Form) bool { return form.Short() || form == Auto })
}
