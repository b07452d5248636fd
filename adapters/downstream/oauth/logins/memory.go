package logins

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"mcp-workbench/adapters/system/safefile"
)

// Ready returns an error if a login cannot be kept in its file, or waits to be written there.
//
// Failures: ErrLocked; those of the file system.
func (s *Store) Ready(ctx context.Context, key Key) error {
	path := s.file(key)
	if err := s.checkKept(path); err != nil {
		return err
	}
	unlock, err := s.holdFile(ctx, path)
	if err != nil {
		return err
	}
	defer unlock()
	_, release, err := s.takeRoom(path)
	if err == nil {
		release()
	}
	return err
}

// remember keeps the login of a file in memory from now on, and logs the reason once. It returns false
// for a login that has a file: a process that cannot write the next refresh token must not use up the
// last.
func (s *Store) remember(path string, why error) bool {
	if _, err := os.Stat(path); err == nil && safefile.Check(path) == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.memory) == 0 {
		s.log.Error("logins cannot be stored, so they last until this program ends", "folder", s.directory, "error", why)
	}
	if _, ok := s.memory[path]; !ok {
		s.memory[path] = Record{}
	}
	return true
}

// remembered returns the login that is kept in memory instead of a file.
func (s *Store) remembered(path string) (Record, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	record, ok := s.memory[path]
	return record, ok
}

func (s *Store) isInMemory(path string) bool {
	_, ok := s.remembered(path)
	return ok
}

// writeToMemory stores a copy of a login in memory, since callers may change theirs.
func (s *Store) writeToMemory(path string, record Record) error {
	s.hideAll(record)
	text, err := json.Marshal(record)
	if err != nil {
		return err
	}
	record, err = parse(path, text)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.memory[path] = record
	return nil
}

// isLeftOut reports whether a file or folder is ignored because other users can change it. It logs that once, as an
// error, since commands show nothing less.
func (s *Store) isLeftOut(path string) bool {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return false // one that cannot be examined may be in a folder of another user
	}
	exposed := safefile.Check(path)
	if exposed == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.leftOut[path] {
		s.leftOut[path] = true
		s.log.Error("a login is left out", "file", path, "error", exposed)
	}
	return true
}
