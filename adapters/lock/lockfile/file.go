package lockfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// File is the lock in a file. It implements ports.Pins. The file is read on first use,
// and again whenever it changed. Safe for concurrent use.
type File struct {
	path      atomic.Pointer[string] // nil for none
	approvals func() (string, error) // returns their folder; nil for none

	mu     sync.Mutex
	seen   fs.FileInfo // of the file that was read, nil for none
	lock   *domain.Lock
	err    error
	digest string // SHA-256 of the file that was read
	saved  string // SHA-256 of the file that was saved last
}

var _ ports.Pins = (*File)(nil)

// Beside returns the lock beside a configuration file. Without a configuration, "", there is none.
func Beside(configuration string) *File {
	f := &File{}
	if configuration != "" {
		f.Move(configuration)
	}
	return f
}

// Path returns the path of the file, whether or not it exists, "" if there can be none.
func (f *File) Path() string {
	if path := f.path.Load(); path != nil {
		return *path
	}
	return ""
}

// Move makes it the lock beside another configuration file, and reports whether its path changed.
func (f *File) Move(configuration string) (moved bool) {
	path := filepath.Join(filepath.Dir(configuration), domain.LockName)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Path() == path {
		return false
	}
	f.path.Store(&path)
	f.seen, f.lock, f.err = nil, nil, nil
	return true
}

// Lock implements ports.Pins. While the file is unchanged, it costs one system call.
func (f *File) Lock() (*domain.Lock, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	path := f.Path()
	if path == "" {
		return nil, nil
	}
	now, err := os.Lstat(path)
	if err == nil {
		err = f.isOwn(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.seen, f.lock, f.err = nil, nil, nil
	case err != nil:
		f.seen, f.lock, f.err = nil, nil, f.broken(err)
	case f.seen == nil || !os.SameFile(f.seen, now) || f.seen.Size() != now.Size() || !f.seen.ModTime().Equal(now.ModTime()):
		f.seen = now
		f.lock, f.err = f.load()
	}
	return f.lock, f.err
}

// Text returns the bytes of the file.
//
// Failures: a file that is led elsewhere by a link; those of safefile.ReadFile.
func (f *File) Text() ([]byte, error) {
	if err := f.isOwn(f.Path()); err != nil {
		return nil, err
	}
	return safefile.ReadFile(f.Path())
}

func (f *File) load() (*domain.Lock, error) {
	data, err := f.Text()
	var lock *domain.Lock
	if err == nil {
		lock, err = parse(data)
	}
	if err != nil {
		return nil, f.broken(err)
	}
	f.digest = safefile.Digest(data)
	return lock, nil
}

// broken returns the error of a lock that cannot be used: the same value as long as the reason is the
// same, so that callers can compare it.
func (f *File) broken(err error) error {
	broken := &domain.LockBrokenError{Path: f.Path(), Reason: reasonOf(err)}
	if before, ok := errors.AsType[*domain.LockBrokenError](f.err); ok && *before == *broken {
		return before
	}
	return broken
}

// reasonOf returns the reason why a file cannot be used, without its path.
func reasonOf(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "it does not exist"
	}
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Sprintf("it cannot be read: %v", path.Err)
	}
	return err.Error()
}

// ChangeFrom implements ports.Pins.
func (f *File) ChangeFrom(lock *domain.Lock, broken error, change func() error) error {
	return changeFrom([]*File{f}, func() error {
		if now, err := f.Lock(); now != lock || err != broken { //nolint:errorlint // the same value until the lock changes
			return fmt.Errorf("write %s: %w", f.Path(), safefile.ErrChanged)
		}
		return change()
	})
}

// changeFrom calls change while no other process changes one of the files, which are in the order of their paths.
func changeFrom(files []*File, change func() error) error {
	if len(files) == 0 {
		return change()
	}
	return safefile.Exclusively(files[0].Path(), func() error { return changeFrom(files[1:], change) })
}

// mode is that of a new lock, which is meant to be shared.
const mode = 0o644

// Save implements ports.Pins. It replaces only a lock, usable or not.
func (f *File) Save(lock domain.Lock) error {
	text := format(lock)
	path := f.Path()
	err := f.isOwn(path)
	if err == nil {
		err = isLock(path)
	}
	if err != nil {
		return fmt.Errorf("write the lock file %s: %w", path, err)
	}
	if err := safefile.Replace(path, text, mode); err != nil {
		return fmt.Errorf("write the lock file %s: %w", path, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.saved = safefile.Digest(text)
	return nil
}
