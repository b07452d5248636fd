package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/system/fileowner"
)

// maxFileSize is the largest configuration in bytes. A larger file is a log, a disk or
// an endless device that was named by mistake.
const maxFileSize = 64 << 20

// fileRead is the file in use as it was read.
type fileRead struct {
	data []byte
	info fs.FileInfo // nil when it could not be looked at
	// unusable says what there is instead of a readable file, "" for a readable one.
	unusable string
}

// readFile reads the file of a place, nothing when the place has none.
func readFile(place location) fileRead {
	if place.path == "" {
		return fileRead{}
	}
	file, err := atomicfile.OpenGiven(place.path)
	if err != nil {
		return fileRead{unusable: unreadable(err)}
	}
	defer func() { _ = file.Close() }() // nothing was written, so closing cannot lose anything
	// Looked at before it is read, it differs from a file that changed meanwhile.
	info, statErr := file.Stat()
	data, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	read := fileRead{data: data, info: info}
	switch {
	case err != nil || statErr != nil:
		read.unusable = unreadable(cmp.Or(err, statErr))
	case len(data) > maxFileSize:
		read.unusable = fmt.Sprintf("more than %d MiB", maxFileSize>>20)
	}
	return read
}

// use parses the file in use. One that was named and that others can change is a problem, unless
// that is allowed.
func (l *loader) use(file fileRead, place location, allowsForeign bool) {
	l.info = file.info
	if file.unusable != "" {
		l.wrongFile(file.unusable, wantedFile(place))
		return
	}
	exposure := fileowner.Exposure(file.info)
	if place.origin == FromFlag || place.origin == FromVariable {
		exposure = fileowner.PathExposure(place.path)
		if exposure != "" && !allowsForeign {
			l.wrongFile("one that others can change ("+exposure+")",
				"a configuration that only you and root can change, or "+AllowForeignFlag)
			return
		}
	}
	if exposure != "" {
		l.warn(nowhere, nil, exposure+", and so what is run")
	}
	l.parse(file.data)
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
