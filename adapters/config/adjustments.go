package config

import (
	"cmp"
	"slices"

	"mcp-workbench/domain"
)

// toolsKey is the setting with the adjustments of tools.
const toolsKey = "tools"

var adjustmentKeys = []string{"title", "description", "fixed", "hidden"}

// adjustments reads the adjustments of a server's tools, and adds their secrets to those of the server.
func (r *reader) adjustments(server *domain.Server, n node) {
	tools, ok := r.object(n, dataKeys, "an object with an entry for each tool to adjust")
	if !ok {
		return
	}
	server.Adjustments = domain.ToolAdjustments{}
	for _, tool := range tools {
		members, ok := r.object(tool.node, settingKeys, `an object with "title", "description", "fixed" or "hidden"`)
		if !ok {
			continue
		}
		var entry domain.ToolAdjustment
		for _, m := range members {
			switch m.name {
			case "title":
				entry.Title = r.replacement(m.node)
			case "description":
				entry.Description = r.replacement(m.node)
			case "fixed":
				entry.Fixed = r.fixedArguments(server, m.node)
			case "hidden":
				entry.Hidden = r.hiddenArguments(m.node)
			default:
				r.unknownKey(m, adjustmentKeys)
			}
		}
		for _, fixed := range entry.Fixed {
			if slices.Contains(entry.Hidden, fixed.Name) {
				r.wrong(tool.key(), `an argument that is both "fixed" and "hidden"`, `it in one of them: a fixed argument is hidden, too`)
			}
		}
		server.Adjustments[tool.name] = entry
	}
}

func (r *reader) replacement(n node) *string {
	text, ok := r.text(n, "a string")
	if !ok {
		return nil
	}
	return &text
}

func (r *reader) hiddenArguments(n node) []string {
	elements, ok := n.elements()
	if !ok {
		r.wrongKind(n, "a list of argument names")
		return nil
	}
	var names []string
	for _, element := range elements {
		if name, ok := r.text(element, "the name of an argument"); ok {
			names = append(names, name)
		}
	}
	return names
}

// fixedArguments reads the values of fixed arguments, and expands the variables in their strings.
func (r *reader) fixedArguments(server *domain.Server, n node) []domain.FixedArgument {
	members, ok := r.object(n, dataKeys, "an object with the values of arguments")
	if !ok {
		return nil
	}
	var fixed []domain.FixedArgument
	for _, m := range members {
		w := settingsWriter{reader: r, server: server, setting: "fixed", expands: true}
		w.value(m.node)
		fixed = append(fixed, domain.FixedArgument{Name: m.name, Value: w.expanded})
		server.Secrets = withoutDuplicates(append(server.Secrets, w.fromVariables...))
	}
	slices.SortFunc(fixed, func(a, b domain.FixedArgument) int { return cmp.Compare(a.Name, b.Name) })
	return fixed
}

func adjustmentsSchema() schema {
	return schema{
		"type": "object",
		"additionalProperties": schema{
			"type": "object", "additionalProperties": false,
			"properties": schema{
				"title":       schema{"type": "string", "description": "Replaces the title."},
				"description": schema{"type": "string", "description": "Replaces the description."},
				"fixed": schema{
					"type": "object", "description": "Arguments that are added to every call, whatever the model sends. Models do not see them.",
				},
				"hidden": schema{
					"type": "array", "items": schema{"type": "string"}, "description": "Names of arguments that are removed from every call. Models do not see them.",
				},
			},
		},
	}
}
