package config

// secretsSchema returns the schema of "secrets": where values of variables are kept.
func secretsSchema() schema {
	return schema{
		"type": "object",
		"patternProperties": schema{ignoredKeys: true, "^[A-Za-z][A-Za-z0-9_]*$": schema{"oneOf": []schema{
			closed(schema{commandKey: schema{
				"description": "The program that prints the value, and its arguments. It runs without a shell when a server needs the value.",
				"type":        "array", "minItems": 1, "items": schema{"type": "string"}, "prefixItems": []schema{{"type": "string", "minLength": 1}},
			}}, commandKey),
			closed(schema{fileKey: withDescription(pathSchema(), "The file with the value, relative to the configuration.")}, fileKey),
		}}},
		"additionalProperties": false,
	}
}

func withDescription(value schema, text string) schema {
	value["description"] = text
	return value
}

// pathSchema returns the schema of a path that is relative to the configuration.
func pathSchema() schema {
	return schema{"type": "string", "pattern": "^[^~]", "not": schema{"pattern": `\$\{`}}
}
