package config

import (
	"fmt"
	"slices"
	"time"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

// commonKeys are the keys that servers of every kind may have.
var commonKeys = []string{"transport", "type", "toolFilters", "disabled", limitsKey, idleTimeoutKey, pinnedKey, startKey, sharedKey, confirmKey, readOnlyKey, trustAnnotationsKey}

// withoutEffect are keys that hosts write into servers, with what the workbench has
// instead.
var withoutEffect = map[string]string{
	"alwaysAllow":   "",
	"autoApprove":   "",
	"disabledTools": `; "toolFilters" says which tools exist`,
	"timeout":       `; "limits" has the workbench's own`,
}

// server reads a server and reports whether it is enabled. A disabled server is not
// checked: what is wrong with it may be the reason why it is disabled.
func (l *loader) server(m member, toolbox domain.ToolboxName, start domain.StartMode, approvals domain.Approvals) (domain.Server, bool) {
	server := domain.Server{
		ID:     domain.ServerID{Toolbox: toolbox, Server: domain.ServerName(m.name)},
		Limits: l.rootLimits, Start: start, Approvals: approvals,
	}
	members, ok := l.object(m.node, settingKeys, "an object with the settings of a server")
	if !ok || l.disabled(members) {
		return server, !ok
	}
	l.checkName(m)
	hasTwoWays := l.refuseTwoWays(members)
	kind, known := l.kind(m.node, members)
	server.Transport = kind
	transport := l.transports[kind]
	legal := expandedKeys // what can be judged without knowing the transport
	if known {
		legal = transport.Keys()
	}
	var own []member // the transport's
	for _, field := range members {
		switch {
		case slices.Contains(legal, field.name):
			own = append(own, field)
		case l.common(&server, field), hasTwoWays && (field.name == commandKey || field.name == urlKey):
		case known:
			l.unknownKey(field, slices.Concat(legal, commonKeys))
		}
	}
	l.writeSettings(&server, own, slices.Contains(legal, inheritEnvKey))
	if known {
		l.check(server, transport, m.node)
	}
	return server, true
}

const (
	commandKey = "command"
	urlKey     = "url"
)

func isNamed(name string) func(member) bool {
	return func(m member) bool { return m.name == name }
}

// refuseTwoWays notes a problem when a server has both a command and a URL, since
// nobody can tell which one is meant, and reports whether it does.
func (l *loader) refuseTwoWays(members []member) bool {
	command := slices.IndexFunc(members, isNamed(commandKey))
	if command < 0 || !slices.ContainsFunc(members, isNamed(urlKey)) {
		return false
	}
	l.wrong(members[command].start, members[command].path, `"command" together with "url"`,
		`one of them: "command" for a program of this machine, "url" for a server elsewhere`)
	return true
}

func (l *loader) disabled(members []member) bool {
	return slices.ContainsFunc(members, func(m member) bool { return m.name == "disabled" && l.boolean(m.node) })
}

// common reads a key that servers of every kind may have and reports whether it
// is one.
func (l *loader) common(server *domain.Server, m member) bool {
	switch m.name {
	case "disabled", "transport", "type": // read before all others
	case "toolFilters":
		if names, ok := l.texts(m.node); ok {
			l.checkFilters(m.node, names)
			server.Tools = domain.OnlyTools(names)
		}
	case limitsKey:
		l.eachLimit(m.node, func(entry limit, value int64) { *entry.field(&server.Limits) = value })
	case confirmKey, readOnlyKey, trustAnnotationsKey:
		l.approval(m, &server.Approvals, domain.ServerPattern)
	case pinnedKey:
		server.Pinned = l.pinScope(m)
	case startKey:
		server.Start = l.startMode(m)
	case sharedKey:
		server.Shared = l.boolean(m.node)
	case idleTimeoutKey:
		if value, ok := l.limit(m, idleTimeout); ok {
			server.Limits.Idle = time.Duration(value)
		}
	default:
		instead, ok := withoutEffect[m.name]
		if ok {
			l.warn(m.start, m.path, "has no effect here"+instead)
		}
		return ok
	}
	return true
}

// checkFilters refuses names that are left out of nothing.
func (l *loader) checkFilters(n node, names []string) {
	if slices.Contains(names, "*") {
		return
	}
	for i, name := range names {
		if _, ok := domain.LeftOut(name); ok {
			l.wrong(n.value.Value.(*hujson.Array).Elements[i].StartOffset, n.path.element(i),
				fmt.Sprintf(`%q without "*"`, shortened(name)), `"*" in the same list, which "!" leaves tools out of`)
			return
		}
	}
}

// pinScope reads what a lock holds of a server's tools.
func (l *loader) pinScope(m member) domain.PinScope {
	legal := []string{string(domain.PinDefinition), string(domain.PinSchema)}
	text, ok := m.text()
	switch {
	case !ok:
		l.wrongKind(m.node, oneOf(legal))
	case !slices.Contains(legal, text):
		l.wrong(m.offset(), m.path, m.shown(), oneOf(legal))
	}
	return domain.PinScope(text)
}
