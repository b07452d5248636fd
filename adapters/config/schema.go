package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// SchemaTitle is the title of the schema, which distinguishes it from other schemas.
const SchemaTitle = "Configuration of MCP Workbench"

// Schema returns the JSON Schema (2020-12) of the configuration. It is made from the tags of keys by which a configuration
// is read. Some mistakes are only found when a
// configuration is loaded: keys that occur twice, limits with units that are out of bounds, variables, and two
// keys for a transport that differ.
func Schema(transports map[string]ports.Transport, describe Describe) (json.RawMessage, error) {
	w := schemaWriter{transports, rootKeys, describe}
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

// limits returns the schema of the object of limits.
func (w schemaWriter) limits() schema {
	return w.object(keyPlace{limitsKey, limitsKey + "."}, limitKeys, reflect.ValueOf(domain.DefaultLimits()))
}

func (w schemaWriter) root() schema {
	root := w.object(keyPlace{name: "root"}, rootKeys, reflect.ValueOf(standardRoot))
	root["required"] = []string{toolboxesKey}
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
	object := w.object(keyPlace{name: "toolbox"}, toolboxKeys, reflect.Value{})
	object["oneOf"] = []schema{{"required": []string{mcpServersKey}}, {"required": []string{pluginKey}}}
	object["dependentRequired"] = map[string][]string{serversKey: {pluginKey}}
	return schema{"type": "object", "if": isDisabled, "else": object}
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
			"properties": schema{transportKey: schema{"enum": kindNames(w.transports)}, hostsTransport: schema{"enum": kindNames(w.transports)}},
			"not":        schema{"required": []string{commandKey, urlKey}},
			"allOf":      kinds,
		},
	}
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
	for _, key := range []string{transportKey, hostsTransport} {
		ways = append(ways, schema{"properties": schema{key: schema{"enum": names}}, "required": []string{key}})
	}
	unnamed := []schema{{"not": schema{"required": []string{transportKey}}}, {"not": schema{"required": []string{hostsTransport}}}}
	switch kind {
	case kindOfAddresses:
		ways = append(ways, schema{"allOf": unnamed, "required": []string{urlKey}})
	case kindOfPrograms:
		ways = append(ways, schema{"allOf": append(unnamed, schema{"not": schema{"required": []string{urlKey}}})})
	}
	return schema{"anyOf": ways}
}

// serverOf returns the schema of a server of a kind.
func (w schemaWriter) serverOf(kind string) schema {
	legal := ServerKeys(w.transports[kind])
	object := w.object(keyPlace{name: "server"}, legal, reflect.Value{})
	for name := range withoutEffect {
		object["properties"].(schema)[name] = schema{"deprecated": true, "description": "Has no effect here."}
	}
	return object
}
