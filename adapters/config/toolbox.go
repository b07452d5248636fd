package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

var toolboxKeys = []string{"description", definitionsKey, startKey, "mcpServers", confirmKey, readOnlyKey, trustAnnotationsKey}

// toolbox reads a toolbox and reports whether it has servers that are not disabled.
func (l *loader) toolbox(m member) (domain.Toolbox, bool) {
	l.checkName(m)
	toolbox := domain.Toolbox{Name: domain.ToolboxName(m.name)}
	members, ok := l.object(m.node, settingKeys, `an object with "mcpServers"`)
	if !ok {
		return toolbox, false
	}
	approvals := l.eachApproval(members, l.approvals, domain.ToolboxPattern)
	served, start := false, l.start
	if i := slices.IndexFunc(members, isNamed(startKey)); i >= 0 { // whose servers may come before it
		start = l.startMode(members[i])
	}
	for _, field := range members {
		switch field.name {
		case "description":
			toolbox.Description = l.text(field.node)
		case definitionsKey:
			l.toolboxForm(field, toolbox.Name)
		case startKey: // read before all others
		case "mcpServers":
			served = true
			toolbox.Servers, toolbox.Disabled = l.servers(field.node, toolbox.Name, start, approvals)
		case confirmKey, readOnlyKey, trustAnnotationsKey: // read before the servers
		default:
			l.unknownKey(field, toolboxKeys)
		}
	}
	if !served {
		l.wrong(m.offset(), m.path.member("mcpServers"), "nothing", "an object with at least one server")
	}
	return toolbox, len(toolbox.Servers) > 0
}

// servers reads the servers of a toolbox, and the names of those that are disabled. Approvals are those of the
// levels above them, and start is for those that do not say when they are started.
func (l *loader) servers(
	n node, toolbox domain.ToolboxName, start domain.StartMode, approvals domain.Approvals,
) (servers []domain.Server, disabled []domain.ServerName) {
	entries, ok := l.object(n, nameKeys, "an object with at least one server")
	if ok && len(entries) == 0 {
		l.wrong(n.offset(), n.path, "no server", "at least one server")
	}
	servers = make([]domain.Server, 0, len(entries))
	for _, entry := range entries {
		server, enabled := l.server(entry, toolbox, start, approvals)
		if !enabled {
			disabled = append(disabled, server.ID.Server)
			continue
		}
		servers = append(servers, server)
	}
	if len(servers) == 0 && len(entries) > 0 {
		l.warn(n.offset(), n.path.parent, "left out, since all its servers are disabled")
	}
	return servers, disabled
}

// checkName checks the name of a toolbox or server. The key path shows the name.
func (l *loader) checkName(m member) {
	switch {
	case m.name == "":
		l.wrong(m.start, m.path, "an empty name", "at least one character")
	case strings.Contains(m.name, "__"):
		l.wrong(m.start, m.path, `a name with "__"`, `a name without "__"`)
	case domain.SuspiciousName(m.name) != nil:
		found := fmt.Sprintf("a name with characters that are not seen (%s)", strings.Join(domain.SuspiciousName(m.name), ", "))
		l.wrong(m.start, m.path, found, fmt.Sprintf("a name without them, such as %q", cmp.Or(domain.SeenName(m.name), "tools")))
	case l.dynamic && strings.Contains(m.name, "_"):
		found := fmt.Sprintf(`a name with "_" and the tool mode %q`, Dynamic)
		l.wrong(m.start, m.path, found, fmt.Sprintf(`a name without "_" or the tool mode %q`, Proxy))
	}
}
