package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"mcp-workbench/adapters/atomicfile"
	"mcp-workbench/adapters/fileowner"
)

// maxFileSize is the largest configuration in bytes. A larger file is a log, a disk or
// an endless device that was named by mistake.
const maxFileSize = 64 << 20

// readFile reads and parses the file in use.
func (l *loader) readFile(place location) {
	file, err := atomicfile.OpenGiven(place.path)
	if err != nil {
		l.wrongFile(unreadable(err), wantedFile(place))
		return
	}
	defer func() { _ = file.Close() }() // nothing was written, so closing cannot lose anything
	// Looked at before it is read, it differs from a file that changed meanwhile.
	info, statErr := file.Stat()
	data, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	l.info = info
	switch {
	case err != nil || statErr != nil:
		l.wrongFile(unreadable(cmp.Or(err, statErr)), wantedFile(place))
		return
	case len(data) > maxFileSize:
		l.wrongFile(fmt.Sprintf("more than %d MiB", maxFileSize>>20), wantedFile(place))
		return
	}
	if exposure := fileowner.Exposure(info); exposure != "" {
		l.warn(nowhere, nil, exposure+", and so what is run")
	}
	l.parse(data)
}

// parse makes the tree of the file's bytes.
func (l *loader) parse(data []byte) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	l.lines = newLines(data)
	tree, problem := parse(data)
	if problem != nil {
		l.wrong(problem.offset, nil, problem.found, problem.wanted)
		return
	}
	l.root = &node{value: tree}
}

func wantedFile(place location) string {
	return fmt.Sprintf("a configuration file (%s)", place.origin)
}

// noFile is what stands in the place of a configuration that does not exist.
const noFile = "no file"

// unreadable says what stands in the place of a readable file.
func unreadable(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return noFile
	}
	if errors.Is(err, fs.ErrPermission) {
		return "a file that may not be read"
	}
	if errors.Is(err, syscall.EISDIR) {
		return "a directory"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Sprintf("a file that cannot be read (%s)", err)
}
