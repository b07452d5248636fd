package definitions

import "mcp-workbench/domain/rawjson"

// arguments returns the parameters in an input schema that is nested depth schemas deep.
// Schemas that apply together are merged. Of alternatives, a parameter is required if all of
// them require it. Stated reports whether the schema describes arguments at all.
func (r *renderer) arguments(schema rawjson.Value, depth int) (parameters parameterList, stated bool) {
	r.steps++
	if schema.Kind != '{' || r.steps > maxSteps || depth > maxNesting {
		r.lossy = true
		return parameterList{}, false
	}
	parameters = r.parameters(schema)
	if schema.Member("$ref").Exists() {
		// Members beside a reference apply in the newer drafts of JSON Schema.
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
		more, partStated := r.arguments(part.Value, depth+1)
		r.merge(&parameters, more.list...)
		stated = stated || partStated
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if alternatives := schema.Member(keyword).Elements(); len(alternatives) > 0 {
			r.lossy = true
			r.merge(&parameters, r.argumentsOfAny(alternatives, depth)...)
		}
	}
	return parameters, stated
}

// argumentsOfAny returns the parameters of several alternatives. A parameter is required if
// all of them require it.
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
