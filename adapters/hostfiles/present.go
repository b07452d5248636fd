package hostfiles

import (
	"os"
	"path/filepath"
	"slices"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
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

// PassesOn reports whether the host can pass a variable of its environment on to an entry: to a program,
// or in a header to an address.
func (h Host) PassesOn(entry Entry) bool {
	if entry.URL != "" {
		return h.Expands != nil || h.address.token != ""
	}
	return h.Expands != nil || h.Forwards || h.Inherits
}

// passed are the variables that hosts pass to every server (the SDKs' defaults).
var passed = []string{
	"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER",
	"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE",
}

// certificates are where programs look for certificates in place of the usual files.
var certificates = []string{"SSL_CERT_FILE", "SSL_CERT_DIR"}

// ownVariables are the variables that the workbench itself reads: the places of its files, proxies and certificates.
var ownVariables = slices.Concat([]string{
	"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy",
}, certificates)

// Needed returns the variables that a host does not pass on by default.
func Needed(variables []string) []string {
	return slices.DeleteFunc(slices.Clone(variables), func(name string) bool {
		return slices.Contains(passed, name) || domain.EditorVariable(name) != ""
	})
}
