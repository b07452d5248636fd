package config

import (
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
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
	// Key describes the value.
	Key keys.Key
}

// review collects the keys of a file that decide something, if a user is to review it.
type review struct {
	isWanted bool
	keys     []GivenKey
}

// note notes the keys among the members of the root, a toolbox or a server that decide something. Keys that are not known
// are among them.
//
// Decision: keys that begin with "_" or "$", such as "$schema", are not among them: the workbench reads none of them, and an
// editor fetches the address of a schema when the file is opened, whether or not it is trusted.
func (r *review) note(above GivenKey, members tree.Object, legal keys.Set) {
	if r.isWanted {
		r.keys = append(r.keys, decisiveKeys(above, members, legal.Member)...)
	}
}

// decisiveKeys returns those members of an object that decide something and are not shown elsewhere. describe describes them.
func decisiveKeys(above GivenKey, members tree.Object, describe func(name string) keys.Key) []GivenKey {
	var given []GivenKey
	for _, m := range members {
		key := describe(m.Name)
		here := above
		here.Path = strings.TrimPrefix(above.Path+"."+m.Name, ".")
		here.Key = key
		_, isObject := m.Value.Value.(*hujson.Object)
		switch {
		case key.Is(keys.Harmless | keys.Shown):
		case isObject && (key.Is(keys.Apart) || above.Path != ""):
			below, _ := new(tree.Findings).Object(m.Node, tree.SettingKeys, "")
			given = append(given, decisiveKeys(here, below, key.Member)...)
		default:
			here.Value = m.Standard()
			given = append(given, here)
		}
	}
	return given
}
