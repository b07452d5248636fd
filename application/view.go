package application

import (
	"errors"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// view is the set of toolboxes that a host sees, nil for all of them. Other toolboxes do not
// exist for the host: it learns neither their names nor their problems.
type view map[domain.ToolboxName]bool

// hiddenProblem takes the place of a problem that is not about one toolbox: its text may name
// other toolboxes or other hosts' tokens.
const hiddenProblem = "a mistake that is not shown here; it is on the standard error of the workbench, for its operator"

func (v view) sees(name domain.ToolboxName) bool { return v == nil || v[name] }

// toolboxes returns the visible ones, in their order.
func (v view) toolboxes(toolboxes []domain.Toolbox) []domain.Toolbox {
	if v == nil {
		return toolboxes
	}
	return slices.DeleteFunc(slices.Clone(toolboxes), func(toolbox domain.Toolbox) bool { return !v[toolbox.Name] })
}

// problems returns the visible ones, in their order.
func (v view) problems(problems []domain.ConfigurationProblem) []domain.ConfigurationProblem {
	if v == nil {
		return problems
	}
	var seen []domain.ConfigurationProblem
	for _, problem := range problems {
		switch {
		case problem.Toolbox == "":
			seen = append(seen, domain.ConfigurationProblem{All: true, Text: hiddenProblem})
		case v[problem.Toolbox]:
			seen = append(seen, problem)
		}
	}
	return slices.Compact(seen)
}

// withheld returns the visible settings, in their order.
func (v view) withheld(settings []withheld) []withheld {
	return slices.DeleteFunc(slices.Clone(settings), func(setting withheld) bool { return setting.toolbox != "" && !v.sees(setting.toolbox) })
}

// toolbox returns a toolbox of a catalog. For a toolbox that is not visible it fails as for one
// that does not exist.
func (v view) toolbox(catalog ports.Catalog, name domain.ToolboxName) (domain.Toolbox, error) {
	found, err := catalog.Toolbox(name)
	if v == nil || err == nil && v[name] || err != nil && !errors.Is(err, domain.ErrToolboxNotFound) {
		return found, err
	}
	missing := &domain.ToolboxNotFoundError{Toolbox: name, Available: domain.NamesOf(v.toolboxes(catalog.Toolboxes()))}
	for _, problem := range v.problems(catalog.Problems()) {
		if problem.MayHide(name) {
			missing.Problems = append(missing.Problems, problem)
		}
	}
	return domain.Toolbox{}, missing
}
