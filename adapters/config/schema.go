package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

// Describe returns the description of a key, "" if it has none. The place is "root", "toolbox", "server" or the
// key that contains it, such as "limits" or "oauth".
type Describe func(place, key string) string

// TopicSection returns the heading under which the help topic about the configuration describes the keys of a
// place.
func TopicSection(place string) string {
	switch place {
	case "root":
		return "Keys at the root"
	case "limits":
		return "Limits"
	case "toolbox", "server":
		return "Keys of a " + place
	}
	return "Keys of " + place
}

// schema is a JSON Schema, as an object whose members encoding/json sorts.
type schema map[string]any

// SchemaTitle is the title of the schema, which distinguishes it from other schemas.
const SchemaTitle = "Configuration of MCP Workbench"

// Schema returns the JSON Schema (2020-12) of the configuration. It is made from the tables that check a
// configuration, and from what the transports' own checks accept. Some mistakes are only found when a
// configuration is loaded: keys that occur twice, limits with units that are out of bounds, variables, and two
// keys for a transport that differ.
func Schema(transports map[string]ports.Transport, describe Describe) (json.RawMessage, error) {
	w := schemaWriter{transports: transports, describe: describe}
	root := w.root()
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = SchemaTitle
	root["$defs"] = schema{"limits": w.limits(), "toolbox": w.toolbox(), "server": w.server()}
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	return append(text, '\n'), nil
}

type schemaWriter struct {
	transports map[string]ports.Transport
	describe   Describe
}

// closed returns the schema of an object that has no other properties, except for keys that begin with "_" or
// "$", which are for people and editors.
func closed(properties schema, required ...string) schema {
	object := schema{
		"type": "object", "properties": properties, "patternProperties": schema{ignoredKeys: true}, "additionalProperties": false,
	}
	if len(required) > 0 {
		object["required"] = required
	}
	return object
}

const ignoredKeys = "^[_$]"

// named returns the schema of an object whose keys are names of toolboxes or servers. value is the definition of
// their values.
func named(value string) schema {
	return schema{
		"type":                 "object",
		"patternProperties":    schema{ignoredKeys: true},
		"additionalProperties": schema{"$ref": "#/$defs/" + value},
		"propertyNames": schema{"anyOf": []schema{
			{"pattern": ignoredKeys}, {"minLength": 1, "not": schema{"pattern": `__|[\x00-\x1f\x7f]`}},
		}},
	}
}

// described returns the schema of a key with the description of the key. The topic describes some keys of a toolbox
// or a server only at the root, which has them too.
func (w schemaWriter) described(place, key string, value schema) schema {
	text := w.describe(place, key)
	if text == "" && (place == "toolbox" || place == "server") && slices.Contains(rootKeys, key) {
		text = w.describe("root", key)
	}
	if text == "" {
		return value
	}
	value = maps.Clone(value)
	value["description"] = text
	return value
}

func (w schemaWriter) root() schema {
	properties := schema{}
	for _, entry := range settings {
		if strings.HasPrefix(entry.key, limitsKey+".") {
			continue
		}
		value := schema{"enum": entry.choices}
		switch {
		case entry.key == idleTimeoutKey:
			value = limitSchema(idleTimeout)
		case entry.isPath:
			value = schema{"type": "string", "pattern": `^(/|\\\\|[A-Za-z]:[\\/])`}
		case entry.key == registryKey:
			value = w.registry()
		case entry.key == activityKey:
			value = w.activity()
		case entry.key == backgroundKey:
			value = w.background()
		case entry.booleans != nil:
			value = schema{"type": "boolean"}
		}
		if entry.standard != nil && entry.limit == nil {
			value["default"] = entry.standard
		}
		properties[entry.key] = w.described("root", entry.key, value)
	}
	properties[limitsKey] = w.described("root", limitsKey, schema{"$ref": "#/$defs/limits"})
	properties[inheritEnvKey] = w.described("root", inheritEnvKey, schema{"anyOf": []schema{
		{"type": "boolean"}, {"const": "all"}, {"type": "array", "items": schema{"type": "string"}},
	}})
	for _, key := range approvalKeys {
		properties[key] = w.described("root", key, approvalSchema(key, domain.RootPattern))
	}
	properties[secretsKey] = w.described("root", secretsKey, secretsSchema())
	properties[envFileKey] = w.described("root", envFileKey, pathSchema())
	properties[includeKey] = w.described("root", includeKey, schema{"type": "array", "items": pathSchema()})
	properties[httpKey] = w.described("root", httpKey, w.http())
	properties[toolboxesKey] = w.described("root", toolboxesKey, named("toolbox"))
	root := closed(properties, toolboxesKey)
	root["examples"] = []schema{{toolboxesKey: schema{"files": schema{
		"description": "Read and write files of the project",
		mcpServersKey: schema{"filesystem": schema{
			commandKey: "npx", "args": []string{"-y", "@modelcontextprotocol/server-filesystem", "${PROJECT_ROOT:-/home/me/project}"},
		}},
	}}}}
	return root
}

