package config

import (
	"reflect"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

const (
	// OfficialRegistry is the registry of the MCP project.
	OfficialRegistry = "https://registry.modelcontextprotocol.io"

	noRegistry     = "false"
	registryWanted = `an address or false`
)

// registryObject has the keys of a registry in an object, which are those of a server at an address.
type registryObject struct {
	_ address           `key:"url" required:"an address or false" is:"address"`
	_ map[string]string `key:"headers" is:"secret"`
}

var registryKeys = keys.For[registryObject]()

// Keys implements keys.Objects.
func (Registry) Keys() keys.Set { return keys.For[registryObject]() }

// address is that of a registry.
type address struct{}

func (address) schema(schemaWriter, keyPlace) schema {
	return schema{"type": "string", "pattern": `^(https?://|\$\{)`}
}

func (Registry) schema(w schemaWriter, at keyPlace) schema {
	return schema{"anyOf": []schema{{"const": false}, address{}.schema(w, at), w.object(at.below(registryKey), registryKeys, reflect.Value{})}}
}

// Registry says which registry of MCP servers the commands ask.
type Registry struct {
	// Off says that commands ask no registry.
	Off bool
	// Address is that of the registry as it is written, or "false".
	Address string
	// Server has the address and the headers of the registry, as the settings of a server behind a URL.
	Server domain.Server
}

// parseRegistry returns the registry that a variable or a flag names.
func parseRegistry(text string) (value any, ok bool) {
	return text, text == noRegistry || isAddress(text)
}

func isAddress(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}

// UnmarshalText implements encoding.TextUnmarshaler: a text is the address of a registry without headers, or "false".
func (g *Registry) UnmarshalText(text []byte) error {
	g.Off, g.Address = string(text) == noRegistry, string(text)
	if !g.Off {
		g.Server.Transport = kindOfAddresses
		g.Server.Settings = rawjson.Object{}.Text(urlKey, g.Address).JSON()
		g.Server.Configured = g.Server.Settings
	}
	return nil
}

// registryAddress reads the registry that the file names, and returns its address as it is written.
func registryAddress(r *reader, n tree.Node) (address string, ok bool) {
	before := len(r.Problems)
	members := registryMembers(&r.Findings, n)
	switch n.Value.Value.Kind() {
	case 'f':
		return noRegistry, true
	case '"':
	case '{':
		r.require(n, members, registryKeys)
	default:
		r.WrongKind(n, registryWanted)
	}
	for _, m := range members {
		switch key, _ := registryKeys.Get(m.Name); {
		case key.Is(keys.Address):
			text, isText := r.Text(m.Node, registryWanted)
			if isText && !isAddress(text) && !strings.HasPrefix(text, "${") {
				r.WrongValue(m.Node, registryWanted)
			}
			address = text
		case key.Is(keys.Secret):
			r.checkStrings(m.Node)
		default:
			r.unknownKey(m, registryKeys.Names())
		}
	}
	return address, address != "" && len(r.Problems) == before
}

// registryMembers returns the registry that the file names as the settings of a server behind a URL, none for a value of
// another kind.
func registryMembers(f *tree.Findings, n tree.Node) tree.Object {
	switch n.Value.Value.Kind() {
	case '"':
		return tree.Object{{Node: n, Name: urlKey, Literal: hujson.Literal(`"` + urlKey + `"`)}}
	case '{':
		members, _ := f.Object(n, tree.SettingKeys, "")
		return members
	}
	return nil
}

// readRegistry gives the merged registry the headers that the file has for it, and replaces its variables. The headers are
// for the address of the file only, and reach no other one that a variable or a flag names.
func readRegistry(r *reader, members tree.Object, registry *Registry) {
	m, ok := members.Get(registryKey)
	if !ok || registry.Off {
		return
	}
	settings := registryMembers(new(tree.Findings), m.Node)
	named, ok := settings.Get(urlKey)
	if !ok {
		return
	}
	if text, _ := named.Text(); text != registry.Address {
		return
	}
	server := &registry.Server
	w := settingsWriter{reader: r, server: server, keys: transportKeys(r.transports, server.Transport), consequence: "the registry cannot be asked"}
	w.settings(settings)
	if transport, known := r.transports[server.Transport]; known {
		check(&r.Findings, *server, transport, m.Node)
	}
}
