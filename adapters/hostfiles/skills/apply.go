package skills

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"mcp-workbench/adapters/system/safefile"
)

// Apply makes a planned change. The record has a skill before its files are written, and until they are removed. After a
// failure, the files and the record are as they were before.
//
// Failures: safefile.ErrChanged if a file or the record is not as it was read; those of the file system.
func (f *Folders) Apply(change Change) error {
	if change.IsEmpty() {
		return nil
	}
	return safefile.Exclusively(f.path(change.Folder), func() error { return f.apply(change) })
}

func (f *Folders) apply(change Change) error {
	if now, err := loadIfThere(f.path(change.Folder)); err != nil || !bytes.Equal(now, change.before) {
		return errors.Join(err, fmt.Errorf("write skills into %s: %w", change.Folder, safefile.ErrChanged))
	}
	for _, file := range change.Files {
		if file.After != nil {
			change.record.create(filepath.Dir(file.Path))
		}
	}
	during := change.record.clone()
	during.Skills = append(during.Skills, change.dropped...)
	if err := f.keep(during); err != nil {
		return err
	}
	for i, file := range change.Files {
		if err := file.write(); err != nil {
			return errors.Join(err, change.undo(i), f.restore(change.Folder, change.before))
		}
	}
	change.record.removeCreated()
	if len(change.dropped) == 0 {
		return nil
	}
	return f.keep(change.record)
}

// create notes which folders are created for a file.
func (r *record) create(folder string) {
	var created []string
	for ; !slices.Contains(r.Created, folder) && filepath.Dir(folder) != folder; folder = filepath.Dir(folder) {
		if _, err := os.Lstat(folder); err == nil {
			break
		}
		created = append(created, folder)
	}
	slices.Reverse(created)
	r.Created = append(r.Created, created...)
}

// removeCreated removes folders that were created and are empty. Others have files of the user.
func (r *record) removeCreated() {
	for _, folder := range slices.Backward(r.Created) {
		_ = os.Remove(folder) // it fails unless the folder is empty
	}
}

// undo restores the first files of a change.
func (c Change) undo(count int) error {
	var failures []error
	for _, file := range c.Files[:count] {
		failures = append(failures, FileChange{Path: file.Path, Before: file.After, After: file.Before, mode: file.mode}.write())
	}
	c.record.removeCreated()
	return errors.Join(failures...)
}

func (c FileChange) write() error {
	if c.After == nil {
		if err := safefile.Unchanged(c.Path, c.Before); err != nil {
			return fmt.Errorf("remove %s: %w", c.Path, err)
		}
		return os.Remove(c.Path)
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o755); err != nil {
		return err
	}
	return safefile.ReplaceIf(c.Path, c.Before, c.After, c.mode)
}
