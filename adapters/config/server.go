package config

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// commonKeys are the keys of servers of every kind, with the names of fields of domain.Server and domain.Limits. Blank fields
// that are no serverReader or approvalReader are read before all others.
var commonKeys = keys.For[struct {
	_       kindName           `key:"transport" is:"harmless"`
	_       kindName           `key:"type" is:"harmless"`
	_       filters            `key:"toolFilters" is:"protection strict"`
	_       bool               `key:"disabled" default:"false" is:"harmless"`
	_       limitsObject       `key:"limits" is:"harmless"`
	Idle    time.Duration      `key:"idleTimeout" from:"0s" default:"0s" is:"harmless"`
	Pinned  domain.PinScope    `key:"pinned" oneOf:"definition schema no-defaults" default:"definition" is:"protection"`
	Start   domain.StartMode   `key:"start"`
	Results domain.ResultsMode `key:"results" is:"harmless"`
	Shared  bool               `key:"shared" default:"false" is:"protection"`
	_       adjustedTools      `key:"tools" is:"protection strict"`
	ApprovalKeys
	_ published `key:"from" is:"harmless"`
}]()

// serverReader is the value of a key that is read into other fields of a server than one with its name.
type serverReader interface {
	read(r *reader, n tree.Node, server *domain.Server)
}

// published says where the settings of a server come from (domain.Published).
type published struct {
	Registry string `key:"registry" required:"the name of the server in the registry" about:"The name of the server in the registry."`
	Version  string `key:"version" required:"the version in the registry" about:"The version in the registry."`
}

func (p published) read(r *reader, n tree.Node, server *domain.Server) {
	r.fill(n, `an object with "registry" and "version"`, &p)
	server.From = domain.Published(p)
}

func (limitsObject) read(r *reader, n tree.Node, server *domain.Server) {
	values := reflect.ValueOf(&server.Limits).Elem()
	r.limits(n, func(limit keys.Key, value int64) { values.FieldByName(limit.Field).SetInt(value) })
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
// disabled server is not checked: users disable servers whose settings are wrong.
func (r *reader) server(m tree.Member, server domain.Server) (domain.Server, bool) {
	server.ID.Server = domain.ServerName(m.Name)
	members, ok := r.Object(m.Node, tree.SettingKeys, "an object with the settings of a server")
	if !ok || r.isDisabled(members) {
		return server, !ok
	}
	r.checkName(m)
	hasTwoWays := r.refuseTwoWays(members)
	kind, known := r.kind(m.Node, members)
	server.Transport = kind
	r.review(GivenKey{Toolbox: server.ID.Toolbox, Server: server.ID.Server}, members, slices.Concat(r.transportKeys(kind), commonKeys))
	transport, legal := r.transports[kind], r.transportKeys(kind)
	if !known { // what can be read without knowing the transport
		for _, kind := range r.kinds() {
			legal = slices.Concat(legal, r.transportKeys(kind))
		}
		legal = legal.With(keys.Expanded)
	}
	var own, other tree.Object // the keys of the transport, and all others
	for _, m := range members {
		if _, isOwn := legal.Get(m.Name); isOwn {
			own = append(own, m)
		} else {
			other = append(other, m)
		}
	}
	r.writeSettings(&server, own, legal)
	for _, m := range other {
		switch {
		case r.common(&server, m), hasTwoWays && (m.Name == commandKey || m.Name == urlKey):
		case known:
			r.unknownKey(m, slices.Concat(legal, commonKeys).Names())
		}
	}
	if known {
		r.checkKinds(m.Node, own, legal, transport.Settings())
		r.check(server, transport, m.Node)
		server.Traits, server.Shown = transport.Traits(server.Settings), transport.Traits(server.Configured)
	}
	return server, true
}

// transportKeys returns the keys of the settings of a kind of server, none for an unknown kind.
func (r *reader) transportKeys(kind string) keys.Set {
	if transport, known := r.transports[kind]; known {
		return keys.OfValue(transport.Settings())
	}
	return nil
}

// ServerKeys returns the keys of servers of a kind: those of its transport, then those of all servers.
func ServerKeys(transport ports.Transport) keys.Set {
	return slices.Concat(keys.OfValue(transport.Settings()), commonKeys)
}

const (
	commandKey  = "command"
	disabledKey = "disabled"
	urlKey      = "url"
)

// refuseTwoWays reports a problem when a server has both a command and a URL, since it is
// unclear which one is meant, and returns whether it has both.
func (r *reader) refuseTwoWays(members tree.Object) bool {
	command, ok := members.Get(commandKey)
	if !ok || !members.Has(urlKey) {
		return false
	}
	r.Wrong(command.Key(), `"command" together with "url"`,
		`one of them: "command" for a program on this machine, "url" for a server elsewhere`)
	return true
}

func (r *reader) isDisabled(members tree.Object) bool {
	m, ok := members.Get(disabledKey)
	return ok && r.Boolean(m.Node)
}

// common reads a key that servers of every kind have, and reports whether m is such a key.
func (r *reader) common(server *domain.Server, m tree.Member) bool {
	key, isLegal := commonKeys.Get(m.Name)
	if !isLegal {
		instead, hasNoEffect := withoutEffect[m.Name]
		if hasNoEffect {
			r.Warn(m.Key(), "has no effect here"+instead)
		}
		return hasNoEffect
	}
	switch value := reflect.Zero(key.Type).Interface().(type) {
	case serverReader:
		value.read(r, m.Node, server)
	case approvalReader:
		value.read(r, m, &server.Approvals, domain.ServerPattern)
	default:
		fields := struct {
			*domain.Server
			*domain.Limits
		}{server, &server.Limits}
		r.fillKey(m.Node, key, reflect.ValueOf(&fields).Elem())
	}
	return true
}

// read reads the filters of a server. Names with "!" need a "*" beside them, from which they exclude tools.
func (filters) read(r *reader, n tree.Node, server *domain.Server) {
	elements, ok := n.Elements()
	if !ok {
		r.WrongKind(n, "a list of strings")
		return
	}
	names := make([]string, len(elements))
	for i, element := range elements {
		names[i], _ = r.Text(element, "a string")
	}
	server.Tools = domain.OnlyTools(names)
	for i, name := range names {
		if _, excludes := domain.LeftOut(name); excludes && !slices.Contains(names, "*") {
			r.Wrong(elements[i].Place(), fmt.Sprintf(`%q without "*"`, tree.Shortened(name)),
				`"*" in the same list, from which "!" excludes tools`)
			break
		}
	}
}
