package setup

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain/rawjson"
	"mcp-workbench/ports"
)

// Kinds are the transports by the kinds of servers.
type Kinds map[string]ports.Transport

// ParseServer is hostfiles.ParseServer, and reads servers of the kinds that hosts do not know as the configuration has them.
func (k Kinds) ParseServer(name string, text []byte) (setup.Server, error) {
	members, err := textedit.ReadJSON(text, nil)
	settings := setup.Settings{Members: map[string]json.RawMessage{}}
	for _, member := range members {
		if member.Name == "transport" || member.Name == "type" {
			settings.Transport = rawjson.Text(member.Value)
			continue
		}
		settings.Members[member.Name] = member.Value
	}
	if err != nil || !k.isOwn(settings.Transport) {
		return hostfiles.ParseServer(name, text)
	}
	return setup.Server{Name: name, Settings: settings}, nil
}

// Keys returns what the keys of the transports say of the settings of servers.
func (k Kinds) Keys() setup.Keys { return hostfiles.Keys(config.KeysOfTransports(k)) }

// comparison compares servers of hosts with those of the configuration, whose variables have the values that they have now.
func (k Kinds) comparison() setup.Comparison {
	return setup.Comparison{Keys: k.Keys(), Lookup: os.LookupEnv}
}

// isOwn reports whether servers of a kind are described by the keys of their transport only.
func (k Kinds) isOwn(kind string) bool { return k[kind] != nil && !hostfiles.Describes(kind) }

// Words returns the kinds for a message: "http, sse or stdio".
func (k Kinds) Words() string {
	names := slices.Sorted(maps.Keys(k))
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// members returns the settings in the texts KEY=VALUE for a server of a kind. The value of a key that is not a text is JSON.
func (k Kinds) members(kind string, texts []string) (map[string]json.RawMessage, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	legal, members := config.ServerKeys(k[kind]), map[string]json.RawMessage{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, errors.New("--set needs KEY=VALUE")
		}
		key, known := legal.Get(name)
		switch {
		case !known:
			return nil, fmt.Errorf("--set %s: servers of the kind %s have no such key; they have %s", name, kind, strings.Join(legal.Names(), ", "))
		case key.Is(keys.Secret|keys.Hidden) && !strings.Contains(value, "${"):
			return nil, fmt.Errorf("--set %s: other users can read command lines, so set a variable and write '%s=${NAME}' in single quotes", name, name)
		}
		members[name] = json.RawMessage(value)
		if isText := key.Kind == keys.Text || key.Kind == keys.Word; isText || !json.Valid(members[name]) {
			quoted, err := setup.JSON(value)
			if err != nil {
				return nil, err
			}
			members[name] = quoted
		}
	}
	return members, nil
}
