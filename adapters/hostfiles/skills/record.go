package skills

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/system/safefile"
)

// Folders keeps, in a directory of the user, records of the skills that were written into folders of hosts.
type Folders struct{ directory string }

// NewFolders returns the folders whose records are kept in a directory, which is created on first use.
func NewFolders(directory string) *Folders { return &Folders{directory: directory} }

// Use says that a host reads the skills of a configuration in a folder.
type Use struct {
	Host          string `json:"host"`
	Configuration string `json:"configuration"`
	// Toolboxes are the toolboxes with skills, nil for all.
	Toolboxes []string `json:"toolboxes,omitempty"`
	// Command is the one in the skills of toolboxes.
	Command string `json:"command"`
}

// record describes what was written into one folder.
type record struct {
	Version int    `json:"version"`
	Folder  Folder `json:"folder"`
	Uses    []Use  `json:"uses"`
	// Created are folders that were created for the skills, from the outermost on.
	Created []string       `json:"created,omitempty"`
	Skills  []writtenSkill `json:"skills"`
}

// writtenSkill is a skill that was written, with the SHA-256 digests of its files by their paths. A file can have an earlier
// digest if writing was interrupted.
type writtenSkill struct {
	Name          string              `json:"name"`
	Configuration string              `json:"configuration"`
	Files         map[string][]string `json:"files"`
}

const recordVersion = 1

// clone returns a record that can be changed.
func (r record) clone() record {
	r.Uses, r.Created, r.Skills = slices.Clone(r.Uses), slices.Clone(r.Created), slices.Clone(r.Skills)
	return r
}

// skill returns the written skill of a name, nil for none.
func (r record) skill(name string) *writtenSkill {
	if i := slices.IndexFunc(r.Skills, func(w writtenSkill) bool { return w.Name == name }); i >= 0 {
		return &r.Skills[i]
	}
	return nil
}

// put records that the files of a skill are written, nil for a skill that is removed.
func (r *record) put(name, configuration string, files map[string][]string) {
	r.Skills = slices.DeleteFunc(r.Skills, func(w writtenSkill) bool { return w.Name == name })
	if files != nil {
		r.Skills = append(r.Skills, writtenSkill{Name: name, Configuration: configuration, Files: files})
	}
}

// use replaces what a host uses.
func (r *record) use(use Use) {
	r.Uses = slices.DeleteFunc(r.Uses, func(u Use) bool { return u.Host == use.Host && u.Configuration == use.Configuration })
	r.Uses = append(r.Uses, use)
	for i := range r.Uses {
		if r.Uses[i].Configuration == use.Configuration { // hosts that share a folder see the same skills
			r.Uses[i].Toolboxes, r.Uses[i].Command = use.Toolboxes, use.Command
		}
	}
}

// has reports whether a skill was written with these files.
func (w writtenSkill) has(skill Skill) bool {
	return !slices.ContainsFunc(skill.Files, func(file File) bool { return !slices.Contains(w.Files[file.Path], safefile.Digest(file.Text)) })
}

// condition is how a written skill is in its folder.
type condition int

const (
	asWritten condition = iota
	missing
	changedByHand
)

// condition returns how a written skill is in a folder.
func (w writtenSkill) condition(folder string) (condition, error) {
	gone := 0
	for _, path := range slices.Sorted(maps.Keys(w.Files)) {
		text, err := load(filepath.Join(folder, w.Name), path)
		switch {
		case err != nil:
			return 0, err
		case text == nil:
			gone++
		case !slices.Contains(w.Files[path], safefile.Digest(text)):
			return changedByHand, nil
		}
	}
	switch gone {
	case 0:
		return asWritten, nil
	case len(w.Files):
		return missing, nil
	}
	return changedByHand, nil
}

// path returns where the record of a folder is.
func (f *Folders) path(folder string) string {
	return filepath.Join(f.directory, safefile.Digest([]byte(folder))[:32]+".json")
}

// recorded returns the record of a folder, an empty one if there is none, and its text.
func (f *Folders) recorded(folder Folder) (record, []byte, error) {
	text, err := loadIfThere(f.path(folder.Path))
	if err != nil || text == nil {
		return record{Version: recordVersion, Folder: folder}, nil, err
	}
	kept, err := f.read(f.path(folder.Path), text)
	return kept, text, err
}

func (f *Folders) read(path string, text []byte) (record, error) {
	if err := safefile.Check(path); err != nil {
		return record{}, fmt.Errorf("read the record of skills: %w", err)
	}
	var kept record
	if err := json.Unmarshal(text, &kept); err != nil || kept.Version != recordVersion {
		return record{}, fmt.Errorf("read %s: it is not a record of this version", path)
	}
	return kept, nil
}

// Used is a folder in which hosts read skills of the workbench.
type Used struct {
	Folder
	Uses []Use
}

// Used returns the folders that are used in some way, with those uses.
//
// Failures: those of reading the records.
func (f *Folders) Used(matches func(Use) bool) ([]Used, error) {
	entries, err := os.ReadDir(f.directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the records of skills: %w", err)
	}
	var used []Used
	for _, entry := range entries {
		path := filepath.Join(f.directory, entry.Name())
		if !strings.HasSuffix(path, ".json") {
			continue
		}
		text, err := loadIfThere(path)
		if err != nil {
			return nil, err
		}
		kept, err := f.read(path, text)
		if err != nil {
			return nil, err
		}
		uses := slices.DeleteFunc(kept.Uses, func(u Use) bool { return !matches(u) })
		if len(uses) > 0 {
			used = append(used, Used{Folder: kept.Folder, Uses: uses})
		}
	}
	return used, nil
}

// keep writes the record of a folder, or removes it if it says nothing.
func (f *Folders) keep(kept record) error {
	path := f.path(kept.Folder.Path)
	if len(kept.Uses) == 0 && len(kept.Skills) == 0 {
		return remove(path)
	}
	if err := os.MkdirAll(f.directory, 0o700); err != nil {
		return fmt.Errorf("keep a record of %s: %w", kept.Folder.Path, err)
	}
	if err := safefile.Check(f.directory); err != nil {
		return fmt.Errorf("keep a record of %s: %w", kept.Folder.Path, err)
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	if err := safefile.Replace(path, text, 0o600); err != nil {
		return fmt.Errorf("keep a record of %s: %w", kept.Folder.Path, err)
	}
	return nil
}

// restore writes the earlier text of a record, nil for none.
func (f *Folders) restore(folder string, text []byte) error {
	if text == nil {
		return remove(f.path(folder))
	}
	return safefile.Replace(f.path(folder), text, 0o600)
}

// remove removes a file that may be gone.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// loadIfThere returns the text of a file, nil for none.
func loadIfThere(path string) ([]byte, error) {
	text, err := safefile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// isSame reports whether two records say the same.
func (r record) isSame(other record) bool {
	one, _ := json.Marshal(r) // texts, which cannot fail
	two, _ := json.Marshal(other)
	return bytes.Equal(one, two)
}
