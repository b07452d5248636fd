package logins

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"mcp-workbench/adapters/system/atomicfile"
	"mcp-workbench/adapters/system/fileowner"
)

const (
	directoryMode fs.FileMode = 0o700
	fileMode      fs.FileMode = 0o600
)

// Store is a folder of logins. Safe for concurrent use, by many processes too.
type Store struct {
	directory string
	log       *slog.Logger
	hide      func(secret string)

	mu sync.Mutex // guards the fields below
	// refreshes are those under way, and idle is closed when there is none any more; nil
	// while there is none.
	refreshes int
	idle      chan struct{}
	// queues hold the goroutines of this process that want a lock, by its path.
	queues map[string]chan struct{}
	// seen are the files as they were read last, by their paths.
	seen map[string]seenFile
	// memory are the logins of this process that no file can hold, by the paths of those files.
	memory map[string]Record
	// leftOut are the files that others can change, for which that was logged.
	leftOut map[string]bool
}

// seenFile is a file and what was in it.
type seenFile struct {
	info   fs.FileInfo
	record Record
}

// New returns the store in a folder, which need not exist. Every secret that is read or
// written is passed to hide first; hide may be called from many goroutines, and again
// with the same value.
func New(directory string, log *slog.Logger, hide func(secret string)) *Store {
	return &Store{directory: directory, log: log, hide: hide, queues: map[string]chan struct{}{}, seen: map[string]seenFile{}, memory: map[string]Record{}, leftOut: map[string]bool{}}
}

// file returns the path of a login.
func (s *Store) file(key Key) string {
	digest := sha256.Sum256([]byte(key.Server + "\x00" + key.ClientID + "\x00" + key.Account))
	return filepath.Join(s.directory, hex.EncodeToString(digest[:16])+".json")
}

// lockOf returns the path of the lock of a file.
func lockOf(file string) string { return strings.TrimSuffix(file, ".json") + ".lock" }

// Read returns a login as it is now, the zero value with its key when there is none. A
// login that another process wrote meanwhile is seen; while nothing changed, no file
// is read.
//
// Failures: *NewerVersionError; *BrokenError; those of the file system.
func (s *Store) Read(key Key) (Record, error) {
	record, err := s.read(s.file(key))
	record.Key = key
	return record, err
}

// read returns what is in a file, the zero value when there is none.
func (s *Store) read(path string) (Record, error) {
	if record, ok := s.remembered(path); ok {
		return record, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, nil
	}
	if err != nil {
		return Record{}, err
	}
	s.mu.Lock()
	seen, known := s.seen[path]
	s.mu.Unlock()
	if known && os.SameFile(seen.info, info) && seen.info.ModTime().Equal(info.ModTime()) && seen.info.Size() == info.Size() {
		return seen.record, nil
	}
	record, err := s.load(path)
	if err != nil {
		return Record{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// A file that was written between the two looks older than it is, and is read again.
	s.seen[path] = seenFile{info: info, record: record}
	return record, nil
}

// load reads a file, the zero value when there is none.
func (s *Store) load(path string) (Record, error) {
	if record, ok := s.remembered(path); ok || s.isLeftOut(path) {
		return record, nil
	}
	if info, err := os.Stat(path); err == nil {
		s.narrow(path, info.Mode().Perm(), fileMode)
	}
	text, err := atomicfile.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, nil
	}
	if err != nil {
		return Record{}, err
	}
	record, err := parse(path, text)
	if err != nil {
		return Record{}, err
	}
	s.hideAll(record)
	return record, nil
}

// parse returns what a file says.
func parse(path string, text []byte) (Record, error) {
	var format struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &format); err != nil {
		return Record{}, &BrokenError{Path: path, Err: errors.New("it is not JSON")}
	}
	switch {
	case format.Version > formatVersion:
		return Record{}, &NewerVersionError{Path: path, Version: format.Version}
	case format.Version < 1:
		return Record{}, &BrokenError{Path: path, Err: errors.New("it names no version")}
	}
	var record Record
	// What encoding/json says of a value of a wrong type holds no value.
	if err := json.Unmarshal(text, &record); err != nil {
		return Record{}, &BrokenError{Path: path, Err: err}
	}
	return record, nil
}

