package definitions

import (
	"slices"

	"mcp-workbench/domain"
)

// Validation says which calls the workbench checks against the input schema of their tool before
// it calls the server (CONTRACT.md section 2, "validate").
type Validation int

// The kinds of validation.
const (
	// ValidateUnseen checks calls of tools whose full definition the host was not shown, if
	// ChecksUnseen is true for their toolbox.
	ValidateUnseen Validation = iota
	// ValidateNone checks no call.
	ValidateNone
	// ValidateAll checks every call.
	ValidateAll
)

// Strictness is higher for the stricter kind.
func (v Validation) Strictness() int {
	return slices.Index([]Validation{ValidateNone, ValidateUnseen, ValidateAll}, v)
}

// Settings say how tools are shown and called, as configured. They never change.
type Settings struct {
	// Default is the form of the toolboxes without one of their own; "" means Full.
	Default Form
	// ByToolbox are the forms of the others.
	ByToolbox map[domain.ToolboxName]Form
	// Budget limits the bytes of an answer of open_toolbox, with Auto and Names.
	Budget     int
	Validation Validation
	// Registered is set when the tools of open toolboxes are registered as tools of
	// their own, with their definitions, so that Auto means Names.
	Registered bool
	// ReadTool is set when tools that only read can also be used through read_tool. It is not set
	// when tools are registered, since those have names and annotations of their own.
	ReadTool bool
	// FindTool is set when hosts search for tools by words and call what they find.
	FindTool bool
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

// Used returns the forms of the toolboxes, each once, from the most detailed to the least.
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

// ChecksCalls reports whether calls of any of the toolboxes can be checked.
func (s Settings) ChecksCalls(toolboxes []domain.Toolbox) bool {
	switch s.Validation {
	case ValidateNone:
		return false
	case ValidateAll:
		return true
	case ValidateUnseen:
	}
	return slices.ContainsFunc(toolboxes, func(t domain.Toolbox) bool { return s.ChecksUnseen(t.Name) })
}

// ChecksUnseen reports whether ValidateUnseen applies to a toolbox: whether a host may call its tools without
// having been shown their full definitions.
func (s Settings) ChecksUnseen(toolbox domain.ToolboxName) bool {
	form := s.Form(toolbox)
	return s.FindTool || form.Short() || form == Auto
}
