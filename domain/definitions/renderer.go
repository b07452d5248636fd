package definitions

import (
	"slices"

	"mcp-workbench/domain/rawjson"
)

const (
	// maxSteps is the number of schemas that are rendered for one tool, and maxNesting how deep they nest.
	maxSteps   = 4000
	maxNesting = 24
	// maxCutEnum is the number of values of an enum that are kept in a brief signature, or if there are
	// more than maxEnum.
	maxCutEnum = 6
	maxEnum    = maxSignature / len(`"", `)
)

// renderer renders schemas as types.
type renderer struct {
	root rawjson.Value
	// brief leaves out the members of nested objects, and all but the first values of enums.
	brief bool
	// lossy is set once something was left out.
	lossy bool
	steps int
	// following are the references being followed, outermost first.
	following []string
}

// lose notes that something was left out, and returns its replacement.
func (r *renderer) lose(instead expression) expression {
	r.lossy = true
	return instead
}

// expression returns the type that a schema describes, which is nested depth schemas deep.
func (r *renderer) expression(schema rawjson.Value, depth int) expression {
	switch schema.Kind {
	case 't':
		return anything
	case '{':
	default:
		return r.lose(anything)
	}
	if r.steps++; r.steps > maxSteps || depth > maxNesting {
		return r.lose(leftOut)
	}
	if schema.Member("$ref").Exists() {
		target, instead, found := r.follow(schema)
		if !found {
			return instead
		}
		defer r.endFollowing()
		return r.expression(target, depth+1)
	}
	r.inspect(schema)
	if constant := schema.Member("const"); constant.Exists() {
		return r.literal(constant)
	}
	if enum := schema.Member("enum"); enum.Kind == '[' {
		return r.enum(enum)
	}
	parts := []expression{r.types(schema, depth)}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if alternatives := schema.Member(keyword); alternatives.Kind == '[' {
			parts = append(parts, r.alternatives(alternatives, depth))
		}
	}
	for _, part := range schema.Member("allOf").Elements() {
		parts = append(parts, r.expression(part.Value, depth+1))
	}
	return intersection(parts).comment(limits(schema))
}

// follow returns the target of a schema's reference, until endFollowing is called. A reference
// to a schema that is being rendered, or to another document, cannot be rendered: instead
// replaces it.
func (r *renderer) follow(schema rawjson.Value) (target rawjson.Value, instead expression, found bool) {
	r.inspect(schema)
	reference := schema.Member("$ref").Text()
	if slices.Contains(r.following, reference) {
		return rawjson.Value{}, r.lose(leftOut), false
	}
	target, found = Resolve(r.root, reference)
	if !found {
		return rawjson.Value{}, r.lose(anything), false
	}
	for _, m := range schema.Parts {
		if isUnsaid(m.Name) || isRendered(m.Name) && m.Name != "$ref" && m.Name != "default" {
			r.lossy = true
		}
	}
	r.following = append(r.following, reference)
	return target, expression{}, true
}

func (r *renderer) endFollowing() { r.following = r.following[:len(r.following)-1] }

// alternatives returns the union of schemas. Alternatives that only require members are a rule
// across members, which a type cannot express.
func (r *renderer) alternatives(list rawjson.Value, depth int) expression {
	var expressions []expression
	for _, alternative := range list.Parts {
		if onlyRequires(alternative.Value) {
			return r.lose(anything)
		}
		expressions = append(expressions, r.expression(alternative.Value, depth+1))
	}
	return union(expressions)
}

func onlyRequires(schema rawjson.Value) bool {
	return schema.Member("required").Exists() && !schema.Member("properties").Exists()
}

func (r *renderer) enum(list rawjson.Value) expression {
	values := list.Parts
	cut := r.brief && len(values) > maxCutEnum || len(values) > maxEnum
	if cut {
		values = values[:maxCutEnum]
	}
	var literals []expression
	for _, v := range values {
		literals = append(literals, r.literal(v.Value))
	}
	if cut {
		literals = append(literals, r.lose(leftOut))
	}
	if len(literals) == 0 {
		return r.lose(anything)
	}
	return union(literals)
}

func (r *renderer) literal(v rawjson.Value) expression {
	text, whole := Literal(v)
	if !whole {
		r.lossy = true
	}
	return expression{text: text}
}

// types returns the union of the types that a schema names, or that its keywords imply.
func (r *renderer) types(schema rawjson.Value, depth int) expression {
	names := schema.Member("type").Texts()
	if len(names) == 0 {
		switch {
		case schema.Member("properties").Exists() || schema.Member("required").Exists():
			names = []string{"object"}
		case schema.Member("items").Exists() || schema.Member("prefixItems").Exists():
			names = []string{"array"}
		}
	}
	var expressions []expression
	for _, name := range names {
		switch name {
		case "object":
			expressions = append(expressions, r.object(schema, depth))
		case "array":
			expressions = append(expressions, r.list(schema, depth))
		case "string", "number", "integer", "boolean", "null":
			expressions = append(expressions, expression{text: name})
		default:
			expressions = append(expressions, r.lose(anything))
		}
	}
	if len(expressions) > 0 && schema.Member("nullable").Kind == 't' {
		expressions = append(expressions, expression{text: "null"})
	}
	return union(expressions)
}

func (r *renderer) list(schema rawjson.Value, depth int) expression {
	items, tuple := schema.Member("items"), schema.Member("prefixItems")
	if items.Kind == '[' {
		tuple, items = items, schema.Member("additionalItems")
	}
	if tuple.Kind == '[' {
		return r.tuple(tuple, items, depth)
	}
	if !items.Exists() {
		return anything.array()
	}
	return r.expression(items, depth+1).array()
}

func (r *renderer) tuple(first, rest rawjson.Value, depth int) expression {
	text := "["
	for i, element := range first.Parts {
		if i > 0 {
			text += ", "
		}
		text += r.expression(element.Value, depth+1).text
	}
	if rest.Kind == '{' {
		text += ", ..." + r.expression(rest, depth+1).array().text
	}
	return expression{text: text + "]"}
}
