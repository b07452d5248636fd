package config

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
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

// review notes the keys among the members of the root, a toolbox or a server that decide something, if the configuration is
// to be reviewed. Keys that are not known are among them.
//
// Decision: keys that begin with "_" or "$", such as "$schema", are not among them: the workbench reads none of them, and an
// editor fetches the address of a schema when the file is opened, whether or not it is trusted.
func (r *reader) review(above GivenKey, members object, legal keys) {
	if r.isReviewed {
		r.decisive = append(r.decisive, decisiveKeys(above, members, legal.get)...)
	}
}

// decisiveKeys returns those members of an object that decide something and are not shown elsewhere. describe finds the keys.
func decisiveKeys(above GivenKey, members object, describe func(name string) (key, bool)) []GivenKey {
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
			below, _ := (&reader{}).object(m.node, settingKeys, "")
			given = append(given, decisiveKeys(here, below, key.below())...)
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