// Update changes a login under its lock, and writes it unless change fails or leaves it as
// it was. Change gets the login as it is then, the zero value with its key when
// there is none. Update waits for another process until the context ends.
//
// Failures: those of change, as they are; ErrLocked; those of Read; those of writing.
func (s *Store) Update(ctx context.Context, key Key, change func(*Record) error) error {
	path, release, err := s.hold(ctx, key)
	if err != nil {
		return err
	}
	defer release()
	record, err := s.readToChange(path, key)
	if err != nil {
		return err
	}
	if err := change(&record); err != nil {
		return err
	}
	return s.write(path, key, record)
}

// hold takes the lock of a login, and makes the folder if necessary. A login without a file, where
// no file can be written, is in the memory of this process from then on.
func (s *Store) hold(ctx context.Context, key Key) (path string, release func(), err error) {
	path = s.file(key)
	if _, ok := s.remembered(path); !ok {
		release, err = s.holdFile(ctx, path)
		if err == nil || errors.Is(err, ErrLocked) || !s.remember(path, err) {
			return path, release, err
		}
	}
	release, err = s.wait(ctx, lockOf(path))
	return path, release, err
}

// holdFile takes the lock of a file.
func (s *Store) holdFile(ctx context.Context, path string) (release func(), err error) {
	if err := os.MkdirAll(s.directory, directoryMode); err != nil {
		return nil, err
	}
	if info, err := os.Stat(s.directory); err == nil {
		s.narrow(s.directory, info.Mode().Perm(), directoryMode)
	}
	if err := fileowner.Check(s.directory); err != nil {
		return nil, err
	}
	release, err = s.lock(ctx, lockOf(path))
	if err == nil {
		step("locked")
	}
	return release, err
}

// readToChange returns a login that shares nothing with what readers hold.
func (s *Store) readToChange(path string, key Key) (Record, error) {
	record, err := s.load(path)
	record.Key = key
	step("read")
	return record, err
}

// write replaces a login, unless it is as it was. A login that holds nothing has no file.
// The caller holds its lock.
func (s *Store) write(path string, key Key, record Record) error {
	record.Version, record.Key = formatVersion, key
	if s.isInMemory(path) {
		return s.writeToMemory(path, record)
	}
	if reflect.DeepEqual(record, Record{Version: formatVersion, Key: key}) {
		return removeFile(path)
	}
	s.hideAll(record)
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if before, err := atomicfile.ReadFile(path); err == nil && bytes.Equal(before, text) {
		return nil
	}
	s.removeLeftovers(path)
	fileowner.RemoveExposed(path)
	return replace(path, text, fileMode)
}

// removeLeftovers removes what a process that was killed while it wrote left beside a
// login. Nobody else writes now, since the caller holds the lock.
func (s *Store) removeLeftovers(path string) {
	leftovers, err := filepath.Glob(filepath.Join(s.directory, "."+filepath.Base(path)+".*"))
	if err != nil {
		return // the name of a hash is never a wrong pattern
	}
	for _, leftover := range leftovers {
		if err := os.Remove(leftover); err != nil {
			s.log.Debug("a file that was left behind stays", "file", leftover, "error", err)
		}
	}
}

// narrow takes away what others may do with a file or folder of logins.
func (s *Store) narrow(path string, mode, wanted fs.FileMode) {
	if runtime.GOOS == "windows" || mode&^wanted == 0 {
		return // on Windows the user's folder says who may read
	}
	if err := os.Chmod(path, wanted); err != nil {
		s.log.Warn("others may read logins, and that cannot be changed", "path", path, "error", err)
		return
	}
	s.log.Warn("others could read logins; now only you can", "path", path, "was", mode.String())
}

// hideAll passes on the secrets of a login.
func (s *Store) hideAll(record Record) {
	for _, secret := range record.secrets() {
		s.hide(secret)
	}
}
