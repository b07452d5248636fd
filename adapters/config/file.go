package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/safefile"
)

// maxFileSize is the largest configuration in bytes. A larger file is a log, a disk or
// an endless device that was named by mistake.
const maxFileSize = 64 << 20

// read reads the file of a source, if it has one.
func (s *source) read() { s.readUpTo(maxFileSize) }

// readUpTo reads a file of at most limit bytes.
func (s *source) readUpTo(limit int64) {
	if s.path == "" {
		return
	}
	file, err := safefile.OpenGiven(s.path)
	if err != nil {
		s.unusable = unreadable(err)
		return
	}
	defer func() { _ = file.Close() }() // it was only read from
	// Stat comes before the read, so that a file that changes meanwhile differs from it.
	info, statErr := file.Stat()
	s.info = info
	s.data, err = io.ReadAll(io.LimitReader(file, limit+1))
	switch {
	case err != nil || statErr != nil:
		s.unusable = unreadable(cmp.Or(err, statErr))
	case int64(len(s.data)) > limit:
		s.unusable = moreThan(limit)
	}
}

func moreThan(limit int64) string {
	if limit < 1<<20 {
		return fmt.Sprintf("more than %d KiB", limit>>10)
	}
	return fmt.Sprintf("more than %d MiB", limit>>20)
}

// use returns the text of the source, and whether it can be used. A named file that others can
// change is a problem, unless that is allowed.
func (r *reader) use(source source, options Options) (text []byte, ok bool) {
	if source.path == "" {
		return nil, false
	}
	allowsForeign := options.AllowForeign || r.allowsForeign()
	if source.unusable != "" {
		r.WrongFile(source.unusable, source.wanted())
		return nil, false
	}
	exposure := safefile.Exposure(source.info)
	if source.origin.IsNamed() {
		exposure = safefile.PathExposure(source.path)
		if exposure != "" && !allowsForeign {
			r.WrongFile("one that others can change ("+exposure+")",
				"a configuration that only you and root can change, or "+AllowForeignFlag)
			return nil, false
		}
	}
	if exposure != "" {
		r.Warn(tree.WholeFile, exposure+": they decide what is run")
	}
	return source.data, true
}

// wanted describes the file that is wanted instead of an unusable one. It does not say "found",
// since the file may be gone by now.
func (s *source) wanted() string {
	return fmt.Sprintf("a configuration file (%s)", strings.TrimPrefix(s.origin.String(), "found "))
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
