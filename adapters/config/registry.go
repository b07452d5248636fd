package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tailscale/hujson"

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

// registryKeys are the keys of a registry in an object.
var registryKeys = keysOf(reflect.TypeFor[struct {
	_ address           `key:"url" required:"an address or false"`
	_ map[string]string `key:"headers" is:"secret"`
}]())

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
	// Off says that none is asked.
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

// registryAddress reads the address of the registry that the file names, as it is written.
func (r *reader) registryAddress(n node) (address string, ok bool) {
	before := len(r.problems)
	for _, m := range r.registryMembers(n) {
		switch text, isText := r.text(m.node, registryWanted); {
		case m.name != urlKey:
		case isText && !isAddress(text) && !strings.HasPrefix(text, "${"):
			r.wrongValue(m.node, registryWanted)
		default:
			address = text
		}
	}
	if literal, isLiteral := n.value.Value.(hujson.Literal); isLiteral && string(literal) == noRegistry {
		address = noRegistry
	}
	return address, address != "" && len(r.problems) == before
}

// registryMembers returns the settings of a registry in the form of a server behind a URL.
func (r *reader) registryMembers(n node) object {
	switch n.value.Value.Kind() {
	case '"':
		return object{{node: n, name: urlKey, literal: hujson.Literal(`"` + urlKey + `"`)}}
	case 'f':
		return nil
	case '{':
	default:
		r.wrongKind(n, registryWanted)
		return nil
	}
	var found object
	members, _ := r.object(n, settingKeys, "")
	r.require(n, members, registryKeys)
	for _, m := range members {
		switch m.name {
		case urlKey:
			found = append(found, m)
		case headersKey:
			if _, isObject := m.value.Value.(*hujson.Object); !isObject {
				r.wrongKind(m.node, "an object of strings")
			}
		default:
			r.unknownKey(m, registryKeys.names())
		}
	}
	return found
}

// registry returns the registry at the merged address. The headers of the file are for the address of the file only,
// and reach no other one that a variable or a flag names.
func (r *reader) registry(members object, address string, limits domain.Limits) Registry {
	if address == noRegistry {
		return Registry{Off: true}
	}
	server := domain.Server{Transport: "http", Limits: limits}
	m, ok := members.get(registryKey)
	own := registrySettings(m, ok)
	if named, _ := own.get(urlKey); named.value != nil {
		if text, _ := named.text(); text == address {
			w := settingsWriter{reader: r, server: &server, keys: r.transportKeys(server.Transport), consequence: "the registry cannot be asked"}
			w.settings(own)
			if transport, known := r.transports[server.Transport]; known {
				r.check(server, transport, m.node)
			}
			return Registry{Server: server}
		}
	}
	server.Settings = fmt.Appendf(nil, `{"url":%s}`, []byte(hujson.String(address)))
	server.Configured = server.Settings
	return Registry{Server: server}
}

// registrySettings returns the members of a registry that was checked.
func registrySettings(m member, exists bool) object {
	if !exists {
		return nil
	}
	if m.value.Value.Kind() != '{' {
		return (&reader{}).registryMembers(m.node)
	}
	members, _ := (&reader{}).object(m.node, settingKeys, "")
	return members
}
