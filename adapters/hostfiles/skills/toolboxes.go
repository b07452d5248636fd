package skills

import (
	"slices"

	"mcp-workbench/domain"
)

// Of returns the skills for a use of a configuration with these toolboxes, and why the others of its toolboxes have none.
// The skills of a project that joins the configuration belong to the file of the project.
func Of(toolboxes []domain.Toolbox, use Use) (wanted []Skill, refused []error) {
	for _, toolbox := range toolboxes {
		if toolbox.IsOfProject || len(toolbox.Servers) == 0 || use.Toolboxes != nil && !slices.Contains(use.Toolboxes, string(toolbox.Name)) {
			continue
		}
		described := Toolbox{Name: string(toolbox.Name), Description: toolbox.Description, Servers: toolbox.ServerNames()}
		skill, err := described.Skill(use.Command)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		wanted = append(wanted, skill)
	}
	return wanted, refused
}
