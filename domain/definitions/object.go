package definitions

import (
	"strings"

	"mcp-workbench/domain/rawjson"
)

// parameter is a member of an object, or of the arguments of a tool.
type parameter struct {
	name     string
	schema   rawjson.Value
	required bool
}

// parameterList is a list of parameters with distinct names, in order.
type parameterList struct {
	list   []parameter
	places map[string]int
}

// add adds a parameter. If its name is already listed, the listed one keeps its schema, and is
// required if either of the two is. Lossy reports whether a different schema was left out.
func (l *parameterList) add(p parameter) (lossy bool) {
	place, known := l.places[p.name]
	if !known {
		if l.places == nil {
			l.places = map[string]int{}
		}
		l.places[p.name] = len(l.list)
		l.list = append(l.list, p)
		return false
	}
	there := &l.list[place]
	there.required = there.required || p.required
	if !there.schema.Exists() {
		there.schema = p.schema
		return false
	}
	return p.schema.Exists() && string(p.schema.Raw) != string(there.schema.Raw)
}

// parameters returns the members that an object's schema describes, in its order, and then
// those that it requires without describing them.
func (r *renderer) parameters(schema rawjson.Value) parameterList {
	var parameters parameterList
	properties := schema.Member("properties")
	if properties.Kind == '{' {
		for _, m := range properties.Parts {
			r.merge(&parameters, parameter{name: m.Name, schema: m.Value})
		}
	}
	for _, name := range schema.Member("required").Texts() {
		r.merge(&parameters, parameter{name: name, required: true})
	}
	return parameters
}

// merge adds parameters to a list, and notes whether that lost a schema.
func (r *renderer) merge(list *parameterList, more ...parameter) {
	for _, p := range more {
		if list.add(p) {
			r.lossy = true
		}
	}
}

// object returns the type of an object: its members and the others that it allows, or "object"
// when its schema mentions neither.
func (r *renderer) object(schema rawjson.Value, depth int) expression {
	list := r.parameters(schema).list
	rest, hasRest := r.rest(schema, depth)
	switch {
	case len(list) == 0 && !hasRest:
		return expression{text: "object"}
	case len(list) > 0 && r.brief:
		return r.lose(expression{text: "{…}"})
	}
	members := make([]string, 0, len(list)+1)
	for _, p := range list {
		members = append(members, r.parameter(p, depth+1))
	}
	if hasRest {
		members = append(members, rest)
	}
	return expression{text: "{" + strings.Join(members, ", ") + "}"}
}

// rest returns the type of the members that an object's schema does not name, and reports
// whether the schema gives one.
func (r *renderer) rest(schema rawjson.Value, depth int) (string, bool) {
	additional := schema.Member("additionalProperties")
	if additional.Kind != '{' || len(additional.Parts) == 0 {
		return "", false
	}
	return "[key: string]: " + r.expression(additional, depth+1).text, true
}

// parameter returns a member: its name, "?" unless it is required, its type unless every type is
// allowed, and its default.
func (r *renderer) parameter(p parameter, depth int) string {
	shown, same := shownName(p.name)
	if !same {
		r.lossy = true
	}
	text := identifier(shown)
	if !p.required {
		text += "?"
	}
	if p.schema.Exists() {
		if e := r.expression(p.schema, depth); e != anything {
			text += ": " + e.text
		}
	}
	if preset := p.schema.Member("default"); preset.Exists() {
		text += " = " + r.literal(preset).text
	}
	return text
}
