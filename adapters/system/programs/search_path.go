package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

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
