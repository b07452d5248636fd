package config

import (
	"slices"

	"mcp-workbench/domain"
)

func startNames() []string {
	var names []string
	for _, mode := range domain.StartModes() {
		names = append(names, string(mode))
	}
	return names
}

// startMode reads when servers are started.
func (l *loader) startMode(m member) domain.StartMode {
	text, ok := m.text()
	switch {
	case !ok:
		l.wrongKind(m.node, oneOf(startNames()))
	case !slices.Contains(startNames(), text):
		l.wrong(m.offset(), m.path, m.shown(), oneOf(startNames()))
	}
	return domain.StartMode(text)
}
