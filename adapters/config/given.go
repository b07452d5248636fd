package config

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// GivenKey is a key of a file that decides something and that no other line of a review shows.
type GivenKey struct {
	// Toolbox and Server have the key. Both are "" for the root, and Server for a toolbox.
	Toolbox domain.ToolboxName
	Server  domain.ServerName
	// Path is the path of the key below the root, the toolbox or the server.
	Path string
	// Value is its value as standard JSON.
	Value json.RawMessage
	// IsSecret says that the value may be a secret, or an object of them.
	IsSecret bool
}

// GivenKeys returns the keys of a configuration that decide something, in the order of the file, each with its whole
// value, apart from objects that are shown key by key. Keys that are not known are among them. It returns none of
// disabled toolboxes and servers, which mean nothing, and none of included files.
//
// Decision: keys that begin with "_" or "$", such as "$schema", are not among them: the workbench reads none of them, and an
// editor fetches the address of a schema when the file is opened, whether or not it is trusted.
func GivenKeys(text []byte, transports map[string]ports.Transport) []GivenKey {
	r := reader{transports: transports}
	tree := r.parse(text)
	if tree == nil {
		return nil
	}
	root, _ := r.object(*tree, settingKeys, "")
	given := r.decisive(GivenKey{}, root, rootKeys.get)
	toolboxes, _ := root.get(toolboxesKey)
	for _, toolbox := range r.enabled(toolboxes.node) {
		members, _ := r.object(toolbox.node, settingKeys, "")
		above := GivenKey{Toolbox: domain.ToolboxName(toolbox.name)}
		given = append(given, r.decisive(above, members, toolboxKeys.get)...)
		servers, _ := members.get(mcpServersKey)
		for _, server := range r.enabled(servers.node) {
			members, _ := r.object(server.node, settingKeys, "")
			above.Server = domain.ServerName(server.name)
			kind, _ := r.kind(server.node, members)
			given = append(given, r.decisive(above, members, append(r.transportKeys(kind), commonKeys...).get)...)
		}
	}
	return given
}

// enabled returns the toolboxes or servers of an object that are not disabled.
func (r *reader) enabled(n node) object {
	var found object
	if n.value == nil {
		return nil
	}
	entries, _ := r.object(n, nameKeys, "")
	for _, entry := range entries {
		if members, _ := r.object(entry.node, settingKeys, ""); !r.isDisabled(members) {
			found = append(found, entry)
		}
	}
	return found
}

// decisive returns those members of an object that decide something and are not shown elsewhere. describe finds the keys.
func (r *reader) decisive(above GivenKey, members object, describe func(name string) (key, bool)) []GivenKey {
	var given []GivenKey
	for _, m := range members {
		key, _ := describe(m.name)
		here := above
		here.Path = strings.TrimPrefix(above.Path+"."+m.name, ".")
		here.IsSecret = key.has("secret")
		_, isObject := m.value.Value.(*hujson.Object)
		switch {
		case key.has("harmless"), key.has("shown"):
		case isObject && (key.has("apart") || above.Path != ""):
			below, _ := r.object(m.node, settingKeys, "")
			given = append(given, r.decisive(here, below, key.below())...)
		default:
			here.Value = standardised(m.node)
			given = append(given, here)
		}
	}
	return given
}

// below returns how the keys of an object that is the value of a key are found.
func (k key) below() func(name string) (key, bool) {
	kind := k.Type
	if kind != nil && kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	switch {
	case kind == reflect.TypeFor[Registry]():
		return registryKeys.get
	case kind != nil && kind.Kind() == reflect.Struct:
		return keysOf(kind).get
	case kind != nil && kind.Kind() == reflect.Slice: // of values by name
		return func(name string) (key, bool) {
			return key{StructField: reflect.StructField{Type: kind.Elem()}, name: name}, true
		}
	}
	return func(string) (key, bool) { return k, true } // names that say nothing
}
