package config

import "maps"

// http returns the schema of the key about who can call.
func (w schemaWriter) http() schema {
	text := schema{"type": "string", "minLength": 1}
	list := func() schema { return schema{"type": "array", "items": maps.Clone(text)} }
	token := closed(schema{
		valueKey:     w.described(httpKey, "tokens.value", maps.Clone(text)),
		toolboxesKey: w.described(httpKey, "tokens.toolboxes", list()),
	}, valueKey, toolboxesKey)
	auth := closed(schema{
		issuerKey:   w.described(httpKey, "auth.issuer", maps.Clone(text)),
		resourceKey: w.described(httpKey, "auth.resource", maps.Clone(text)),
		scopesKey:   w.described(httpKey, "auth.scopes", list()),
	}, issuerKey, resourceKey)
	tokens := schema{"type": "object", "patternProperties": schema{ignoredKeys: true}, "additionalProperties": token}
	number := func() schema {
		return schema{"anyOf": []schema{
			{"type": "integer", "minimum": sessionLimit.min, "maximum": sessionLimit.max}, {"type": "string", "pattern": wholeText},
		}}
	}
	return closed(schema{
		tokensKey: w.described(httpKey, tokensKey, tokens), authKey: w.described(httpKey, authKey, auth),
		allowHostsKey: w.described(httpKey, allowHostsKey, list()), allowOriginsKey: w.described(httpKey, allowOriginsKey, list()),
		maxSessionsKey: w.described(httpKey, maxSessionsKey, number()), maxOfOneKey: w.described(httpKey, maxOfOneKey, number()),
	})
}
