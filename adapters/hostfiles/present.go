package hostfiles

import (
	"os"
	"path/filepath"
	"slices"

	"mcp-workbench/application/setup"
)

// UserFile returns the file that connect writes to: the first of the user's files that
// exists, else the first whose folder exists, else the first.
func (h Host) UserFile(machine Machine) File {
	files := slices.DeleteFunc(h.places(machine), func(file File) bool { return file.Scope != setup.User })
	for i := range files {
		files[i] = h.own(machine, files[i])
	}
	if h.IsPackaged && len(files) > 1 {
		return files[0] // the other one may be left of an earlier installation
	}
	for _, file := range files {
		if _, err := os.Stat(file.Path); err == nil {
			return file
		}
	}
	for _, file := range files {
		if info, err := os.Stat(filepath.Dir(file.Path)); err == nil && info.IsDir() {
			return file
		}
	}
	return files[0]
}

// IsPresent reports whether there are traces of the host on a machine: its file, the folder of its own, or that of its
// program for other machines.
func (h Host) IsPresent(machine Machine) bool {
	file := h.UserFile(machine).Path
	if _, err := os.Stat(file); err == nil || h.editor.isRemote(machine) {
		return true
	}
	folder := filepath.Dir(file)
	if folder == filepath.Clean(machine.Home) {
		return false
	}
	info, err := os.Stat(folder)
	return err == nil && info.IsDir()
}
