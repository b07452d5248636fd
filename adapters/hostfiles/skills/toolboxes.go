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
	used := slices.DeleteFunc(slices.Clone(toolboxes), func(toolbox domain.Toolbox) bool {
		return toolbox.IsOfProject || use.Toolboxes != nil && !slices.Contains(use.Toolboxes, string(toolbox.Name))
	})
	for _, toolbox := range used {
		if len(toolbox.Servers) == 0 {
			continue
		}
		skill, err := ToolboxOf(toolbox).Skill(use.Command)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		wanted = append(wanted, skill)
	}
	for _, toolbox := range used {
		for _, skill := range toolbox.Skills {
			read, err := ofPlugin(toolbox.Name, skill)
			if err == nil && slices.ContainsFunc(wanted, func(other Skill) bool { return other.Name == read.Name }) {
				err = fmt.Errorf("skip the skill %s of a plugin: another one has this name", domain.QuotedName(skill.Name))
			}
			if err != nil {
				skipped = append(skipped, err)
				continue
			}
			wanted = append(wanted, read)
		}
	}
	return wanted, refused, skipped
}
