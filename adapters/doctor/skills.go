package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/hostfiles/skills"
	"mcp-workbench/domain"
)

// checkSkills finds skills that differ from what their toolboxes are now, unless they were changed or removed by hand.
func checkSkills(_ context.Context, d *Doctor) []Finding {
	if d.surroundings.StateFolder == "" {
		return nil
	}
	toolboxes := d.configuration.Catalog.WithSkills()
	findings := d.behind(d.configuration.Path, toolboxes)
	var ofProject []domain.Toolbox
	for _, toolbox := range toolboxes {
		if toolbox.IsOfProject {
			toolbox.IsOfProject = false // its skills are those of this file
			ofProject = append(ofProject, toolbox)
		}
	}
	if len(ofProject) > 0 {
		findings = append(findings, d.behind(ofProject[0].File, ofProject)...)
	}
	return findings
}

// skillFolders returns the folders with skills, and those that hosts use with a configuration.
//
// Failures: those of reading the records.
func (d *Doctor) skillFolders(configuration string) (*skills.Folders, []skills.Used, error) {
	folders := skills.NewFolders(filepath.Join(d.surroundings.StateFolder, "skills"))
	used, err := folders.Used(func(use skills.Use) bool { return use.Configuration == configuration })
	return folders, used, err
}

// hasSkills reports whether a host has skills of the configuration.
func (d *Doctor) hasSkills() bool {
	_, used, _ := d.skillFolders(d.configuration.Path) // checkSkills names records that cannot be read
	return len(used) > 0
}

// behind finds skills of a configuration that differ from its toolboxes.
func (d *Doctor) behind(configuration string, toolboxes []domain.Toolbox) (findings []Finding) {
	folders, used, err := d.skillFolders(configuration)
	if err != nil {
		return []Finding{{codeSkill, "", err.Error(), "remove that file, and connect the hosts with --skills again"}}
	}
	for _, folder := range used {
		use := folder.Uses[0] // those of one configuration in a folder are alike
		fix := "'mcp-workbench connect " + use.Host + " --skills' writes them again"
		wanted, refused, _ := skills.Of(toolboxes, use) // connect names those of plugins that are skipped
		for _, err := range refused {
			findings = append(findings, Finding{codeSkill, folder.Path, fmt.Sprintf("a toolbox has no skill: %v", err), "'mcp-workbench move TOOLBOX NAME' renames it"})
		}
		planned, err := folders.Plan(folder.Folder, use, wanted, false)
		if err != nil {
			findings = append(findings, Finding{codeSkill, folder.Path, err.Error(), fix})
			continue
		}
		for _, file := range planned.Files {
			findings = append(findings, Finding{codeSkill, file.Path, "the skill is not as its toolbox is now", fix})
		}
		if program := missingProgram(use.Command); program != "" {
			findings = append(findings, Finding{codeSkill, folder.Path, fmt.Sprintf("the skills run %s, which does not exist", program), fix})
		}
	}
	return findings
}

// missingProgram returns the path of the program in the command of skills if it is one that does not exist, otherwise "".
func missingProgram(command string) string {
	program, _, _ := strings.Cut(command, " ")
	if !filepath.IsAbs(program) || domain.ShellWord(program) != program {
		return ""
	}
	if _, err := os.Stat(program); err == nil {
		return ""
	}
	return program
}
