package definitions

import "encoding/json"

// maxSchemas bounds how many schemas are compiled for one tool, and maxSchemaBytes how
// long its definition may be: beyond it validates nothing.
const (
	maxSchemas     = 5000
	maxSchemaBytes = 1 << 20
)

// Schema is what is checked of the arguments of one tool. It is safe for concurrent
// use. Nil is a schema that refuses nothing.
type Schema struct {
	root *rule
}

// CompileSchema reads the input schema of a definition. Where it cannot be read (it is
// not an object, not JSON, too long, deeper than 64 objects, has a name twice), or a
// part of it (a reference to elsewhere or to itself), nothing is refused. Local
// references are followed.
func CompileSchema(definition json.RawMessage) *Schema {
	if len(definition) > maxSchemaBytes {
		return nil
	}
	read, _ := parse(definition)
	schema := read.member("inputSchema")
	if read.repeats() || !readable(schema) {
		return nil
	}
	c := compiler{root: schema, known: map[string]*rule{}}
	root := c.rule(schema, true)
	if root == nil || c.schemas > maxSchemas {
		return nil
	}
	return &Schema{root: root}
}

// readable reports whether a value has no name twice, and is nowhere too deep.
func readable(v value) bool {
	if v.kind == kindDeep || v.repeats() {
		return false
	}
	for _, m := range v.members {
		if !readable(m.value) {
			return false
		}
	}
	return v.exists()
}

// rule is what is checked of one value; nil is nothing.
type rule struct {
	types types
	// enum holds the values that are allowed, nil when any is.
	enum []value
	// properties are checked by name; closed allows no others, and additional, unless it
	// is nil, is what the others are checked with.
	properties []property
	required   []string
	closed     bool
	additional *rule
	// items is what the elements of a list are checked with, from a place on.
	items     *rule
	itemsFrom int
	// all have to be kept, and of each of the alternatives one.
	all          []*rule
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

// compiler makes rules of schemas.
type compiler struct {
	root value
	// known are the rules of references, nil while one is being compiled: one that leads
	// back to itself is not checked.
	known   map[string]*rule
	schemas int
}

// rule compiles a schema, isRoot the whole one.
func (c *compiler) rule(schema value, isRoot bool) *rule {
	c.schemas++
	if schema.kind != kindObject || c.schemas > maxSchemas || !isRoot && moves(schema) {
		return nil
	}
	if reference := schema.member("$ref"); reference.exists() {
		// What stands beside a reference counts in some drafts and not in others.
		return c.followed(reference.text())
	}
	r := &rule{types: typesOf(schema), enum: enumOf(schema)}
	c.object(r, schema)
	c.list(r, schema)
	for _, part := range schema.member("allOf").elements() {
		if compiled := c.rule(part.value, false); compiled != nil {
			r.all = append(r.all, compiled)
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := schema.member(keyword).elements(); len(list) > 0 {
			r.alternatives = append(r.alternatives, c.ruleForEach(list))
		}
	}
	return r
}

func (c *compiler) ruleForEach(list []member) []*rule {
	rules := make([]*rule, len(list))
	for i, m := range list {
		rules[i] = c.rule(m.value, false)
	}
	return rules
}

func (c *compiler) followed(reference string) *rule {
	if compiled, seen := c.known[reference]; seen {
		return compiled
	}
	target, found := resolve(c.root, reference)
	if !found {
		return nil
	}
	c.known[reference] = nil
	compiled := c.rule(target, reference == "#")
	c.known[reference] = compiled
	return compiled
}

func (c *compiler) object(r *rule, schema value) {
	properties := schema.member("properties")
	if properties.kind == kindObject {
		for _, m := range properties.members {
			r.properties = append(r.properties, property{name: m.name, rule: c.rule(m.value, false)})
		}
	}
	if required := schema.member("required"); required.kind == kindArray && len(required.members) <= maxSchemas {
		for _, name := range required.texts() {
			// A server that has a default for it fills it in.
			if !properties.member(name).member("default").exists() {
				r.required = append(r.required, name)
			}
		}
	}
	if schema.member("patternProperties").exists() {
		return // which names its patterns mean is not known here
	}
	additional := schema.member("additionalProperties")
	r.closed = additional.kind == kindFalse && (properties.kind == kindObject || !properties.exists())
	r.additional = c.rule(additional, false)
}

func (c *compiler) list(r *rule, schema value) {
	items := schema.member("items")
	if items.kind == kindObject {
		r.items = c.rule(items, false)
		r.itemsFrom = len(schema.member("prefixItems").elements())
	}
}

// enumOf returns the values that a schema allows, nil when it allows any.
func enumOf(schema value) []value {
	if constant := schema.member("const"); constant.exists() {
		return []value{constant}
	}
	list := schema.member("enum").elements()
	if len(list) == 0 {
		return nil
	}
	allowed := make([]value, len(list), len(list)+1)
	for i, m := range list {
		allowed[i] = m.value
	}
	if schema.member("nullable").kind == kindTrue {
		allowed = append(allowed, value{kind: kindNull, raw: []byte("null")})
	}
	return allowed
}
