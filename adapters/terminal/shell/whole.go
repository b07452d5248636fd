package shell

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain/excerpts"
)

const (
	// keepTime is how long the file of a whole result is kept, at least until the next one is.
	keepTime = 24 * time.Hour
	// maxWholes is the size of all of them, in bytes. The oldest ones make room.
	maxWholes = 256 << 20
)

// Wholes keeps what was printed in part, in private files.
type Wholes struct {
	// Folder returns the folder of the files, which need not exist.
	Folder func() (string, error)
}

// fit returns the part of a result that fits, and a line that says where the whole is, "" for a result that fits.
func (p Printer) fit(raw json.RawMessage) (shown json.RawMessage, note string) {
	if p.Max == 0 {
		return raw, ""
	}
	cut, isCut := excerpts.Fit(raw, p.Max)
	if !isCut {
		return raw, ""
	}
	path, err := p.Wholes.keep(func(file *os.File) error {
		return Printer{Out: file, Note: func(string) {}}.Print(ReadResult(raw))
	})
	return cut.Result, wording.PrintedInPart(cut.Shown, cut.Whole, path, err)
}

// keep writes a file and returns its path.
func (w Wholes) keep(write func(file *os.File) error) (path string, err error) {
	folder, err := w.Folder()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("make the folder: %w", err)
	}
	file, err := os.CreateTemp(folder, "result-*.txt") // which only the user can read
	if err != nil {
		return "", fmt.Errorf("create the file: %w", err)
	}
	err = write(file)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(file.Name()) // it is removed later
		return "", fmt.Errorf("write the file: %w", err)
	}
	makeRoom(folder, filepath.Base(file.Name()), time.Now())
	return file.Name(), nil
}

// makeRoom removes the files that are too old, and the oldest ones that are too many, but not the one that was just written.
func makeRoom(folder, written string, now time.Time) {
	entries, _ := os.ReadDir(folder) // if that fails, the next one makes room
	var files []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	var size int64
	for _, info := range files {
		if size += info.Size(); info.Name() == written {
			continue
		}
		if now.Sub(info.ModTime()) > keepTime || size > maxWholes {
			_ = os.Remove(filepath.Join(folder, info.Name())) // likewise
		}
	}
}
