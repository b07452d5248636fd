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

	"mcp-workbench/adapters/system/safefile"
)

const (
	directoryMode fs.FileMode = 0o700
	fileMode      fs.FileMode = 0o600
)

// Store is a folder of logins. Safe for concurrent use, also by several processes.
type Store struct {
	directory string
	log       *slog.Logger
	hide      func(secret string)

	mu sync.Mutex // guards the fields below
	// refreshes counts refreshes in progress; idle is closed when there are none, and nil then.
	refreshes int
	idle      chan struct{}
	// queues has one place for each lock, by path; see queue.
	queues map[string]chan struct{}
	// seen are the files as last read, by path.
	seen map[string]seenFile
	// memory are the logins that cannot be in files, by the paths of those files.
	memory map[string]Record
	// unwritten are the logins that are in memory only until they can be written, by the paths of their locks.
	unwritten map[string]*unwritten
	// leftOut are the ignored files that were logged; see isLeftOut.
	leftOut map[string]bool
}

// seenFile is a file and its content.
type seenFile struct {
	info   fs.FileInfo
	record Record
}

// New returns the store in a folder, which need not exist. It passes every secret to hide before it
// uses it, from several goroutines and possibly repeatedly.
func New(directory string, log *slog.Logger, hide func(secret string)) *Store {
	return &Store{
		directory: directory, log: log, hide: hide, queues: map[string]chan struct{}{},
		seen: map[string]seenFile{}, memory: map[string]Record{},
		unwritten: map[string]*unwritten{}, leftOut: map[string]bool{},
	}
}

// file returns the path of a login.
func (s *Store) file(key Key) string {
	digest := sha256.Sum256([]byte(key.Server + "\x00" + key.ClientID + "\x00" + key.Account))
	return filepath.Join(s.directory, hex.EncodeToString(digest[:16])+".json")
}

// lockOf returns the path of the lock of a file.
func lockOf(file string) string { return strings.TrimSuffix(file, ".json") + ".lock" }

// Read returns the current login, or the zero value with its key if there is none. It reads the file
// only if it has changed.
//
// Failures: *NewerVersionError; *BrokenError; those of the file system.
func (s *Store) Read(key Key) (Record, error) {
	record, err := s.read(s.file(key))
	record.Key = key
	return record, err
}

// read returns the login in a file, the zero value if there is none.
func (s *Store) read(path string) (Record, error) {
	if record, ok := s.remembered(path); ok {
		return record, nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{}, nil
	}
	if err != nil && s.isLeftOut(path) {
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
	// A file that was written between stat and read looks older than it is, and is read again.
	s.seen[path] = seenFile{info: info, record: record}
	return record, nil
}

// load reads a file. It returns the zero value if there is none.
func (s *Store) load(path string) (Record, error) {
	if record, ok := s.remembered(path); ok || s.isLeftOut(path) {
		return record, nil
	}
	if info, err := os.Stat(path); err == nil {
		s.narrow(path, info.Mode().Perm(), fileMode)
	}
	text, err := safefile.ReadFile(path)
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

// parse returns the login in the text of a file.
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
	// The errors of encoding/json for wrong types contain no values.
	if err := json.Unmarshal(text, &record); err != nil {
		return Record{}, &BrokenError{Path: path, Err: err}
	}
	return record, nil
}

// Update changes a login under its lock, and writes it unless change fails or changes nothing. Change
// gets the current login, or the zero value with its key if there is none. Update waits for other
// processes until the context ends. A login with a new access token that cannot be written is kept in
// memory until it can be.
//
// Failures: those of change, unchanged; ErrLocked; those of Read; those of writing.
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
	before := record.AccessToken
	if err := change(&record); err != nil {
		return err
	}
	if err = s.write(path, key, record, safefile.Replace); err != nil && record.AccessToken != before && record.AccessToken != "" {
		record.Version, record.Key = formatVersion, key
		s.keep(path, record, err)
		return nil
	}
	return err
}

// hold acquires the lock of a login, and makes the folder if necessary. A login without a file is kept
// in memory from then on if no file can be written.
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

// holdFile acquires the lock of a file.
func (s *Store) holdFile(ctx context.Context, path string) (release func(), err error) {
	if err := os.MkdirAll(s.directory, directoryMode); err != nil {
		return nil, err
	}
	if info, err := os.Stat(s.directory); err == nil {
		s.narrow(s.directory, info.Mode().Perm(), directoryMode)
	}
	if err := safefile.Check(s.directory); err != nil {
		return nil, err
	}
	release, err = s.lock(ctx, lockOf(path))
	if err == nil {
		s.removeLeftovers(path)
	}
	return release, err
}

// readToChange returns a login that shares nothing with readers.
func (s *Store) readToChange(path string, key Key) (Record, error) {
	record, err := s.load(path)
	record.Key = key
	return record, err
}

// replacement replaces the contents of a login's file.
type replacement func(path string, text []byte, mode fs.FileMode) error

// write replaces a login if it has changed. An empty login has no file. The caller holds the lock.
func (s *Store) write(path string, key Key, record Record, replace replacement) error {
	record.Version, record.Key = formatVersion, key
	if s.isInMemory(path) {
		return s.writeToMemory(path, record)
	}
	return s.writeFile(path, record, replace)
}

// writeFile is write for a login that is not in memory.
func (s *Store) writeFile(path string, record Record, replace replacement) error {
	key := record.Key
	if reflect.DeepEqual(record, Record{Version: formatVersion, Key: key}) {
		return removeFile(path)
	}
	s.hideAll(record)
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if before, err := safefile.ReadFile(path); err == nil && bytes.Equal(before, text) {
		return nil
	}
	safefile.RemoveExposed(path)
	return replace(path, text, fileMode)
}

// removeLeftovers removes the files that a process left beside a login when it was killed during a
// write. The caller holds the lock, so no other process writes now.
func (s *Store) removeLeftovers(path string) {
	leftovers, err := filepath.Glob(filepath.Join(s.directory, "."+filepath.Base(path)+".*"))
	if err != nil {
		return // a hash is always a valid pattern
	}
	for _, leftover := range leftovers {
		if err := os.Remove(leftover); err != nil {
			s.log.Debug("a leftover file cannot be removed", "file", leftover, "error", err)
		}
	}
}

// narrow removes the permissions of other users on a file or folder of logins.
func (s *Store) narrow(path string, mode, wanted fs.FileMode) {
	if runtime.GOOS == "windows" || mode&^wanted == 0 {
		return // on Windows the user's folder decides who can read
	}
	if err := os.Chmod(path, wanted); err != nil {
		s.log.Warn("others can read logins, and that cannot be changed", "path", path, "error", err)
		return
	}
	s.log.Warn("others could read logins; now only you can", "path", path, "was", mode.String())
}

// hideAll passes the secrets of a login to hide.
func (s *Store) hideAll(record Record) {
	for _, secret := range record.secrets() {
		s.hide(secret)
	}
}
