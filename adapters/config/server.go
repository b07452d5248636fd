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
	read(r *toolboxReader, n tree.Node, server *domain.Server)
}

// published says where the settings of a server come from (domain.Published).
type published struct {
	Registry string `key:"registry" required:"the name of the server in the registry" about:"The name of the server in the registry."`
	Version  string `key:"version" required:"the version in the registry" about:"The version in the registry."`
}

func (p published) read(r *toolboxReader, n tree.Node, server *domain.Server) {
	r.fill(n, `an object with "registry" and "version"`, &p)
	server.From = domain.Published(p)
}

func (limitsObject) read(r *toolboxReader, n tree.Node, server *domain.Server) {
	values := reflect.ValueOf(&server.Limits).Elem()
	r.numbers(n, limitKeys, wantedLimits, func(limit keys.Key, value int64) { values.FieldByName(limit.Field).SetInt(value) })
}

// kindName is the value of "transport" and "type".
type kindName struct{}

func (kindName) schema(w schemaWriter, _ keyPlace) schema {
	return schema{"enum": kindNames(w.transports)}
}

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
func (r *toolboxReader) server(m tree.Member, server domain.Server) (domain.Server, bool) {
	server.ID.Server = domain.ServerName(m.Name)
	members, ok := r.Object(m.Node, tree.SettingKeys, "an object with the settings of a server")
	if !ok || r.isDisabled(members) {
		return server, !ok
	}
	r.checkName(m)
	kind, known := r.kind(m.Node, members)
	known = !r.refuseTwoWays(members, kind) && known
	server.Transport = kind
	r.review.note(GivenKey{Toolbox: server.ID.Toolbox, Server: server.ID.Server}, members, slices.Concat(transportKeys(r.transports, kind), commonKeys))
	transport, legal := r.transports[kind], transportKeys(r.transports, kind)
	if !known { // what can be read without knowing which transport is meant
		for _, kind := range r.kinds() {
			legal = slices.Concat(legal, transportKeys(r.transports, kind))
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
		case r.common(&server, m):
		case known:
			r.unknownKey(m, slices.Concat(legal, commonKeys).Names())
		}
	}
	if known {
		r.checkKinds(m.Node, own, legal, transport.Settings())
		check(&r.Findings, server, transport, m.Node)
		warnOfPlaceholders(&r.Findings, server, legal, m.Node)
		server.Traits, server.Shown = transport.Traits(server.Settings), transport.Traits(server.Configured)
	}
	return server, true
}

// ServerKeys returns the keys of servers of a kind: those of its transport, then those of all servers.
func ServerKeys(transport ports.Transport) keys.Set {
	return slices.Concat(keys.OfValue(transport.Settings()), commonKeys)
}

func (r *toolboxReader) isDisabled(members tree.Object) bool {
	m, ok := members.Get(disabledKey)
	return ok && r.Boolean(m.Node)
}

// common reads a key that servers of every kind have, and reports whether m is such a key.
func (r *toolboxReader) common(server *domain.Server, m tree.Member) bool {
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
func (filters) read(r *toolboxReader, n tree.Node, server *domain.Server) {
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

// writeSettings writes the settings of a server's transport, as configured and
// expanded, and collects the secrets and the first unset variable. A server without
// inheritEnv gets that of the root.
func (r *toolboxReader) writeSettings(server *domain.Server, members tree.Object, legal keys.Set) {
	w := settingsWriter{reader: r.reader, server: server, keys: legal, consequence: "this server cannot be started"}
	if _, inherits := legal.Get(inheritEnvKey); inherits && r.root.inheritEnv != nil && !members.Has(inheritEnvKey) {
		w.inherited = `"` + inheritEnvKey + `":` + string(r.root.inheritEnv)
	}
	w.settings(members)
}

// checkKinds reports missing keys in the settings of a transport, and values of other kinds than their fields have.
func (r *toolboxReader) checkKinds(n tree.Node, members tree.Object, legal keys.Set, settings any) {
	r.require(n, members, legal)
	read := reflect.New(reflect.TypeOf(settings)).Elem()
	for _, m := range members {
		if key, _ := legal.Get(m.Name); hasCheckedKind(key) {
			r.fillKey(m.Node, key, read)
		}
	}
}

// hasCheckedKind reports whether the kind of a transport's setting is checked here, not by the transport.
func hasCheckedKind(key keys.Key) bool {
	return !key.HasOwnSchema() && !slices.Contains([]keys.Kind{keys.Own, keys.Number, keys.Named}, key.Kind)
}
