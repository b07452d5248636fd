package config

import (
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

// GivenKey is a key that a file has, with its value.
type GivenKey struct {
	// Place and Key are those of Describe.
	Place, Key string
	// Toolbox and Server have the key. Both are "" for the root, and Server for a toolbox.
	Toolbox domain.ToolboxName
	Server  domain.ServerName
	// Path is the path of the key below the root, the toolbox or the server.
	Path string
	// Value is its value as standard JSON.
	Value json.RawMessage
}

// GivenKeys returns the keys of a configuration in the order of the file, each with its whole value, apart from
// objects that have keys of their own. It returns none of disabled toolboxes and servers, which mean nothing, and none
// of included files.
func GivenKeys(text []byte) []GivenKey {
	var r reader
	tree := r.parse(text)
	if tree == nil {
		return nil
	}
	var given []GivenKey
	root, _ := r.object(*tree, settingKeys, "")
	for _, m := range root {
		switch m.name {
		case toolboxesKey:
			toolboxes, _ := r.object(m.node, nameKeys, "")
			for _, toolbox := range toolboxes {
				given = append(given, r.givenInToolbox(toolbox)...)
			}
		case httpKey:
			given = append(given, r.givenBelow(GivenKey{Place: httpKey, Path: httpKey}, m.node)...)
		case registryKey:
			if _, isObject := m.value.Value.(*hujson.Object); isObject {
				given = append(given, r.givenBelow(GivenKey{Place: registryKey, Path: registryKey}, m.node)...)
				continue
			}
			fallthrough
		default:
			given = append(given, GivenKey{Place: "root", Key: m.name, Path: m.name, Value: standardised(m.node)})
		}
	}
	return given
}

func (r *reader) givenInToolbox(toolbox member) []GivenKey {
	var given []GivenKey
	members, _ := r.object(toolbox.node, settingKeys, "")
	if r.isDisabled(members) {
		return nil
	}
	key := GivenKey{Place: "toolbox", Toolbox: domain.ToolboxName(toolbox.name)}
	for _, m := range members {
		if m.name != mcpServersKey {
			key.Key, key.Path, key.Value = m.name, m.name, standardised(m.node)
			given = append(given, key)
			continue
		}
		servers, _ := r.object(m.node, nameKeys, "")
		for _, server := range servers {
			given = append(given, r.givenInServer(key.Toolbox, server)...)
		}
	}
	return given
}

func (r *reader) givenInServer(toolbox domain.ToolboxName, server member) []GivenKey {
	var given []GivenKey
	members, _ := r.object(server.node, settingKeys, "")
	if r.isDisabled(members) {
		return nil
	}
	key := GivenKey{Toolbox: toolbox, Server: domain.ServerName(server.name)}
	for _, m := range members {
		key.Place, key.Key, key.Path, key.Value = "server", m.name, m.name, standardised(m.node)
		if _, isObject := m.value.Value.(*hujson.Object); isObject && m.name == oauthKey {
			key.Place, key.Key = oauthKey, ""
			given = append(given, r.givenBelow(key, m.node)...)
			continue
		}
		given = append(given, key)
	}
	return given
}

// givenBelow returns the keys below an object, whose Key is the path below the place without names of tokens.
func (r *reader) givenBelow(above GivenKey, n node) []GivenKey {
	var given []GivenKey
	members, _ := r.object(n, settingKeys, "")
	for _, m := range members {
		key := above
		key.Path += "." + m.name
		if isTokenName := above.Path == httpKey+"."+tokensKey; !isTokenName {
			key.Key = strings.TrimPrefix(above.Key+"."+m.name, ".")
		}
		if _, isObject := m.value.Value.(*hujson.Object); isObject {
			given = append(given, r.givenBelow(key, m.node)...)
			continue
		}
		key.Value = standardised(m.node)
		given = append(given, key)
	}
	return given
}
