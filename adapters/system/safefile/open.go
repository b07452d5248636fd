package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// MaxSize is the maximum size in bytes of a file that ReadFile reads. A larger file was named by mistake,
// such as a log or a disk.
const MaxSize = 64 << 20

// ErrNotRegular reports a path that is not that of a regular file. Reading a pipe may block for ever, and
// reading a device may never end.
var ErrNotRegular = errors.New("not a regular file")

// Open opens a regular file for reading. It follows links, and fails immediately for anything else.
// On Windows a file cannot be opened while it is being replaced, or while another program has exclusive
// access: then Open tries again for up to two seconds.
//
// Failures, each with the path: ErrNotRegular, which is also syscall.EISDIR for a folder; those of
// os.Open.
func Open(path string) (*os.File, error) {
	return open(path, fs.FileMode.IsRegular)
}

// OpenGiven is Open for a path that the program was started with. It also opens a pipe among the
// program's own descriptors, such as that of <(…) in a shell, since no other program can put one there.
// Such a pipe can be read once.
//
// Failures: those of Open.
func OpenGiven(path string) (*os.File, error) {
	if !isDescriptor(path) {
		return Open(path)
	}
	return open(path, func(mode fs.FileMode) bool { return mode.IsRegular() || mode&fs.ModeNamedPipe != 0 })
}

// isDescriptor reports whether a path names a descriptor of this process.
func isDescriptor(path string) bool {
	folder, name := filepath.Split(filepath.Clean(path))
	switch folder {
	case "/dev/":
		return name == "stdin"
	case "/dev/fd/", "/proc/self/fd/":
		return strings.Trim(name, "0123456789") == ""
	}
	return false
}

// open opens a file if fits accepts its mode. It checks the mode before opening, since opening some
// devices has effects, and again afterwards, since the file may have been replaced.
func open(path string, fits func(fs.FileMode) bool) (file *os.File, err error) {
	err = whileHeld(func() error {
		info, err := os.Stat(path)
		if err == nil {
			err = checkMode(path, info, fits)
		}
		if err != nil {
			return err
		}
		if file, err = os.OpenFile(path, os.O_RDONLY|openFlags, 0); err != nil {
			return err
		}
		if info, err = file.Stat(); err == nil {
			err = checkMode(path, info, fits)
		}
		if err != nil {
			_ = file.Close() // it was only read
		}
		return err
	}, isHeld)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// CheckRegular returns ErrNotRegular, with the path and the kind of the file, unless the file is a regular one.
func CheckRegular(path string, info fs.FileInfo) error {
	return checkMode(path, info, fs.FileMode.IsRegular)
}

func checkMode(path string, info fs.FileInfo, fits func(fs.FileMode) bool) error {
	mode := info.Mode()
	if fits(mode) {
		return nil
	}
	what := "a device"
	switch {
	case mode.IsDir():
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it %w, %w", syscall.EISDIR, ErrNotRegular)}
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	}
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is %s, %w", what, ErrNotRegular)}
}

// ReadFile opens a file like Open and reads it. The file must have at most MaxSize bytes.
//
// Failures, each with the path: a file that is larger; those of Open; those of the file system.
func ReadFile(path string) ([]byte, error) {
	return ReadUpTo(path, MaxSize)
}

// ReadUpTo is ReadFile with another limit in bytes.
//
// Failures: those of ReadFile.
func ReadUpTo(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	var buffer bytes.Buffer
	if info, err := file.Stat(); err == nil && info.Size() <= limit {
		buffer.Grow(int(info.Size()) + bytes.MinRead)
	}
	_, err = buffer.ReadFrom(io.LimitReader(file, limit+1))
	text := buffer.Bytes()
	if err == nil && int64(len(text)) > limit {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is larger than %s", sizeText(limit))}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}

func sizeText(limit int64) string {
	if limit%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", limit>>20)
	}
	return fmt.Sprintf("%d bytes", limit)
}
