package logins

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

const (
	// roomSize is the room in bytes that is taken on the disk, beyond the size of a login, before a refresh token is
	// sent: few tokens are longer.
	roomSize = 16 << 10
	// writePause is the time between two attempts to write a login.
	writePause = 5 * time.Second
)

// unwritten is a login whose tokens arrived and could not be written. It is kept in memory. The lock of its file stays
// acquired, since other processes would send the refresh token in the file, which may be used up.
type unwritten struct {
	key    Key
	unlock func() // releases the lock of the file; nil until the caller that could not write it is done
}

// takeRoom takes room for a longer text of a login's file, and returns what replaces the file in that room. It takes
// none for a login in memory.
func (s *Store) takeRoom(path string) (replace replacement, release func(), err error) {
	if s.isInMemory(path) {
		return safefile.Replace, func() {}, nil
	}
	size := roomSize
	if info, err := os.Stat(path); err == nil {
		size += int(info.Size())
	}
	room, err := safefile.Reserve(path, size)
	if err != nil {
		return nil, nil, err
	}
	return func(_ string, text []byte, mode fs.FileMode) error { return room.Replace(text, mode) }, room.Release, nil
}

// keep keeps a login that could not be written, and writes it as soon as possible. The caller holds the lock.
func (s *Store) keep(path string, record Record, why error) {
	s.log.Error("a login cannot be stored, so it is kept in memory until it can be", "file", path, "error", why)
	s.mu.Lock()
	s.unwritten[lockOf(path)] = &unwritten{key: record.Key}
	s.mu.Unlock()
	_ = s.writeToMemory(path, record) // it was read or received, so it can be encoded
	time.AfterFunc(writePause, func() { s.writeKept(context.Background(), path) })
}

// checkKept returns an error for a login that waits to be written.
func (s *Store) checkKept(path string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unwritten[lockOf(path)] != nil {
		return errors.New("it is only in memory, since its file could not be written")
	}
	return nil
}

// keepsLock keeps the lock of a login that could not be written, and reports whether it does.
func (s *Store) keepsLock(path string, unlock func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.unwritten[path]
	if kept == nil {
		return false
	}
	kept.unlock = unlock
	return true
}

// writeKept writes a login that is kept in memory. If it fails, it is tried again after writePause.
func (s *Store) writeKept(ctx context.Context, path string) {
	leave, err := s.wait(ctx, lockOf(path))
	if err != nil {
		return
	}
	defer leave()
	s.mu.Lock()
	kept, record := s.unwritten[lockOf(path)], s.memory[path]
	s.mu.Unlock()
	if kept == nil {
		return // another caller wrote it
	}
	record.Version, record.Key = formatVersion, kept.key
	if err := s.writeFile(path, record, safefile.Replace); err != nil {
		time.AfterFunc(writePause, func() { s.writeKept(context.Background(), path) })
		return
	}
	s.mu.Lock()
	delete(s.memory, path)
	delete(s.unwritten, lockOf(path))
	s.mu.Unlock()
	kept.unlock()
	s.log.Info("stored a login that was kept in memory", "file", path)
}

// writeAllKept tries once more to write the logins that are kept in memory.
func (s *Store) writeAllKept(ctx context.Context) {
	s.mu.Lock()
	var paths []string
	for path := range s.memory {
		if s.unwritten[lockOf(path)] != nil {
			paths = append(paths, path)
		}
	}
	s.mu.Unlock()
	for _, path := range paths {
		s.writeKept(ctx, path)
	}
}
