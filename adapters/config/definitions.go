package config

import (
	"github.com/knadh/koanf/v2"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
)

func formNames() []string {
	var names []string
	for _, form := range definitions.Forms() {
		names = append(names, string(form))
	}
	return names
}

// toolboxForm reads how much of its tools a toolbox shows.
func (l *loader) toolboxForm(m member, toolbox domain.ToolboxName) {
	text, ok := m.text()
	switch {
	case !ok:
		l.wrongKind(m.node, oneOf(formNames()))
	case !definitions.Form(text).Known():
		l.wrong(m.offset(), m.path, m.shown(), oneOf(formNames()))
	default:
		l.forms[toolbox] = definitions.Form(text)
	}
}

// definitions returns how much of the tools is shown by the merged layers and the
// toolboxes.
func (l *loader) definitions(merged *koanf.Koanf) definitions.Settings {
	settings := definitions.Settings{
		Default: definitions.Form(merged.String(definitionsKey)), ByToolbox: l.forms,
		Budget: int(l.rootLimits.Definitions), Registered: l.dynamic,
		ReadTool: merged.String(readToolKey) == "true" && !l.dynamic,
	}
	switch merged.String(validateKey) {
	case "true":
		settings.Validation = definitions.ValidateAll
	case "false":
		settings.Validation = definitions.ValidateNone
	}
	return settings
}
