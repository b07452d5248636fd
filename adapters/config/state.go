package config

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// State holds the values of a configuration that a review compares with those of another.
type State struct {
	// Servers are the settings of the servers that are enabled.
	Servers map[domain.ServerID]json.RawMessage
	// Beside are the values of the root and of the toolboxes beside these servers, with their paths in the file.
	Beside []keys.Value
}

// StateOf returns what a text says. One that cannot be parsed says nothing.
func StateOf(transports map[string]ports.Transport, text []byte) State {
	state := State{Servers: map[domain.ServerID]json.RawMessage{}}
	root, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return state
	}
	for _, value := range rootKeys.Values(root) {
		if value.At[0] != toolboxesKey {
			state.Beside = append(state.Beside, value)
			continue
		}
		_ = rawjson.EachMember(value.Raw, func(name, toolbox []byte) error {
			state.addToolbox(domain.ToolboxName(name), toolbox, KeysOfServers(transports))
			return nil
		}) // a value of another kind has no toolboxes
	}
	return state
}

func (s *State) addToolbox(name domain.ToolboxName, toolbox json.RawMessage, servers keys.Set) {
	if isOff(toolbox) {
		return
	}
	for _, value := range toolboxKeys.Values(toolbox) {
		if !hasServers(value.At[0]) {
			s.add(value, toolboxesKey, string(name))
			continue
		}
		_ = rawjson.EachMember(value.Raw, func(server, settings []byte) error {
			switch id := (domain.ServerID{Toolbox: name, Server: domain.ServerName(server)}); {
			case isOff(settings):
			case value.At[0] == mcpServersKey:
				s.Servers[id] = slices.Clone(settings)
			default:
				for _, added := range servers.Values(settings) {
					s.add(added, toolboxesKey, string(name), value.At[0], string(server))
				}
			}
			return nil
		}) // as above
	}
}

// add adds a value below a path of names.
func (s *State) add(value keys.Value, below ...string) {
	value.At = slices.Concat(below, value.At)
	s.Beside = append(s.Beside, value)
}

// isOff reports whether a toolbox or a server is disabled.
func isOff(object json.RawMessage) bool { return string(rawjson.Member(object, disabledKey)) == "true" }