// toolbox returns the schema of a toolbox. A disabled toolbox is not checked.
func (w schemaWriter) toolbox() schema {
	servers := named("server")
	servers["minProperties"] = 1
	values := map[string]schema{
		"description": {"type": "string"}, definitionsKey: {"enum": definitions.Forms()}, resultsKey: {"enum": domain.ResultsModes()},
		startKey: {"enum": domain.StartModes()}, mcpServersKey: servers,
		disabledKey: {"type": "boolean", "default": false},
	}
	for _, key := range approvalKeys {
		values[key] = approvalSchema(key, domain.ToolboxPattern)
	}
	properties := schema{}
	for _, key := range toolboxKeys {
		properties[key] = w.described("toolbox", key, values[key])
	}
	return schema{"type": "object", "if": isDisabled, "else": closed(properties, mcpServersKey)}
}

// isDisabled is the condition under which a toolbox or a server is left out.
var isDisabled = schema{"properties": schema{disabledKey: schema{"const": true}}, "required": []string{disabledKey}}

// server returns the schema of a server. A disabled server is not checked.
func (w schemaWriter) server() schema {
	var kinds []schema
	for _, kind := range slices.Sorted(maps.Keys(w.transports)) {
		kinds = append(kinds, schema{"if": isOfKind(kind), "then": w.serverOf(kind)})
	}
	return schema{
		"type": "object",
		"if":   isDisabled,
		"else": schema{
			"properties": schema{"transport": schema{"enum": w.kindNames()}, "type": schema{"enum": w.kindNames()}},
			"not":        schema{"required": []string{commandKey, urlKey}},
			"allOf":      kinds,
		},
	}
}

// kindNames returns the names of all kinds, including those that hosts use.
func (w schemaWriter) kindNames() []string {
	names := slices.Collect(maps.Keys(w.transports))
	return slices.Sorted(slices.Values(append(names, slices.Collect(maps.Keys(kindAliases))...)))
}

// isOfKind returns the condition under which a server is of a kind, as kind.go decides it.
func isOfKind(kind string) schema {
	names := []string{kind}
	for alias, meant := range kindAliases {
		if meant == kind {
			names = append(names, alias)
		}
	}
	slices.Sort(names)
	var ways []schema
	for _, key := range []string{"transport", "type"} {
		ways = append(ways, schema{"properties": schema{key: schema{"enum": names}}, "required": []string{key}})
	}
	unnamed := []schema{{"not": schema{"required": []string{"transport"}}}, {"not": schema{"required": []string{"type"}}}}
	switch kind {
	case "http":
		ways = append(ways, schema{"allOf": unnamed, "required": []string{urlKey}})
	case "stdio":
		ways = append(ways, schema{"allOf": append(unnamed, schema{"not": schema{"required": []string{urlKey}}})})
	}
	return schema{"anyOf": ways}
}

// serverOf returns the schema of a server of a kind.
func (w schemaWriter) serverOf(kind string) schema {
	values := map[string]schema{
		"transport": {"enum": w.kindNames()}, "type": {"enum": w.kindNames()}, disabledKey: {"type": "boolean", "default": false},
		"toolFilters": {
			"type": "array", "items": schema{"type": "string"}, "default": []string{"*"},
			"anyOf": []schema{{"contains": schema{"const": "*"}}, {"items": schema{"not": schema{"pattern": "^!"}}}},
		},
		toolsKey:       adjustmentsSchema(),
		limitsKey:      {"$ref": "#/$defs/limits"},
		idleTimeoutKey: limitSchema(idleTimeout),
		pinnedKey:      {"enum": pinScopes, "default": domain.PinDefinition},
		resultsKey:     {"enum": domain.ResultsModes()},
		startKey:       {"enum": domain.StartModes()},
		sharedKey:      {"type": "boolean", "default": false},
		fromKey:        fromSchema(),
	}
	for _, key := range approvalKeys {
		values[key] = approvalSchema(key, domain.ServerPattern)
	}
	properties := schema{}
	for _, key := range commonKeys {
		properties[key] = w.described("server", key, values[key])
	}
	for key := range withoutEffect {
		properties[key] = schema{"deprecated": true, "description": "Has no effect here."}
	}
	transport := w.transports[kind]
	var required []string
	for _, key := range transport.Keys() {
		var value schema
		switch key {
		case oauthKey:
			value = w.oauth()
		case tlsKey:
			path := func(description string) schema {
				return schema{"description": description, "type": "string", "minLength": 1, "pattern": "^[^~]", "not": schema{"pattern": "-----BEGIN"}}
			}
			value = closed(schema{
				"cert": path("The file of the client certificate, in PEM."),
				"key":  path("The file of its key, in PEM. Without it, the key is in the file of the certificate."),
			}, "cert")
		default:
			value = accepted(transport, key)
		}
		properties[key] = w.described("server", key, value)
		if !accepts(transport, nil, key) {
			required = append(required, key)
		}
	}
	return closed(properties, required...)
}
