package config

// http returns the schema of the key "http".
func (w schemaWriter) http() schema {
	text := schema{"type": "string", "minLength": 1}
	texts := schema{"type": "array", "items": text}
	number := schema{"anyOf": []schema{
		{"type": "integer", "minimum": sessionLimit.min, "maximum": sessionLimit.max}, {"type": "string", "pattern": wholeText},
	}}
	token := closed(schema{
		valueKey:     w.described(httpKey, "tokens.value", text),
		toolboxesKey: w.described(httpKey, "tokens.toolboxes", texts),
	}, valueKey, toolboxesKey)
	introspection := closed(schema{
		endpointKey:     w.described(httpKey, "auth.introspection.endpoint", text),
		clientIDKey:     w.described(httpKey, "auth.introspection.clientId", text),
		clientSecretKey: w.described(httpKey, "auth.introspection.clientSecret", text),
	}, endpointKey, clientIDKey, clientSecretKey)
	auth := closed(schema{
		issuerKey:   w.described(httpKey, "auth.issuer", text),
		resourceKey: w.described(httpKey, "auth.resource", text),
		scopesKey:   w.described(httpKey, "auth.scopes", texts),

		introspectKey: w.described(httpKey, "auth.introspection", introspection),
	}, issuerKey, resourceKey)
	tokens := schema{"type": "object", "patternProperties": schema{ignoredKeys: true}, "additionalProperties": token}
	properties := schema{}
	for key, value := range map[string]schema{
		tokensKey: tokens, authKey: auth, allowHostsKey: texts, allowOriginsKey: texts, maxSessionsKey: number, maxOfOneKey: number, drainKey: durationUpTo(drainLimit),
		byToolKey: {"type": "boolean"}, byIdentityKey: {"type": "boolean"}, pageKey: {"type": "boolean"},
	} {
		properties[key] = w.described(httpKey, key, value)
	}
	return closed(properties)
}
