package config

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"mcp-workbench/domain"
)

// commonKeys are the keys of servers of every kind, with the names of fields of domain.Server.
var commonKeys = keysOf(reflect.TypeFor[struct {
	_       kindName            `key:"transport" is:"harmless"`
	_       kindName            `key:"type" is:"harmless"`
	_       filters             `key:"toolFilters"`
	_       bool                `key:"disabled" default:"false" is:"harmless"`
	_       domain.Limits       `key:"limits" is:"harmless"`
	_       idle                `key:"idleTimeout" is:"harmless"`
	Pinned  domain.PinScope     `key:"pinned" oneOf:"definition schema no-defaults" default:"definition"`
	Start   domain.StartMode    `key:"start"`
	Results domain.ResultsMode  `key:"results" is:"harmless"`
	Shared  bool                `key:"shared" default:"false"`
	_       map[string]adjusted `key:"tools"`
	ApprovalKeys
	_ published `key:"from" is:"harmless"`
}]())

// published says where the settings of a server come from (domain.Published).
type published struct {
	Registry string `key:"registry" required:"the name of the server in the registry" about:"The name of the server in the registry."`
	Version  string `key:"version" required:"the version in the registry" about:"The version in the registry."`
}

// kindName is the value of "transport" and "type".
type kindName struct{}

func (kindName) schema(w schemaWriter, _ keyPlace) schema { return schema{"enum": w.kindNames()} }

// filters are the value of "toolFilters".
type filters struct{}

func (filters) schema(schemaWriter, keyPlace) schema {
	return schema{
		"type": "array", "items": schema{"type": "string"}, "default": []string{"*"},
		"anyOf": []schema{{"contains": schema{"const": "*"}}, {"items": schema{"not": schema{"pattern": "^!"}}}},
	}
}

// withoutEffect maps keys that hosts write into servers to a hint at what the workbench has
// instead.
var withoutEffect = map[string]string{
	"alwaysAllow":   "",
	"autoApprove":   "",
	"disabledTools": `; "toolFilters" says which tools exist`,
	"timeout":       `; "limits" has the workbench's own`,
}

// server reads a server, starting from the given defaults, and reports whether it is enabled. A
// disabled server is not checked: what is wrong with it may be the reason why it is disabled.
func (r *reader) server(m member, server domain.Server) (domain.Server, bool) {
	server.ID.Server = domain.ServerName(m.name)
	members, ok := r.object(m.node, settingKeys, "an object with the settings of a server")
	if !ok || r.isDisabled(members) {
		return server, !ok
	}
	r.checkName(m)
	hasTwoWays := r.refuseTwoWays(members)
	kind, known := r.kind(m.node, members)
	server.Transport = kind
	transport, legal := r.transports[kind], r.transportKeys(kind)
	if !known { // what can be read without knowing the transport
		for _, kind := range r.kinds() {
			legal = append(legal, r.transportKeys(kind)...)
		}
		legal = slices.DeleteFunc(legal, func(key key) bool { return !key.has("expanded") })
	}
	var own object // the transport's
	for _, field := range members {
		_, isOwn := legal.get(field.name)
		switch {
		case isOwn:
			own = append(own, field)
		case r.common(&server, field), hasTwoWays && (field.name == commandKey || field.name == urlKey):
		case known:
			r.unknownKey(field, slices.Concat(legal, commonKeys).names())
		}
	}
	r.writeSettings(&server, own, legal)
	if tools, ok := members.get(toolsKey); ok {
		r.adjustments(&server, tools.node)
	}
	if known {
		r.check(server, transport, m.node)
		server.Traits, server.Shown = transport.Traits(server.Settings), transport.Traits(server.Configured)
	}
	return server, true
}

// transportKeys returns the keys of the settings of a kind of server, none for an unknown kind.
func (r *reader) transportKeys(kind string) keys {
	if transport, known := r.transports[kind]; known {
		return keysOf(reflect.TypeOf(transport.Settings()))
	}
	return nil
}

const (
	commandKey  = "command"
	disabledKey = "disabled"
	urlKey      = "url"
)

// refuseTwoWays reports a problem when a server has both a command and a URL, since it is
// unclear which one is meant, and returns whether it has both.
func (r *reader) refuseTwoWays(members object) bool {
	command, ok := members.get(commandKey)
	if !ok || !members.has(urlKey) {
		return false
	}
	r.wrong(command.key(), `"command" together with "url"`,
		`one of them: "command" for a program on this machine, "url" for a server elsewhere`)
	return true
}

func (r *reader) isDisabled(members object) bool {
	m, ok := members.get(disabledKey)
	return ok && r.boolean(m.node)
}

// common reads a key that servers of every kind have, and reports whether m is such a key.
func (r *reader) common(server *domain.Server, m member) bool {
	switch m.name {
	case disabledKey, "transport", "type": // read before all others
	case "toolFilters":
		if names, ok := r.toolFilters(m.node); ok {
			server.Tools = domain.OnlyTools(names)
		}
	case toolsKey: // read once the secrets of the settings are known
	case limitsKey:
		r.limits(m.node, func(entry limit, value int64) { *entry.field(&server.Limits) = value })
	case confirmKey, readOnlyKey, trustAnnotationsKey:
		r.approval(m, &server.Approvals, domain.ServerPattern)
	case fromKey:
		var from published
		r.fill(m.node, `an object with "registry" and "version"`, &from)
		server.From = domain.Published(from)
	case idleTimeoutKey:
		if value, ok := r.limit(m.node, idleTimeout); ok {
			server.Limits.Idle = time.Duration(value)
		}
	default:
		if key, ok := commonKeys.get(m.name); ok {
			r.fillKey(m.node, key, reflect.ValueOf(server).Elem())
			return true
		}
		instead, ok := withoutEffect[m.name]
		if ok {
			r.warn(m.key(), "has no effect here"+instead)
		}
		return ok
	}
	return true
}

// toolFilters reads the filters of a server. Names with "!" need a "*" beside them, from which
// they exclude tools.
func (r *reader) toolFilters(n node) ([]string, bool) {
	elements, ok := n.elements()
	if !ok {
		r.wrongKind(n, "a list of strings")
		return nil, false
	}
	names := make([]string, len(elements))
	for i, element := range elements {
		names[i], _ = r.text(element, "a string")
	}
	if slices.Contains(names, "*") {
		return names, true
	}
	for i, name := range names {
		if _, ok := domain.LeftOut(name); ok {
			r.wrong(elements[i].place(), fmt.Sprintf(`%q without "*"`, shortened(name)),
				`"*" in the same list, from which "!" excludes tools`)
			break
		}
	}
	return names, true
}
