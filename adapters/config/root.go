package config

import (
	"slices"
	"strconv"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

var rootKeys = []string{toolboxesKey, "logLevel", "toolMode", definitionsKey, validateKey, pinningKey, startKey, packagesKey, limitsKey, idleTimeoutKey, inheritEnvKey, logPayloadsKey, openOnUseKey, readToolKey, confirmKey, readOnlyKey, trustAnnotationsKey, strictKey, httpKey}

// booleanKeys are those of them that are true or false.
var booleanKeys = []string{logPayloadsKey, openOnUseKey, readToolKey, strictKey, validateKey}

// hostKeys are the keys at the root of the files of hosts.
var hostKeys = []string{"mcpServers", "servers"}

// fileLayer reads the settings at the root of the file.
func (l *loader) fileLayer(members []member) layer {
	values := layer{}
	table := settings()
	for _, m := range members {
		i := slices.IndexFunc(table, func(s setting) bool { return s.key == m.name })
		switch {
		case m.name == idleTimeoutKey:
			if value, ok := l.limit(m, idleTimeout); ok {
				values.set(idleTimeoutKey, value)
			}
		case slices.Contains(booleanKeys, m.name):
			values.set(m.name, strconv.FormatBool(l.boolean(m.node)))
		case i >= 0:
			l.word(m, table[i], values)
		case m.name == limitsKey:
			l.eachLimit(m.node, func(entry limit, value int64) {
				values.set(entry.setting(), value)
			})
		case m.name == inheritEnvKey:
			l.rootInheritEnv(m.node)
		case m.name == httpKey:
			l.readHTTP(m, members)
		case !slices.Contains(rootKeys, m.name) && !isHostFile(m, members):
			l.unknownKey(m, rootKeys)
		}
	}
	return values
}

// word reads a setting that is a word.
func (l *loader) word(m member, entry setting, values layer) {
	text, ok := m.text()
	if !ok {
		l.wrongKind(m.node, entry.wanted)
		return
	}
	value, ok := entry.read(text)
	if !ok {
		l.wrong(m.offset(), m.path, m.shown(), entry.wanted)
		return
	}
	values.set(entry.key, value)
}

// rootInheritEnv reads what servers inherit that have no inheritEnv of their own.
func (l *loader) rootInheritEnv(n node) {
	before := len(l.problems)
	const wanted = "true, false or a list of variable names"
	switch value := n.value.Value.(type) {
	case *hujson.Array:
		for i := range value.Elements {
			element := node{value: &value.Elements[i], path: n.path.element(i)}
			if _, ok := element.text(); !ok {
				l.wrongKind(element, "a variable name")
			}
		}
	case hujson.Literal:
		if word := string(value); word != "true" && word != "false" && word != `"all"` {
			l.wrong(n.offset(), n.path, n.shown(), wanted)
		}
	default:
		l.wrongKind(n, wanted)
	}
	if len(l.problems) == before {
		l.inheritEnv = standardised(n)
	}
}

// toolboxes reads the toolboxes of the root's members.
func (l *loader) toolboxes(members []member) []domain.Toolbox {
	if l.root == nil {
		return nil
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.name == toolboxesKey })
	if i < 0 {
		l.missingToolboxes(members)
		return nil
	}
	entries, _ := l.object(members[i].node, nameKeys, "an object of toolboxes")
	toolboxes := make([]domain.Toolbox, 0, len(entries))
	for _, entry := range entries {
		toolbox, ok := l.toolbox(entry)
		if !ok {
			l.leftOut = append(l.leftOut, toolbox)
			continue
		}
		toolboxes = append(toolboxes, toolbox)
	}
	return toolboxes
}

// missingToolboxes notes that the root has no toolboxes. For the file of a host it
// says how to convert it.
func (l *loader) missingToolboxes(members []member) {
	for _, m := range members {
		if isHostFile(m, members) {
			found := strconv.Quote(m.name) + " at the root, as in the file of a host"
			l.wrong(m.start, m.path, found, `it in a toolbox: {"toolboxes": {"main": {"mcpServers": {…}}}}`)
			return
		}
	}
	if l.root.value.Value.Kind() == '{' {
		path := l.root.path.member(toolboxesKey)
		l.wrong(l.root.offset(), path, "nothing", "an object of toolboxes, {} for none")
	}
}

// isHostFile reports whether the member makes the root look like the file of a
// host.
func isHostFile(m member, members []member) bool {
	return slices.Contains(hostKeys, m.name) &&
		!slices.ContainsFunc(members, func(m member) bool { return m.name == toolboxesKey })
}
