package config

import (
	"fmt"
	"slices"
	"time"

	"mcp-workbench/domain"
)

// commonKeys are the keys of servers of every kind.
var commonKeys = []string{
	"transport", "type", "toolFilters", disabledKey, limitsKey, idleTimeoutKey, pinnedKey, startKey, resultsKey, sharedKey, toolsKey,
	confirmKey, readOnlyKey, trustAnnotationsKey, fromKey,
}

var pinScopes = []domain.PinScope{domain.PinDefinition, domain.PinSchema, domain.PinNoDefaults}

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
	transport := r.transports[kind]
	legal := expandedKeys // what can be read without knowing the transport
	if known {
		legal = transport.Keys()
	}
	var own object // the transport's
	for _, field := range members {
		switch {
		case slices.Contains(legal, field.name):
			own = append(own, field)
		case r.common(&server, field), hasTwoWays && (field.name == commandKey || field.name == urlKey):
		case known:
			r.unknownKey(field, slices.Concat(legal, commonKeys))
		}
	}
	r.writeSettings(&server, own, slices.Contains(legal, inheritEnvKey))
	if tools, ok := members.get(toolsKey); ok {
		r.adjustments(&server, tools.node)
	}
	if known {
		r.check(server, transport, m.node)
		server.Traits, server.Shown = transport.Traits(server.Settings), transport.Traits(server.Configured)
	}
	return server, true
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
	case pinnedKey:
		server.Pinned, _ = word(r, m.node, pinScopes)
	case startKey:
		server.Start, _ = word(r, m.node, domain.StartModes())
	case resultsKey:
		server.Results, _ = word(r, m.node, domain.ResultsModes())
	case sharedKey:
		server.Shared = r.boolean(m.node)
	case fromKey:
		server.From = r.from(m.node)
	case idleTimeoutKey:
		if value, ok := r.limit(m.node, idleTimeout); ok {
			server.Limits.Idle = time.Duration(value)
		}
	default:
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
