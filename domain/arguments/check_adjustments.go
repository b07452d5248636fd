package arguments

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// CheckAdjustments returns a warning for each mistake in the adjustments of a server that lists these tools: unknown
// names of tools and parameters, required parameters that are hidden, and fixed values that the schema
// forbids.
func CheckAdjustments(adjustments domain.ToolAdjustments, tools []domain.ToolInfo) []domain.Warning {
	var warnings []domain.Warning
	for _, name := range slices.Sorted(maps.Keys(adjustments)) {
		listed := slices.IndexFunc(tools, func(t domain.ToolInfo) bool { return t.Name == name })
		var mistakes []string
		if listed < 0 {
			mistakes = []string{"the server does not list it" + suggestion(name, domain.ToolList{Tools: tools}.Names())}
		} else {
			mistakes = mistakesIn(adjustments[name], tools[listed].Own())
		}
		for _, mistake := range mistakes {
			warnings = append(warnings, domain.Warning{Kind: domain.AdjustmentWrong, Tool: domain.ShownText(name), Detail: mistake})
		}
	}
	return warnings
}

// mistakesIn returns the mistakes in the entry of a listed tool.
func mistakesIn(entry domain.ToolAdjustment, definition json.RawMessage) []string {
	schema, _ := rawjson.Parse(rawjson.Member(definition, "inputSchema")) // one that is not JSON has no parameters
	parameters, required := schema.Member("properties"), schema.Member("required").Texts()
	var names, mistakes []string
	for _, parameter := range parameters.Parts {
		names = append(names, parameter.Name)
	}
	add := func(format string, values ...any) { mistakes = append(mistakes, fmt.Sprintf(format, values...)) }
	object := rawjson.Object{}
	for _, fixed := range entry.Fixed {
		object = object.Raw(fixed.Name, fixed.Value)
		if !parameters.Member(fixed.Name).Exists() {
			add(`"fixed" names %s, which is not a parameter%s`, domain.QuotedName(fixed.Name), suggestion(fixed.Name, names))
		}
	}
	for _, name := range entry.Hidden {
		switch {
		case !parameters.Member(name).Exists():
			add(`"hidden" names %s, which is not a parameter%s`, domain.QuotedName(name), suggestion(name, names))
		case slices.Contains(required, name):
			add(`"hidden" names %s, which is required; "fixed" gives it a value`, domain.QuotedName(name))
		}
	}
	for _, problem := range CompileSchema(definition).Check(object.JSON()) {
		if problem.Refusal == WrongType || problem.Refusal == NotInEnum {
			add(`"fixed" has a value that the schema forbids: %s`, withoutValue(problem.Text))
		}
	}
	return mistakes
}

// suggestion returns the end of a mistake in a name: the one that was probably meant, "" for none.
func suggestion(name string, existing []string) string {
	if near, found := domain.Nearest(name, existing); found {
		return "; " + domain.DidYouMean(near)
	}
	return ""
}

// withoutValue returns what is wrong without the value, which can be a secret.
func withoutValue(problem string) string {
	before, _, _ := strings.Cut(problem, ", not ")
	return before
}
