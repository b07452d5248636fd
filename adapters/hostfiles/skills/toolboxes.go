package skills

import (
	"fmt"
	"slices"

	"mcp-workbench/domain"
)

// Of returns the skills for a use of a configuration with these toolboxes, why the others of its toolboxes have none, and why
// skills of plugins are skipped. The skills of plugins follow those of the toolboxes, as they are. The skills of a project that
// joins the configuration belong to the file of the project.
func Of(toolboxes []domain.Toolbox, use Use) (wanted []Skill, refused, skipped []error) {
	var ofPlugins []domain.PluginSkill
	for _, toolbox := range toolboxes {
		if toolbox.IsOfProject || len(toolbox.Servers) == 0 || use.Toolboxes != nil && !slices.Contains(use.Toolboxes, string(toolbox.Name)) {
			continue
		}
		ofPlugins = append(ofPlugins, toolbox.Skills...)
		described := Toolbox{Name: string(toolbox.Name), Description: toolbox.Description, Servers: toolbox.ServerNames()}
		skill, err := described.Skill(use.Command)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		wanted = append(wanted, skill)
	}
	for _, skill := range ofPlugins {
		read, err := ofPlugin(skill)
		if err == nil && slices.ContainsFunc(wanted, func(other Skill) bool { return other.Name == read.Name }) {
			err = fmt.Errorf("skip the skill %s of a plugin: another one has this name", domain.QuotedName(skill.Name))
		}
		if err != nil {
			skipped = append(skipped, err)
			continue
		}
		wanted = append(wanted, read)
	}
	return wanted, refused, skipped
}
