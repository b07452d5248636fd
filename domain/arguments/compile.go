package arguments

import (
	"encoding/json"

	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// maxSchemas is the number of schemas that are compiled for one tool, and maxSchemaBytes is how long
// its definition can be. The arguments of a tool that exceeds them are not checked.
const (
	maxSchemas     = 5000
	maxSchemaBytes = 1 << 20
)

// Schema is a compiled input schema. It is safe for concurrent use. A nil Schema refuses
// nothing.
type Schema struct {
	root *rule
}

// CompileSchema compiles the input schema of a definition. It follows local references. A schema
// that it cannot read (not an object, not JSON, too long, nested deeper than 64 objects, with a
// name twice), or a part of one (a reference to another document or to itself), refuses nothing.
func CompileSchema(definition json.RawMessage) *Schema {
	if len(definition) > maxSchemaBytes {
		return nil
	}
	read, _ := rawjson.Parse(definition)
	schema := read.Member("inputSchema")
	if read.Repeats() || !readable(schema) {
		return nil
	}
	c := compiler{root: schema, known: map[string]*rule{}}
	root := c.rule(schema, true)
	if root == nil || c.schemas > maxSchemas {
		return nil
	}
	return &Schema{root: root}
}

// readable reports whether a value has no name twice, and is not too deep anywhere.
func readable(v rawjson.Value) bool {
	if v.Kind == rawjson.TooDeep || v.Repeats() {
		return false
	}
	for _, m := range v.Parts {
		if !readable(m.Value) {
			return false
		}
	}
	return v.Exists()
}

// rule checks a value; a nil rule accepts everything.
type rule struct {
	types types
	// standard is the default, which is accepted even if nothing else of the rule allows it.
	standard rawjson.Value
	// enum are the allowed values, nil when any is.
	enum []rawjson.Value
	// properties are the rules of members by name. closed allows no others; additional is the
	// rule of the others.
	properties []property
	required   []string
	closed     bool
	additional *rule
	// items is the rule of the elements of a list, from an index on.
	items     *rule
	itemsFrom int
	// All of rules apply, and one of each list in alternatives.
	rules        []*rule
	alternatives [][]*rule
}

type property struct {
	name string
	rule *rule
}

func (r *rule) property(name string) (*rule, bool) {
	for i := range r.properties {
		if r.properties[i].name == name {
			return r.properties[i].rule, true
		}
	}
	return nil, false
}

// compiler compiles schemas to rules.
type compiler struct {
	root rawjson.Value
	// known are the rules of references, nil while one is being compiled: a reference back to
	// itself is not checked.
	known   map[string]*rule
	schemas int
}

// rule compiles a schema. isRoot is set for the whole one.
func (c *compiler) rule(schema rawjson.Value, isRoot bool) *rule {
	c.schemas++
	if schema.Kind != '{' || c.schemas > maxSchemas || !isRoot && definitions.HasBase(schema) {
		return nil
	}
	if reference := schema.Member("$ref"); reference.Exists() {
		// Members beside a reference apply in some drafts of JSON Schema and not in others.
		return c.target(reference.Text()).withStandard(schema)
	}
	r := &rule{types: typesOf(schema), standard: schema.Member("default"), enum: enumOf(schema)}
	c.object(r, schema)
	c.list(r, schema)
	for _, part := range schema.Member("allOf").Elements() {
		if compiled := c.rule(part.Value, false); compiled != nil {
			r.rules = append(r.rules, compiled)
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := schema.Member(keyword).Elements(); len(list) > 0 {
			r.alternatives = append(r.alternatives, c.ruleForEach(list))
		}
	}
	return r
}

// withStandard returns the rule with the default that a schema has beside a reference to it.
func (r *rule) withStandard(schema rawjson.Value) *rule {
	standard := schema.Member("default")
	if r == nil || !standard.Exists() {
		return r
	}
	return &rule{standard: standard, rules: []*rule{r}}
}

func (c *compiler) ruleForEach(list []rawjson.Part) []*rule {
	rules := make([]*rule, len(list))
	for i, m := range list {
		rules[i] = c.rule(m.Value, false)
	}
	return rules
}

func (c *compiler) target(reference string) *rule {
	if compiled, seen := c.known[reference]; seen {
		return compiled
	}
	target, found := definitions.Resolve(c.root, reference)
	if !found {
		return nil
	}
	c.known[reference] = nil
	compiled := c.rule(target, reference == "#")
	c.known[reference] = compiled
	return compiled
}

func (c *compiler) object(r *rule, schema rawjson.Value) {
	properties := schema.Member("properties")
	if properties.Kind == '{' {
		for _, m := range properties.Parts {
			r.properties = append(r.properties, property{name: m.Name, rule: c.rule(m.Value, false)})
		}
	}
	if required := schema.Member("required"); required.Kind == '[' && len(required.Parts) <= maxSchemas {
		for _, name := range required.Texts() {
			// A server fills in a default.
			if !properties.Member(name).Member("default").Exists() {
				r.required = append(r.required, name)
			}
		}
	}
	if schema.Member("patternProperties").Exists() {
		return // patterns are not matched here
	}
	additional := schema.Member("additionalProperties")
	r.closed = additional.Kind == 'f' && (properties.Kind == '{' || !properties.Exists())
	r.additional = c.rule(additional, false)
}

func (c *compiler) list(r *rule, schema rawjson.Value) {
	items := schema.Member("items")
	if items.Kind == '{' {
		r.items = c.rule(items, false)
		r.itemsFrom = len(schema.Member("prefixItems").Elements())
	}
}

// enumOf returns the values that a schema allows, nil when it allows any.
func enumOf(schema rawjson.Value) []rawjson.Value {
	if constant := schema.Member("const"); constant.Exists() {
		return []rawjson.Value{constant}
	}
	list := schema.Member("enum").Elements()
	if len(list) == 0 {
		return nil
	}
	allowed := make([]rawjson.Value, len(list), len(list)+1)
	for i, m := range list {
		allowed[i] = m.Value
	}
	if schema.Member("nullable").Kind == 't' {
		allowed = append(allowed, rawjson.Value{Kind: 'n', Raw: []byte("null")})
	}
	return allowed
}
