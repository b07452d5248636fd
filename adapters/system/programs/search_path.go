package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/domain/launcher"
)

// Machine returns this machine with the programs in a PATH.
func Machine(path string) launcher.Machine {
	return launcher.Machine{System: runtime.GOOS, Programs: func() []string { return Names(path) }, Elsewhere: elsewhere}
}

// managed are folders below the home folder in which version managers and installers put programs, which a shell adds to
// the PATH and a desktop does not.
var managed = []string{
	".nvm/versions/node/*/bin", ".local/share/fnm/node-versions/*/installation/bin", ".fnm/node-versions/*/installation/bin", ".volta/bin",
	".local/share/mise/shims", ".asdf/shims", ".pyenv/shims", ".rbenv/shims", ".sdkman/candidates/*/current/bin", ".bun/bin", ".deno/bin", ".local/bin", ".cargo/bin", "go/bin",
}

// elsewhere returns the path of a program that is in no folder of a PATH, but in one of a version manager or an installer,
// the newest version first; "" for none.
func elsewhere(name string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	for _, pattern := range append(managed, "/opt/homebrew/bin", "/usr/local/bin") {
		if !filepath.IsAbs(pattern) {
			pattern = filepath.Join(home, pattern)
		}
		folders, _ := filepath.Glob(pattern) // a home with an odd name has none
		for _, folder := range slices.Backward(folders) {
			if found := Find(folder, name); found != "" {
				return found
			}
		}
	}
	return ""
}

// maxPrograms is the maximum number of names that Names returns.
const maxPrograms = 20_000

// Find returns the path of a program in the folders of a PATH, "" if there is none. Relative folders do not count, since
// their meaning depends on the working directory of each program. On Windows the name may lack its extension.
func Find(path, name string) string {
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return found
		}
	}
	return ""
}

// Names returns the names of the files in the folders of a PATH, without the
// extensions of Windows. It skips folders that cannot be read.
func Names(path string) []string {
	var names []string
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		files, _ := os.ReadDir(folder) // a folder that cannot be read has no programs
		for _, file := range files {
			if file.IsDir() {
				continue
			}
			if len(names) == maxPrograms {
				return names
			}
			name := file.Name()
			switch extension := strings.ToLower(filepath.Ext(name)); extension {
			case ".exe", ".cmd", ".bat":
				name = strings.TrimSuffix(strings.ToLower(name), extension)
			}
			names = append(names, name)
		}
	}
	return names
}
