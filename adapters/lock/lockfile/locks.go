package lockfile

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Locks are the lock beside a configuration and those beside files that it includes from other folders, as one
// lock. Each toolbox is in the lock beside the file that describes it. They implement ports.Pins and
// ports.PackageLocks. Safe for concurrent use.
//
// Decision: a lock decides which packages run and which tools are read-only. A project that includes the file of its
// user would decide that for the servers of the user if its lock counted for them.
type Locks struct {
	// File is the lock beside the configuration.
	*File

	mu sync.Mutex
	// others are the locks in other folders, by their paths, and beside the one of each toolbox that is in one of them.
	others map[string]*File
	beside map[domain.ToolboxName]*File
	// seen is what the files had when they were joined last, the lock of File first.
	seen   []part
	joined *domain.Lock
	err    error
}

// part is what one of the files had.
type part struct {
	lock *domain.Lock
	err  error
}

var (
	_ ports.Pins         = (*Locks)(nil)
	_ ports.PackageLocks = (*Locks)(nil)
)

// NewLocks returns the locks beside a configuration, "" for none, and beside the files of toolboxes, which has each
// toolbox. Approvals of the user are in the folder that find returns.
func NewLocks(configuration string, files map[domain.ToolboxName]string, find func() (string, error)) *Locks {
	l := &Locks{File: Beside(configuration).ApprovedIn(find)}
	l.Divide(files)
	return l
}

// Divide replaces the files of toolboxes.
func (l *Locks) Divide(files map[domain.ToolboxName]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	others := map[string]*File{}
	l.beside, l.seen = map[domain.ToolboxName]*File{}, nil
	for toolbox, file := range files {
		path := filepath.Join(filepath.Dir(file), domain.LockName)
		if path == l.Path() {
			l.beside[toolbox] = l.File
			continue
		}
		if others[path] = l.others[path]; others[path] == nil { // a file that was read already keeps its state
			others[path] = Beside(file).ApprovedIn(l.approvals)
		}
		l.beside[toolbox] = others[path]
	}
	l.others = others
}

// files returns the file of the configuration, and the others by their paths.
func (l *Locks) files() []*File {
	files := []*File{l.File}
	for _, path := range slices.Sorted(maps.Keys(l.others)) {
		files = append(files, l.others[path])
	}
	return files
}

// Lock implements ports.Pins.
func (l *Locks) Lock() (*domain.Lock, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.others) == 0 {
		return l.File.Lock()
	}
	files := l.files()
	seen := make([]part, len(files))
	for i, file := range files {
		seen[i].lock, seen[i].err = file.Lock()
	}
	if !slices.Equal(seen, l.seen) {
		l.seen = seen
		l.joined, l.err = l.join(files, seen)
	}
	return l.joined, l.err
}

// join returns one lock of what the files have, nil if none of them exists.
func (l *Locks) join(files []*File, seen []part) (*domain.Lock, error) {
	joined, exists := &domain.Lock{}, false
	for i, file := range files {
		if seen[i].err != nil {
			return nil, seen[i].err
		}
		if seen[i].lock == nil {
			continue
		}
		exists = true
		own := l.of(file, *seen[i].lock)
		joined.Servers = append(joined.Servers, own.Servers...)
		joined.Packages = append(joined.Packages, own.Packages...)
	}
	if !exists {
		return nil, nil
	}
	for _, toolbox := range slices.Sorted(maps.Keys(l.beside)) {
		if seen[slices.Index(files, l.beside[toolbox])].lock == nil {
			joined.Without = append(joined.Without, toolbox)
		}
	}
	return joined, nil
}

// of returns the part of a lock that belongs into a file.
func (l *Locks) of(file *File, lock domain.Lock) domain.Lock {
	return domain.Lock{
		Servers:  slices.DeleteFunc(slices.Clone(lock.Servers), func(s domain.LockedServer) bool { return l.fileOf(s.ID.Toolbox) != file }),
		Packages: slices.DeleteFunc(slices.Clone(lock.Packages), func(p domain.PinnedPackage) bool { return l.fileOf(p.ID.Toolbox) != file }),
	}
}

