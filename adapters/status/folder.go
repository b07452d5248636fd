package status

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"mcp-workbench/adapters/system/fileowner"
)

// ownFolder is the name of the folder with sockets in a folder that other programs use too.
const ownFolder = "mcp-workbench"

// Folders returns the folders in which sockets of the user's workbenches can be, the best first: in the
// user's runtime folder, in the state folder, and in the folder for temporary files, whose path is short.
// State is "" if there is none.
func Folders(state string) []string {
	var folders []string
	if runtime := runtimeFolder(); runtime != "" {
		folders = append(folders, filepath.Join(runtime, ownFolder))
	}
	if state != "" {
		folders = append(folders, filepath.Join(state, "run"))
	}
	return append(folders, filepath.Join(os.TempDir(), ownFolder+"-"+strconv.Itoa(os.Getuid())))
}

// runtimeFolder returns the folder that the system has for sockets of the user, "" for none.
func runtimeFolder() string {
	if folder := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(folder) {
		return folder
	}
	usual := "/run/user/" + strconv.Itoa(os.Getuid()) // for programs that were started without the variable
	if info, err := os.Lstat(usual); err == nil && info.IsDir() {
		return usual
	}
	return ""
}

// makeFolder makes a folder for sockets, unless it is there.
//
// Failures: those of checkFolder and of the file system.
func makeFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make the folder of sockets: %w", err)
	}
	return checkFolder(path)
}

// checkFolder returns why a folder is not used for sockets, nil if it is: nobody but the user may enter it
// or replace it.
func checkFolder(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return fmt.Errorf("look at the folder of sockets: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s is a link or a file and not a folder of the user", path)
	case isOpen(info):
		return fmt.Errorf("others can enter %s, or it belongs to another user; 'chmod 700' closes it", path)
	}
	return fileowner.Check(path)
}

// maxSockets is the number of sockets of a folder that are looked at.
const maxSockets = 256

// sockets returns the paths of the sockets in a folder that can be trusted. A folder that does not exist has
// none.
func sockets(folder string) ([]string, error) {
	if err := checkFolder(folder); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	opened, err := os.Open(folder)
	if err != nil {
		return nil, fmt.Errorf("look for sockets: %w", err)
	}
	defer opened.Close()                            //nolint:errcheck // it was only read from
	names, _ := opened.Readdirnames(4 * maxSockets) // an empty folder is an error there
	var paths []string
	for _, name := range names {
		if _, ok := pidOf(name); ok && len(paths) < maxSockets {
			paths = append(paths, filepath.Join(folder, name))
		}
	}
	return paths, nil
}
