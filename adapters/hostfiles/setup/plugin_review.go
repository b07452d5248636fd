package setup

import "mcp-workbench/domain"

// Plugin is a plugin as the user is shown it before a toolbox gets it.
type Plugin struct {
	Name, Version, Root string
	// Lines say what it starts and reaches, and for which bytes a yes holds. NeedsCare are those of them that a plain --yes
	// does not accept.
	Lines, NeedsCare []string
	// HasServers and HasSkills report whether it has a server or a skill that can be used.
	HasServers, HasSkills bool
	// New are the lines that the review before did not have, and Was those that it had and that no longer hold.
	New, Was []string
	// IsTrusted reports whether the user trusts these bytes already.
	IsTrusted bool
	// Trust records that the user trusts these bytes.
	Trust func() error
}

// sayPlugin prints the review of a plugin.
func (e *Editor) sayPlugin(plugin *Plugin) {
	e.say("The plugin in %s would start and reach, with your rights:", domain.ReviewLine(plugin.Root))
	e.sayPluginLines(plugin.Lines, plugin.Was)
}

// sayPluginLines prints lines of a review, and those of the review before that no longer hold.
func (e *Editor) sayPluginLines(lines, was []string) {
	for _, line := range lines {
		e.say("  %s", domain.ReviewLine(line))
	}
	for _, line := range was {
		e.say("  was: %s", domain.ReviewLine(line))
	}
}
