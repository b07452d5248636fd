package application

import (
	"errors"
	"slices"

	"mcp-workbench/domain"
)

// view is which toolboxes somebody sees; nil is all of them. For those who do not see a
// toolbox it does not exist: they are told of it neither by name nor by what is wrong with it.
type view map[domain.ToolboxName]bool

// hiddenProblem takes the place of a problem that is not about a toolbox: its text may name
// some, or somebody else's token.
const hiddenProblem = "a mistake that is not shown here; whoever runs the workbench finds it on standard error"

func (v view) sees(name domain.ToolboxName) bool { return v == nil || v[name] }

// toolboxes returns those that are seen, in their order.
func (v view) toolboxes(all []domain.Toolbox) []domain.Toolbox {
	if v == nil {
		return all
	}
	var seen []domain.Toolbox
	for _, toolbox := range all {
		if v[toolbox.Name] {
			seen = append(seen, toolbox)
		}
	}
	return seen
}

// problems returns those that are seen, in their order.
func (v view) problems(all []domain.ConfigurationProblem) []domain.ConfigurationProblem {
	if v == nil {
		return all
	}
	var seen []domain.ConfigurationProblem
	for _, problem := range all {
		switch {
		case problem.All, problem.Untrusted:
			seen = append(seen, domain.ConfigurationProblem{All: true, Text: hiddenProblem})
		case v[problem.Toolbox]:
			seen = append(seen, problem)
		}
	}
	return slices.Compact(seen)
}

// withheld returns the settings that are seen, in their order.
func (v view) withheld(all []withheld) []withheld {
	return slices.DeleteFunc(slices.Clone(all), func(one withheld) bool { return one.toolbox != "" && !v.sees(one.toolbox) })
}

// toolbox is what a catalog returned for a name, as it is seen. A toolbox that is not seen
// and one that does not exist are the same.
func (v view) toolbox(
	name domain.ToolboxName, found domain.Toolbox, err error, problems []domain.ConfigurationProblem, available []domain.Toolbox,
) (domain.Toolbox, error) {
	if v == nil || err == nil && v[name] {
		return found, err
	}
	if err != nil && !errors.Is(err, domain.ErrToolboxNotFound) {
		return domain.Toolbox{}, err
	}
	missing := &domain.ToolboxNotFoundError{Toolbox: name}
	for _, toolbox := range v.toolboxes(available) {
		missing.Available = append(missing.Available, string(toolbox.Name))
	}
	for _, problem := range v.problems(problems) {
		if problem.All || problem.Toolbox == name {
			missing.Problems = append(missing.Problems, problem)
		}
	}
	return domain.Toolbox{}, missing
}
