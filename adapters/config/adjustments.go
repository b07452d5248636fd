package config

import (
	"cmp"
	"slices"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// adjusted has the keys of the adjustment of a tool.
type adjusted struct {
	Title       *string        `key:"title" about:"Replaces the title."`
	Description *string        `key:"description" about:"Replaces the description."`
	Fixed       fixedArguments `key:"fixed" about:"Arguments that are added to every call, whatever the model sends. Models do not see them." is:"expanded"`
	Hidden      []string       `key:"hidden" about:"Names of arguments that are removed from every call. Models do not see them." list:"a list of argument names" wanted:"the name of an argument"`
	server      *domain.Server
}

// fixedArguments are the value of "fixed".
type fixedArguments []domain.FixedArgument

func (fixedArguments) schema(schemaWriter, keyPlace) schema { return schema{"type": "object"} }

// readField implements fieldReader.
func (a *adjusted) readField(r *reader, field any, n tree.Node) bool {
	if field != &a.Fixed {
		return false
	}
	a.Fixed = readFixed(r, a.server, n)
	return true
}

// adjustedTools are the adjustments of the tools of a server, by the names of the tools.
type adjustedTools map[string]adjusted

// read reads the adjustments of a server's tools, and adds their secrets to those of the server.
func (adjustedTools) read(r *toolboxReader, n tree.Node, server *domain.Server) {
	tools, ok := r.Object(n, tree.DataKeys, "an object with an entry for each tool to adjust")
	if !ok {
		return
	}
	server.Adjustments = domain.ToolAdjustments{}
	for _, tool := range tools {
		entry := adjusted{server: server}
		r.fill(tool.Node, `an object with "title", "description", "fixed" or "hidden"`, &entry)
		for _, fixed := range entry.Fixed {
			if slices.Contains(entry.Hidden, fixed.Name) {
				r.Wrong(tool.Key(), `an argument that is both "fixed" and "hidden"`, `it in one of them: a fixed argument is hidden, too`)
			}
		}
		server.Adjustments[tool.Name] = domain.ToolAdjustment{
			Title: entry.Title, Description: entry.Description, Fixed: entry.Fixed, Hidden: entry.Hidden,
		}
	}
}

// readFixed reads the values of fixed arguments, and expands the variables in their strings.
func readFixed(r *reader, server *domain.Server, n tree.Node) []domain.FixedArgument {
	members, ok := r.Object(n, tree.DataKeys, "an object with the values of arguments")
	if !ok {
		return nil
	}
	key, _ := keys.For[adjusted]().Get("fixed")
	var fixed []domain.FixedArgument
	for _, m := range members {
		w := settingsWriter{reader: r, server: server, key: key}
		w.value(m.Node, key)
		fixed = append(fixed, domain.FixedArgument{Name: m.Name, Value: w.expanded})
		server.Secrets = withoutDuplicates(append(server.Secrets, w.fromVariables...))
	}
	slices.SortFunc(fixed, func(a, b domain.FixedArgument) int { return cmp.Compare(a.Name, b.Name) })
	return fixed
}
