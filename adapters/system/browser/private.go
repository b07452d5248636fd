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
)

// OpenPrivately is Open for an address that only the user may know: other users can read the command lines of
// programs. The browser gets a file in a folder, which only the user can read and which leads to the address. The
// folder is made if it does not exist. Remove removes the file.
//
// Failures: those of writing the file and of Open.
func OpenPrivately(address, folder string, failed func(error)) (remove func(), err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for the browser: %w", err)
	}
	removeOld(folder)
	file, err := os.CreateTemp(folder, "page-*.html") // it has the mode 0600
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

// removeOld removes the files of programs that were killed.
func removeOld(folder string) {
	const maxAge = time.Hour
	paths, _ := filepath.Glob(filepath.Join(folder, "page-*.html")) // a folder that reads as a pattern keeps its files
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
