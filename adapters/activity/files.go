package activity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"mcp-workbench/adapters/system/filelock"
	"mcp-workbench/adapters/system/fileowner"
)

const (
	fileMode   = 0o600
	folderMode = 0o700
	lockName   = "lock"
	// lockWait is how long the lock is waited for, which others hold for milliseconds.
	lockWait = time.Second
	// parts is how many files of the same size fill the record.
	parts = 8
)

var (
	errLocked = errors.New("another program has held the lock on it for too long")
	errNoRoom = errors.New("it is full, and its oldest file cannot be removed")
)

// files are the files of a record. Use append one at a time.
type files struct {
	folder  func() (string, error)
	maxSize int64
	days    int
}

// write appends whole lines to the newest file. It begins another one and removes old ones when that is
// due. A failure leaves no part of a line behind, if the system allows. Tools replace what is known of the
// tools of their servers.
func (f files) write(lines []byte, tools []serverTools) error {
	folder, err := f.folder()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return fmt.Errorf("make the folder of the record: %w", err)
	}
	if err := check(folder); err != nil {
		return err
	}
	waiting, stop := context.WithTimeoutCause(context.Background(), lockWait, errLocked)
	defer stop()
	release, err := filelock.Acquire(waiting, filepath.Join(folder, lockName))
	if err != nil {
		return fmt.Errorf("lock the record in %s: %w", folder, err)
	}
	defer release()
	now := time.Now()
	if len(tools) > 0 {
		if err := f.keepTools(folder, tools, now); err != nil {
			return err
		}
	}
	if len(lines) == 0 {
		return nil
	}
	segments, err := list(folder)
	if err != nil {
		return err
	}
	newest, err := f.makeRoom(folder, segments, int64(len(lines)), now)
	if err != nil {
		return fmt.Errorf("make room in the record in %s: %w", folder, err)
	}
	return appendTo(filepath.Join(folder, newest.name()), lines)
}

// check returns an error unless the folder is one that only the user can change.
func check(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return fmt.Errorf("look at the folder of the record: %w", err)
	case !info.IsDir():
		return fmt.Errorf("the record is not used, because %s is not a folder but a link or a file", folder)
	}
	return fileowner.Check(folder)
}

// makeRoom removes old files, so that there is room for the size, and returns the file to append to.
func (f files) makeRoom(folder string, segments []segment, size int64, now time.Time) (segment, error) {
	newest := segment{begun: day(now)}
	if len(segments) > 0 {
		newest = segments[len(segments)-1]
	}
	if newest.number == 0 || newest.size > 0 && newest.size+size > f.maxSize/parts || newest.isOlder(now, max(f.days/parts, 1)) {
		newest = segment{number: newest.number + 1, begun: day(now)}
	}
	total := size + sizeOfTools(folder)
	for _, s := range segments {
		total += s.size
	}
	for _, s := range segments {
		if total <= f.maxSize && now.Sub(s.written) <= time.Duration(f.days)*hoursOfDay {
			continue
		}
		if s.number == newest.number {
			newest = segment{number: s.number + 1, begun: day(now)}
		}
		if s.remove(folder) == nil {
			total -= s.size
		}
	}
	if total > f.maxSize {
		return segment{}, errNoRoom
	}
	return newest, nil
}

const hoursOfDay = 24 * time.Hour

// appendTo appends lines to a file, which it creates. A torn line at its end, of a program that was killed
// or a disk that was full, is ended.
func appendTo(path string, lines []byte) (err error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is not a regular file")}
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	var last [1]byte
	if size > 0 {
		if _, err := file.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if _, err := file.Write(lines); err != nil {
		_ = file.Truncate(size) // otherwise the next writer ends the torn line
		return err
	}
	return nil
}
