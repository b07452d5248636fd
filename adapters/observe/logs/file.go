// Package logs says in log records which host they are about, and keeps a log in a file that cannot grow without bound,
// for hosts that drop what the workbench writes to stderr.
//
// Decision: the file is opened for each line and closed again. Several workbenches append to one file, and
// one of them renames it when it is full: the others would keep the renamed file open, and on Windows an open
// file cannot be renamed. A line costs 20 µs more; logs have few lines.
//
// Decision: each file begins with a line that names it as a log of this program, and nothing is appended to, or
// replaced by, a file without it. A path comes from a configuration, which others may have written, and lines
// contain names that they chose: in a shell's startup file such a line would be a command.
package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

// MaxSize is the size in bytes at which a file gets the suffix ".1" and replaces the previous file of that
// name. If it cannot be renamed, as on Windows while another process writes to it, it grows to twice this size.
// Then nothing more is written to it.
const MaxSize = 5 << 20

// lockTime is the time a line waits for another process that renames the file.
const lockTime = 100 * time.Millisecond

// File is a log that several processes append to. Safe for concurrent use.
type File struct {
	path   string
	max    int64
	prefix []byte

	mu sync.Mutex // one line at a time
}

// Open returns the log at an absolute path. It creates the file if there is none, and lets only its user read
// it. The folder must exist.
//
// Failures, each with the path: something that is not a regular file, such as a link; a file with other content
// than a log; a folder or file that other users can change; those of the file system.
func Open(path string) (*File, error) {
	path = filepath.Clean(path)
	if err := safefile.Check(path); err != nil {
		return nil, err
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("close the log file: %w", err)
	}
	return &File{path: path, max: MaxSize, prefix: []byte(strconv.Itoa(os.Getpid()) + " ")}, nil
}

// Write implements io.Writer for whole lines. It puts the id of the process in front of each line, to tell
// workbenches apart.
func (f *File) Write(lines []byte) (int, error) {
	var text []byte
	for line := range bytes.Lines(lines) {
		text = append(append(text, f.prefix...), line...)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.makeRoom(int64(len(text)))
	if err := f.append(text); err != nil {
		return 0, err
	}
	return len(lines), nil
}

// errFull reports a log that is full and cannot be renamed.
var errFull = errors.New("the log file is full and cannot be renamed")

func (f *File) append(text []byte) error {
	file, err := open(f.path)
	if err != nil {
		return err
	}
	switch info, failure := file.Stat(); {
	case failure != nil:
		err = failure
	case info.Size() > 2*f.max:
		err = errFull
	case info.Size() == 0:
		_, err = file.Write(slices.Concat(f.prefix, []byte(firstLine), text))
	default:
		_, err = file.Write(text)
	}
	return errors.Join(err, file.Close())
}

// makeRoom renames the file if it has no room for that many more bytes. If that fails, the next line tries
// again.
func (f *File) makeRoom(more int64) {
	if !f.isFull(more) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	release, err := safefile.AcquireLock(ctx, f.path+".lock")
	if err != nil {
		return
	}
	defer release()
	if f.isFull(more) && isLog(f.path) && isLog(f.path+".1") { // another process did not rename it meanwhile
		_ = os.Rename(f.path, f.path+".1")
	}
}

func (f *File) isFull(more int64) bool {
	info, err := os.Lstat(f.path)
	return err == nil && info.Size() > 0 && info.Size()+more > f.max
}

// open opens the file at a path for appending, and creates it if there is none.
func open(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, notRegular(path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|openFlags, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	switch {
	case err != nil || !info.Mode().IsRegular():
		err = notRegular(path)
	case info.Size() > 0 && !beginsLog(file):
		err = &fs.PathError{Op: "write the log to", Path: path, Err: errors.New("it is a file with something other than this program's log")}
	default:
		return file, nil
	}
	_ = file.Close() // nothing was written
	return nil, err
}

// firstLine follows the id of a process in the first line of each file.
const firstLine = "mcp-workbench log\n"

// beginsLog reports whether a file begins with the first line of a log.
func beginsLog(file io.ReaderAt) bool {
	begin := make([]byte, len("18446744073709551615 ")+len(firstLine))
	n, err := file.ReadAt(begin, 0)
	process, rest, _ := bytes.Cut(begin[:n], []byte(" "))
	_, notNumber := strconv.ParseUint(string(process), 10, 64)
	return (err == nil || errors.Is(err, io.EOF)) && notNumber == nil && bytes.HasPrefix(rest, []byte(firstLine))
}

// isLog reports whether the file at a path is a log, or does not exist.
func isLog(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return errors.Is(err, fs.ErrNotExist)
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it was only read from
	return beginsLog(file)
}

func notRegular(path string) error {
	return &fs.PathError{Op: "write the log to", Path: path, Err: errors.New("it is a link, or not a regular file")}
}
