package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/safefile"
)

// maxFileSize is the largest configuration in bytes. A larger file is a log, a disk or
// an endless device that was named by mistake.
const maxFileSize = 64 << 20

// content is the content of a file, or why it cannot be used.
type content struct {
	data []byte
	info fs.FileInfo // nil when Stat failed
	// unusable describes a file that cannot be read, "" for a readable one.
	unusable string
}

// readFile reads a file of at most limit bytes.
func readFile(path string, limit int64) (read content) {
	file, err := safefile.OpenGiven(path)
	if err != nil {
		read.unusable = unreadable(err)
		return read
	}
	defer func() { _ = file.Close() }() // it was only read from
	// Stat comes before the read, so that a file that changes meanwhile differs from it.
	info, statErr := file.Stat()
	read.info = info
	read.data, err = io.ReadAll(io.LimitReader(file, limit+1))
	switch {
	case err != nil || statErr != nil:
		read.unusable = unreadable(cmp.Or(err, statErr))
	case int64(len(read.data)) > limit:
		read.unusable = moreThan(limit)
	}
	return read
}

func moreThan(limit int64) string {
	if limit < 1<<20 {
		return fmt.Sprintf("more than %d KiB", limit>>10)
	}
	return fmt.Sprintf("more than %d MiB", limit>>20)
}

// unreadable describes a file that cannot be read.
func unreadable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return tree.NoFile
	case errors.Is(err, fs.ErrPermission):
		return "a file that may not be read"
	case errors.Is(err, syscall.EISDIR):
		return "a directory"
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	return fmt.Sprintf("a file that cannot be read (%s)", err)
}
