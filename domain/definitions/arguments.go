package definitions

import "mcp-workbench/domain/rawjson"

// arguments returns the parameters of a tool from its input schema, depth schemas
// deep. What several schemas say together is merged; of alternatives, parameters are
// required that each of them requires. It reports whether the schema says what the
// arguments are at all.
func (r *renderer) arguments(schema rawjson.Value, depth int) (parameters parameterList, stated bool) {
	r.steps++
	if schema.Kind != '{' || r.steps > maxSteps || depth > maxNesting {
		r.lossy = true
		return parameterList{}, false
	}
	parameters = r.parameters(schema)
	if schema.Member("$ref").Exists() {
		// Members beside a reference count in the newer drafts of JSON Schema.
		if target, _, found := r.follow(schema); found {
			defer r.endFollowing()
			more, _ := r.arguments(target, depth+1)
			r.merge(&parameters, more.list...)
		}
		return parameters, true
	}
	r.inspect(schema)
	stated = schema.Member("properties").Exists() || schema.Member("type").Exists() || len(parameters.list) > 0
	for _, part := range schema.Member("allOf").Elements() {
		more, said := r.arguments(part.Value, depth+1)
		r.merge(&parameters, more.list...)
		stated = stated || said
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if alternatives := schema.Member(keyword).Elements(); len(alternatives) > 0 {
			r.lossy = true
			r.merge(&parameters, r.argumentsOfAny(alternatives, depth)...)
		}
	}
	return parameters, stated
}

// argumentsOfAny returns the parameters that one of several alternatives has; those
// are required that all of them require.
func (r *renderer) argumentsOfAny(alternatives []rawjson.Part, depth int) []parameter {
	var parameters parameterList
	requiring := map[string]int{}
	for _, alternative := range alternatives {
		more, _ := r.arguments(alternative.Value, depth+1)
		for _, p := range more.list {
			if p.required {
				requiring[p.name]++
			}
			r.merge(&parameters, p)
		}
	}
	for i := range parameters.list {
		p := &parameters.list[i]
		p.required = requiring[p.name] == len(alternatives)
	}
	return parameters.list
}
