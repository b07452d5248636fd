package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

const (
	registryKey = "registry"
	headersKey  = "headers"

	// OfficialRegistry is the registry of the MCP project.
	OfficialRegistry = "https://registry.modelcontextprotocol.io"

	noRegistry     = "false"
	registryWanted = `an address or false`
)

// registryObject has the keys of a registry in an object.
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

// registryAddress reads the registry that the file names, keeps its settings in the form of a server behind a URL, and
// returns its address as it is written.
func (r *reader) registryAddress(n tree.Node) (address string, ok bool) {
	before := len(r.Problems)
	switch n.Value.Value.Kind() {
	case 'f':
		return noRegistry, true
	case '"':
		r.ownRegistry = tree.Object{{Node: n, Name: urlKey, Literal: hujson.Literal(`"` + urlKey + `"`)}}
	case '{':
		r.ownRegistry, _ = r.Object(n, tree.SettingKeys, "")
		r.require(n, r.ownRegistry, registryKeys)
	default:
		r.WrongKind(n, registryWanted)
	}
	for _, m := range r.ownRegistry {
		switch m.Name {
		case urlKey:
			text, isText := r.Text(m.Node, registryWanted)
			if isText && !isAddress(text) && !strings.HasPrefix(text, "${") {
				r.WrongValue(m.Node, registryWanted)
			}
			address = text
		case headersKey:
			r.checkStrings(m.Node)
		default:
			r.unknownKey(m, registryKeys.Names())
		}
	}
	return address, address != "" && len(r.Problems) == before
}

// registry returns the registry at the merged address. The headers of the file are for the address of the file only,
// and reach no other one that a variable or a flag names.
func (r *reader) registry(members tree.Object, address string, limits domain.Limits) Registry {
	if address == noRegistry {
		return Registry{Off: true}
	}
	server := domain.Server{Transport: "http", Limits: limits}
	if named, ok := r.ownRegistry.Get(urlKey); ok {
		if text, _ := named.Text(); text == address {
			w := settingsWriter{reader: r, server: &server, keys: r.transportKeys(server.Transport), consequence: "the registry cannot be asked"}
			w.settings(r.ownRegistry)
			if transport, known := r.transports[server.Transport]; known {
				m, _ := members.Get(registryKey)
				r.check(server, transport, m.Node)
			}
			return Registry{Server: server}
		}
	}
	server.Settings = fmt.Appendf(nil, `{"url":%s}`, []byte(hujson.String(address)))
	server.Configured = server.Settings
	return Registry{Server: server}
}
