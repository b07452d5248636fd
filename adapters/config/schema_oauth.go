package config

// variableText matches a string with a variable, whose value is not known yet.
const variableText = `\$\{`

// oauth returns the schema of the key "oauth". Package oauth checks the same rules.
func (w schemaWriter) oauth() schema {
	text := schema{"type": "string", "minLength": 1}
	https := schema{"type": "string", "pattern": `^https://[^/?#]|` + variableText}
	httpsOrLoopback := schema{"type": "string", "pattern": `^https://[^/?#]|^http://(localhost|127\.|\[::1\])|` + variableText}
	properties := schema{}
	for key, value := range map[string]schema{
		"clientId": text, "clientSecret": text, "issuer": httpsOrLoopback,
		"scopes":      {"type": "array", "items": schema{"type": "string", "pattern": `^[^ "\\]+$`}},
		"redirectUri": httpsOrLoopback,
		"callbackPort": {"anyOf": []schema{
			{"type": "integer", "minimum": 1, "maximum": 65535}, {"type": "string", "pattern": `^[0-9]{1,5}$|` + variableText},
		}},
		"clientMetadataUrl": https,
		"account":           text,
		"grant":             {"type": "string", "pattern": `^(authorization_code|client_credentials|jwt-bearer)$|` + variableText},
		"privateKey":        text,
		"assertionFile":     text,
	} {
		properties[key] = w.described("oauth", key, value)
	}
	object := closed(properties)
	object["dependentRequired"] = schema{"clientSecret": []string{"clientId"}, "privateKey": []string{"grant", "issuer"}, "assertionFile": []string{"grant", "issuer"}}
	object["if"] = schema{"properties": schema{"grant": schema{"enum": []string{"client_credentials", "jwt-bearer"}}}, "required": []string{"grant"}}
	object["then"] = schema{"required": []string{"issuer"}}
	return schema{"anyOf": []schema{{"const": false}, object}}
}