// fileOf returns the file for a toolbox.
func (l *Locks) fileOf(toolbox domain.ToolboxName) *File {
	if file := l.beside[toolbox]; file != nil {
		return file
	}
	return l.File
}

// partsOf returns the part of each file of a lock. A file in another folder keeps what it has about toolboxes that the
// configuration does not have from there.
func (l *Locks) partsOf(lock domain.Lock) (map[*File]domain.Lock, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	parts := map[*File]domain.Lock{}
	for _, file := range l.files() {
		part := l.of(file, lock)
		if file != l.File {
			before, err := file.Lock()
			if err != nil {
				return nil, err
			}
			if before != nil {
				part.Servers = append(part.Servers, slices.DeleteFunc(slices.Clone(before.Servers), func(s domain.LockedServer) bool { return l.fileOf(s.ID.Toolbox) == file })...)
				part.Packages = append(part.Packages, slices.DeleteFunc(slices.Clone(before.Packages), func(p domain.PinnedPackage) bool { return l.fileOf(p.ID.Toolbox) == file })...)
			}
		}
		parts[file] = part
	}
	return parts, nil
}

// inParts calls a function with each file and its part of a lock.
func (l *Locks) inParts(lock domain.Lock, do func(*File, domain.Lock) error) error {
	parts, err := l.partsOf(lock)
	for file, part := range parts {
		err = errors.Join(err, do(file, part))
	}
	return err
}

// Save implements ports.Pins.
func (l *Locks) Save(lock domain.Lock) error { return l.inParts(lock, (*File).Save) }

// ChangeFrom implements ports.Pins.
func (l *Locks) ChangeFrom(lock *domain.Lock, broken error, change func() error) error {
	l.mu.Lock()
	files := slices.SortedFunc(slices.Values(l.files()), func(a, b *File) int { return strings.Compare(a.Path(), b.Path()) })
	l.mu.Unlock()
	return changeFrom(files, func() error {
		if now, err := l.Lock(); now != lock || err != broken { //nolint:errorlint // the same value until the lock changes
			return fmt.Errorf("write %s: %w", l.Path(), safefile.ErrChanged)
		}
		return change()
	})
}

// Approve is File.Approve for all of them.
func (l *Locks) Approve() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var failures []error
	for _, file := range l.files() {
		failures = append(failures, file.Approve())
	}
	return errors.Join(failures...)
}

// Approval implements ports.Pins. Each lock that exists must be approved.
func (l *Locks) Approval() (which string, ofLock bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var ids []string
	ofLock = true
	for _, file := range l.files() {
		id, ofFile := file.Approval()
		ids = append(ids, id)
		lock, err := file.Lock()
		ofLock = ofLock && (ofFile || lock == nil && err == nil)
	}
	return strings.Trim(strings.Join(ids, "+"), "+"), ofLock
}

// PackageLock implements ports.PackageLocks.
func (l *Locks) PackageLock(server domain.ServerID, pin domain.PackagePin) ([]byte, error) {
	return l.guardedFileOf(server.Toolbox).PackageLock(server, pin)
}

// SavePackageLock implements ports.PackageLocks.
func (l *Locks) SavePackageLock(server domain.ServerID, lockFile []byte) error {
	return l.guardedFileOf(server.Toolbox).SavePackageLock(server, lockFile)
}

// RemovePackageLocks implements ports.PackageLocks.
func (l *Locks) RemovePackageLocks(before, lock domain.Lock) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var failures []error
	for _, file := range l.files() {
		failures = append(failures, file.RemovePackageLocks(l.of(file, before), l.of(file, lock)))
	}
	return errors.Join(failures...)
}

// guardedFileOf is fileOf for callers that do not hold the mutex.
func (l *Locks) guardedFileOf(toolbox domain.ToolboxName) *File {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fileOf(toolbox)
}
