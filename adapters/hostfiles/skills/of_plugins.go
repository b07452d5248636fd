package skills

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
)

// The most files and bytes that a skill of a plugin may have.
const (
	maxPluginFiles = 500
	maxPluginBytes = 8 << 20
)

// ofPlugin returns a skill of the plugin of a toolbox as it is in its folder.
//
// Failures: a skill that breaks the format; a name that no skill can have; a link or another special file in it, which may lead
// anywhere; too many files or bytes; those of reading files.
func ofPlugin(toolbox domain.ToolboxName, skill domain.PluginSkill) (Skill, error) {
	if skill.Problem != "" {
		return Skill{}, errors.New(skill.Problem)
	}
	read := Skill{Name: skill.Name, PluginOf: toolbox}
	err := CheckName(skill.Name)
	size := 0
	if err == nil {
		err = filepath.WalkDir(skill.Folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir():
				return nil
			case !entry.Type().IsRegular():
				return fmt.Errorf("%s is no regular file", path)
			case len(read.Files) == maxPluginFiles:
				return fmt.Errorf("it has more than %d files", maxPluginFiles)
			}
			text, err := safefile.ReadUpTo(path, maxPluginBytes)
			if err != nil {
				return err
			}
			if size += len(text); size > maxPluginBytes {
				return fmt.Errorf("it has more than %d MiB", maxPluginBytes>>20)
			}
			info, err := os.Lstat(path)
			if err != nil {
				return err
			}
			below, err := filepath.Rel(skill.Folder, path)
			if err != nil {
				return err
			}
			read.Files = append(read.Files, File{Path: filepath.ToSlash(below), Text: text, IsExecutable: info.Mode().Perm()&0o100 != 0})
			return nil
		})
	}
	if err != nil {
		return Skill{}, fmt.Errorf("skip the skill %s of a plugin: %w", domain.QuotedName(skill.Name), err)
	}
	return read, nil
}
