package browser

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

// pattern is the name of the files for browsers.
const pattern = "mcp-workbench-page-*.html"

// OpenPrivately is Open for an address that only the user may know: other users can read the command lines of
// programs. The browser gets a file, which only the user can read and which leads to the address. Remove removes
// the file.
//
// Decision: a browser on another system than this program's files gets the address itself: in WSL, and where an
// editor that is connected from another machine sets $BROWSER. Any other program in $BROWSER gets the file, since
// the machine may have other users.
//
// Failures: those of writing the file and of Open.
func OpenPrivately(address string, failed func(error)) (remove func(), err error) {
	if isElsewhere(os.Getenv) {
		return func() {}, Open(address, failed)
	}
	folder, err := folderFor(snaps)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for the browser: %w", err)
	}
	removeOld(folder)
	file, err := os.CreateTemp(folder, pattern) // it has the mode 0600
	if err != nil {
		return nil, fmt.Errorf("write the file for the browser: %w", err)
	}
	remove = func() { _ = os.Remove(file.Name()) } // it may be gone already
	_, err = file.WriteString(leadingTo(address))
	if err = errors.Join(err, file.Close()); err != nil {
		remove()
		return nil, fmt.Errorf("write the file for the browser: %w", err)
	}
	if err := Open(fileAddress(file.Name()), failed); err != nil {
		remove()
		return nil, err
	}
	return remove, nil
}

// isElsewhere reports whether the browser is on another system than the files of this program.
func isElsewhere(getenv func(string) string) bool {
	const helper = "browser.sh" // of VS Code and the editors that are made of it
	return getenv("WSL_DISTRO_NAME") != "" ||
		getenv("VSCODE_IPC_HOOK_CLI") != "" && strings.HasSuffix(getenv("BROWSER"), helper)
}

// snaps are browsers from Snap, which can read no file in a hidden folder.
var snaps = []string{"/snap/bin/firefox", "/snap/bin/chromium", "/snap/bin/brave"}

// folderFor returns the folder for the file: the home directory if one of the browsers exists, and a folder in the
// state folder otherwise.
func folderFor(snaps []string) (string, error) {
	for _, path := range snaps {
		if _, err := os.Stat(path); err == nil {
			return os.UserHomeDir()
		}
	}
	return safefile.InStateFolder("ui")()
}

// removeOld removes the files of programs that were killed.
func removeOld(folder string) {
	const maxAge = time.Hour
	paths, _ := filepath.Glob(filepath.Join(folder, pattern)) // a folder that reads as a pattern keeps its files
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > maxAge {
			_ = os.Remove(path) // the next program tries again
		}
	}
}

// leadingTo returns a page that leads to an address.
func leadingTo(address string) string {
	quoted := html.EscapeString(address)
	return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>MCP Workbench</title>` +
		`<meta http-equiv="refresh" content="0;url=` + quoted + `"><p><a href="` + quoted + `">Open the page</a></p>` + "\n"
}

// fileAddress returns the address of a file with an absolute path.
func fileAddress(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
