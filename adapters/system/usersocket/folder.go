package usersocket

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"mcp-workbench/adapters/system/safefile"
)

// ownFolder is the name of the folder with sockets in a folder that other programs use too.
const ownFolder = "mcp-workbench"

// Folders returns the folders in which sockets of the user's workbenches can be, the best first: in the
// user's runtime folder, in the state folder, and in the folder for temporary files, whose path is short.
// The argument state is the state folder, "" for none.
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
	usual := "/run/user/" + strconv.Itoa(os.Getuid()) // used by programs that were started without the variable
	if info, err := os.Lstat(usual); err == nil && info.IsDir() {
		return usual
	}
	return ""
}

// MakeFolder creates a folder for sockets, if necessary, and checks it.
//
// Failures: those of CheckFolder and of the file system.
func MakeFolder(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make the folder of sockets: %w", err)
	}
	return CheckFolder(path)
}

// CheckFolder returns an error unless a folder can be used for sockets: only the user may be able to enter
// or replace it.
func CheckFolder(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return fmt.Errorf("examine the folder of sockets: %w", err)
	case !info.IsDir():
		return fmt.Errorf("%s is a link or a file, not a folder of the user", path)
	case isOpen(info):
		return fmt.Errorf("others can enter %s, or it belongs to another user; 'chmod 700' restricts it to its owner", path)
	}
	return safefile.Check(path)
}
