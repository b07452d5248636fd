package skills

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"mcp-workbench/adapters/system/safefile"
)

// FileChange is a change of one file. Before is nil for a new file, and After for one that is removed.
type FileChange struct {
	Path          string
	Before, After []byte
	mode          fs.FileMode
}

// Change is a change of the skills in a folder.
type Change struct {
	Folder string
	Files  []FileChange
	// Left are the files of skills that were changed by hand and stay as they are.
	Left []string
	// Taken are the skills of plugins that are not written, since the user has another skill of that name.
	Taken []string
	// Shared are the other hosts that read the skills that stay.
	Shared []string

	record  record
	dropped []writtenSkill // those that the record no longer has
	before  []byte         // the text of the record, nil for none
	notes   bool           // the record changes
}

// IsEmpty reports whether nothing is written, not even a record.
func (c Change) IsEmpty() bool { return len(c.Files) == 0 && !c.notes }

// ErrTaken reports that the user has a skill of a name.
var ErrTaken = errors.New("you have another skill of that name, which stays; rename it")

// Plan plans to write skills for a host into a folder, in place of those that were written for the same configuration. A
// skill that was changed by hand stays. One that was removed by hand is written again only if restores is true. Otherwise
// only skills that are not as they were last written are named as left.
//
// Failures: ErrTaken; ErrElsewhere; *NameError; a folder that cannot be written; those of reading files.
func (f *Folders) Plan(folder Folder, use Use, wanted []Skill, restores bool) (Change, error) {
	folder, err := folder.resolved()
	if err != nil {
		return Change{}, err
	}
	kept, text, err := f.recorded(folder)
	if err != nil {
		return Change{}, err
	}
	change := Change{Folder: folder.Path, record: kept.clone(), before: text}
	change.record.use(use)
	for _, skill := range wanted {
		before := change.Files
		err := change.write(kept.skill(skill.Name), skill, use.Configuration, restores)
		if skill.PluginOf != "" && errors.Is(err, ErrTaken) {
			change.Files = before // nothing of it is written
			change.Taken = append(change.Taken, skill.Name)
			continue
		}
		if err != nil {
			return Change{}, err
		}
	}
	for _, written := range kept.Skills {
		isWanted := func(skill Skill) bool { return skill.Name == written.Name }
		if written.Configuration != use.Configuration || slices.ContainsFunc(wanted, isWanted) {
			continue
		}
		if err := change.remove(written); err != nil {
			return Change{}, err
		}
	}
	change.notes = !change.record.isSame(kept)
	return change, nil
}

// PlanRemoval plans that a host reads no skills of the workbench in a folder. They are removed if no other host reads them
// there.
//
// Failures: those of Plan.
func (f *Folders) PlanRemoval(folder Folder, host string) (Change, error) {
	path, err := folder.resolved()
	if err != nil {
		return Change{}, err
	}
	kept, text, err := f.recorded(path)
	if err != nil {
		return Change{}, err
	}
	change := Change{Folder: path.Path, record: kept.clone(), before: text}
	change.record.Uses = slices.DeleteFunc(change.record.Uses, func(u Use) bool { return u.Host == host })
	for _, written := range kept.Skills {
		var others []string
		for _, use := range change.record.Uses {
			if use.Configuration == written.Configuration {
				others = append(others, use.Host)
			}
		}
		if len(others) == 0 {
			if err := change.remove(written); err != nil {
				return Change{}, err
			}
		} else if len(change.record.Uses) < len(kept.Uses) {
			change.Shared = append(change.Shared, others...)
		}
	}
	slices.Sort(change.Shared)
	change.Shared = slices.Compact(change.Shared)
	change.notes = !change.record.isSame(kept)
	return change, nil
}

// write plans to write a skill, which was written before unless written is nil.
func (c *Change) write(written *writtenSkill, skill Skill, configuration string, restores bool) error {
	if err := CheckName(skill.Name); err != nil {
		return err
	}
	if skill.IsUnseen {
		return nil // the record keeps it
	}
	isOwn := written != nil
	if isOwn {
		state, err := written.condition(c.Folder)
		switch {
		case err != nil:
			return err
		case state == changedByHand:
			if restores || !written.has(skill) {
				c.Left = append(c.Left, filepath.Join(c.Folder, skill.Name, MainFile))
			}
			return nil
		case state == missing && !restores:
			return nil
		}
	}
	files := map[string][]string{}
	for _, file := range skill.Files {
		before, err := load(filepath.Join(c.Folder, skill.Name), file.Path)
		if err != nil {
			return err
		}
		path := filepath.Join(c.Folder, skill.Name, filepath.FromSlash(file.Path))
		digests := []string{safefile.Digest(file.Text)}
		if isOwn && bytes.Equal(before, file.Text) && written.Files[file.Path] != nil {
			digests = written.Files[file.Path] // the record has it
		} else if before != nil && !bytes.Equal(before, file.Text) {
			if isOwn = isOwn && written.Files[file.Path] != nil; !isOwn {
				return fmt.Errorf("write %s: %w", path, ErrTaken)
			}
			digests = append(digests, safefile.Digest(before))
		}
		files[file.Path] = digests
		if before == nil || !bytes.Equal(before, file.Text) {
			mode := fs.FileMode(0o644)
			if file.IsExecutable {
				mode = 0o755
			}
			c.Files = append(c.Files, FileChange{Path: path, Before: before, After: file.Text, mode: mode})
		}
	}
	if written != nil {
		for path := range written.Files {
			if files[path] == nil {
				if err := c.removeFile(skill.Name, path); err != nil {
					return err
				}
			}
		}
	}
	c.record.put(skill.Name, configuration, files)
	return nil
}

// remove plans to remove a skill that was written. If it was changed by hand, it belongs to the user from now on.
func (c *Change) remove(written writtenSkill) error {
	c.record.put(written.Name, "", nil)
	c.dropped = append(c.dropped, written)
	state, err := written.condition(c.Folder)
	switch {
	case errors.Is(err, ErrElsewhere), state == changedByHand:
		c.Left = append(c.Left, filepath.Join(c.Folder, written.Name, MainFile))
		return nil
	case err != nil:
		return err
	}
	for path := range written.Files {
		if err := c.removeFile(written.Name, path); err != nil {
			return err
		}
	}
	return nil
}

func (c *Change) removeFile(skill, path string) error {
	before, err := load(filepath.Join(c.Folder, skill), path)
	if err == nil && before != nil {
		c.Files = append(c.Files, FileChange{Path: filepath.Join(c.Folder, skill, filepath.FromSlash(path)), Before: before})
	}
	return err
}
