package programs

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// OwnPath returns a path to this program. If its file was removed, as by an update, that is a path that still leads
// to the program, or else to the version that took its place. If there is none, no file exists at the path.
func OwnPath() string {
	own, err := os.Executable()
	if err != nil {
		own = ""
	}
	// On Linux the second one is the program even if its file was removed. Some containers have no /proc.
	return pathAmong(own, "/proc/self/exe")
}

// pathAmong returns the first path with a file, or else the path by which the program was started.
func pathAmong(paths ...string) string {
	paths = append(paths, startedAs())
	if i := slices.IndexFunc(paths, exists); i >= 0 {
		return paths[i]
	}
	return cmp.Or(paths[0], os.Args[0])
}

// startedAs returns the path by which this program was started, such as a link that an update leads to the new
// version; "" if it is not known.
func startedAs() string {
	found, err := exec.LookPath(os.Args[0])
	if err != nil {
		return ""
	}
	path, err := filepath.Abs(found)
	if err != nil {
		return ""
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
