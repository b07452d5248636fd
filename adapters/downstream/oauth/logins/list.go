package logins

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// List returns all logins that can be read, sorted by server and account. The error names those that
// cannot.
//
// Failures: *NewerVersionError; *BrokenError; those of the file system.
func (s *Store) List() ([]Record, error) {
	paths, err := filepath.Glob(filepath.Join(s.directory, "*.json"))
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		s.isLeftOut(s.directory) // nothing is found in a folder that cannot be read
	}
	var records []Record
	var failures []error
	for _, path := range paths {
		record, err := s.read(path)
		switch {
		case err != nil:
			failures = append(failures, err)
		case record.Version != 0: // otherwise it was removed meanwhile
			records = append(records, record)
		}
	}
	slices.SortFunc(records, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Key.Server, b.Key.Server), cmp.Compare(a.Key.Account, b.Key.Account), cmp.Compare(a.Key.ClientID, b.Key.ClientID))
	})
	return records, errors.Join(failures...)
}

// Remove removes a login and returns it, or the zero value with its key if there was none. It also
// removes a file that is not a login, but not one of a newer version.
//
// Failures: ErrLocked; *NewerVersionError; those of the file system.
func (s *Store) Remove(ctx context.Context, key Key) (Record, error) {
	path, release, err := s.hold(ctx, key)
	if err != nil {
		return Record{Key: key}, err
	}
	defer release()
	record, err := s.readToChange(path, key)
	if _, broken := errors.AsType[*BrokenError](err); err != nil && !broken {
		return record, err
	}
	if s.isInMemory(path) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.memory[path] = Record{}
		return record, nil
	}
	return record, removeFile(path)
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
