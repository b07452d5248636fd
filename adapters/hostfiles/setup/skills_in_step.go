package setup

import (
	"fmt"
	"path/filepath"
	"slices"

	"mcp-workbench/adapters/hostfiles/skills"
)

// skillFolders returns the folders with skills of the workbench.
func (p *Program) skillFolders() (*skills.Folders, error) {
	state, err := p.State()
	if err != nil {
		return nil, err
	}
	return skills.NewFolders(filepath.Join(state, "skills")), nil
}

// skillChange returns a change of skills to be shown and made.
func skillChange(folders *skills.Folders, planned skills.Change) change {
	shown := change{path: planned.Folder, apply: func() error { return folders.Apply(planned) }}
	for _, file := range planned.Files {
		shown.others = append(shown.others, change{path: file.Path, before: file.Before, after: file.After})
	}
	return shown
}

// skillsInStep returns the changes of skills that follow from a text of the configuration, and notes about those that stay
// behind. A text with mistakes changes none.
func (f *ownFile) skillsInStep(after []byte) (changes []change, notes []string) {
	folders, err := f.program.skillFolders()
	if err != nil {
		return nil, nil // without a home folder there are none
	}
	used, err := folders.Used(func(use skills.Use) bool { return use.Configuration == f.path })
	if err != nil {
		return nil, []string{fmt.Sprintf("skills are not kept in step: %v", err)}
	}
	if len(used) == 0 {
		return nil, nil
	}
	checked, err := f.checkWith(after, true)
	if err != nil {
		return nil, nil // the caller reports what is wrong with the text, and doctor what is behind
	}
	for _, folder := range used {
		use := folder.Uses[0] // those of one configuration in a folder are alike
		for i, name := range use.Toolboxes {
			if renamed := f.renamed[name]; renamed != "" {
				use.Toolboxes[i] = renamed
			}
		}
		wanted, refused, _ := skills.Of(checked.Catalog.WithSkills(), use)
		for i, skill := range wanted {
			wanted[i].IsUnseen = skill.PluginOf != "" && !slices.Contains(f.shownPlugins, skill.PluginOf)
		}
		for _, err := range refused {
			notes = append(notes, fmt.Sprintf("a toolbox has no skill: %v", err))
		}
		planned, err := folders.Plan(folder.Folder, use, wanted, false)
		if err != nil {
			notes = append(notes, fmt.Sprintf("the skills stay behind: %v", err))
			continue
		}
		for _, path := range planned.Left {
			notes = append(notes, path+" was changed by hand, so it stays as it is")
		}
		if !planned.IsEmpty() {
			changes = append(changes, skillChange(folders, planned))
		}
	}
	return changes, notes
}
