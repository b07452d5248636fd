package activity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

const (
	fileMode   = 0o600
	folderMode = 0o700
	lockName   = "lock"
	// lockWait is the time limit for acquiring the lock. Other programs hold it for milliseconds.
	lockWait = time.Second
	// parts is the number of files, of equal size, that fill the record.
	parts = 8
)

var (
	errLocked = errors.New("another program has held the lock on it for too long")
	errNoRoom = errors.New("it is full, and its oldest file cannot be removed")
)

// files are the files of a record.
type files struct {
	folder   func() (string, error)
	maxSize  int64
	days     int
	lockWait time.Duration
}

// write appends whole lines to the newest file, begins another file when that one is full or old, and removes
// old files. A failure leaves no torn line, if the file can be truncated. The tools replace the kept tools of
// their servers.
func (f *files) write(lines []byte, tools []serverTools) error {
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
	waiting, stop := context.WithTimeoutCause(context.Background(), f.lockWait, errLocked)
	defer stop()
	release, err := safefile.AcquireLock(waiting, filepath.Join(folder, lockName))
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
	return f.append(folder, lines, now)
}

// check returns an error unless the path is a folder that only the user can change.
func check(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return fmt.Errorf("examine the folder of the record: %w", err)
	case !info.IsDir():
		return fmt.Errorf("the record is not used, because %s is not a folder but a link or a file", folder)
	}
	return safefile.Check(folder)
}

// append appends lines to the newest segment, or to a new one if that is full or old.
func (f *files) append(folder string, lines []byte, now time.Time) error {
	segments, err := list(folder)
	if err != nil {
		return err
	}
	newest := segment{begun: day(now)}
	if len(segments) > 0 {
		newest = segments[len(segments)-1]
	}
	size := int64(len(lines))
	if newest.number == 0 || newest.size > 0 && newest.size+size > f.maxSize/parts || newest.isOlder(now, max(f.days/parts, 1)) {
		newest = segment{number: newest.number + 1, begun: day(now)}
	}
	last, err := f.makeRoom(folder, segments, size, now)
	if err != nil {
		return fmt.Errorf("make room in the record in %s: %w", folder, err)
	}
	if newest.number == last {
		newest = segment{number: last + 1, begun: day(now)}
	}
	return newest.append(folder, lines)
}

// makeRoom removes the oldest segments until the record has room for a number of bytes, and those that are too old. It
// returns the number of the last one that it removed, 0 for none.
func (f *files) makeRoom(folder string, segments []segment, size int64, now time.Time) (last int64, err error) {
	total := size + sizeOfTools(folder)
	for _, s := range segments {
		total += s.size
	}
	for _, s := range segments {
		if total <= f.maxSize && now.Sub(s.written) <= time.Duration(f.days)*hoursOfDay {
			continue
		}
		last = s.number
		if s.remove(folder) == nil {
			total -= s.size
		}
	}
	if total > f.maxSize {
		return last, errNoRoom
	}
	return last, nil
}

const hoursOfDay = 24 * time.Hour

// append appends lines to the segment, and creates it if necessary. If it ends with a torn line, because a program was
// killed or the disk was full, it ends that line first.
func (s segment) append(folder string, lines []byte) error {
	path := filepath.Join(folder, s.name())
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is not a regular file")}
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Size() > 0 {
		var end [1]byte
		if _, err = file.ReadAt(end[:], info.Size()-1); end[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if err == nil {
		if _, err = file.Write(lines); err != nil {
			_ = file.Truncate(info.Size()) // if that fails, the next writer ends the torn line
		}
	}
	return errors.Join(err, file.Close())
}
