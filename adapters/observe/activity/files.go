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

// files are the files of a record. Calls of write and close must not overlap.
type files struct {
	folder   func() (string, error)
	maxSize  int64
	days     int
	lockWait time.Duration
	newest   *newest // nil while it is closed
}

// write appends whole lines to the newest file, begins another file when that one is full or old, and removes
// old files. A failure leaves no torn line, if the file can be truncated. The tools replace the kept tools of
// their servers.
func (f *files) write(lines []byte, tools []serverTools) error {
	folder, err := f.folder()
	if err != nil {
		return err
	}
	now := time.Now()
	if len(tools) == 0 && f.newest.isFresh(folder, now) {
		if done, err := f.writeAgain(lines); done {
			return err
		}
	}
	_ = f.close() // each write was checked
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return fmt.Errorf("make the folder of the record: %w", err)
	}
	if err := check(folder); err != nil {
		return err
	}
	lock := safefile.NewLock(filepath.Join(folder, lockName))
	err = f.acquire(lock, folder)
	if err == nil && len(tools) > 0 {
		err = f.keepTools(folder, tools, now)
	}
	if err == nil && len(lines) > 0 {
		f.newest, err = f.open(lock, folder, int64(len(lines)), now)
	}
	if f.newest == nil {
		_ = lock.Unlock() // it is never written
		return err
	}
	return f.append(lines)
}

// writeAgain appends lines to the open newest file. If the file is no longer the newest one or has no room, it
// writes nothing and reports false.
func (f *files) writeAgain(lines []byte) (done bool, err error) {
	err = f.acquire(f.newest.lock, f.newest.folder)
	if errors.Is(err, fs.ErrNotExist) { // the folder was removed
		return false, nil
	}
	if err != nil {
		return true, err
	}
	if !f.newest.takes(int64(len(lines))) {
		return false, nil
	}
	return true, f.append(lines)
}

// open opens the file to which lines of a size are appended. The caller has acquired the lock.
func (f *files) open(lock *safefile.Lock, folder string, size int64, now time.Time) (*newest, error) {
	segments, err := list(folder)
	if err != nil {
		return nil, err
	}
	segment, err := f.makeRoom(folder, segments, size, now)
	if err != nil {
		return nil, fmt.Errorf("make room in the record in %s: %w", folder, err)
	}
	newest, err := openNewest(folder, segment, now)
	if err != nil {
		return nil, err
	}
	newest.lock, newest.maxSize = lock, f.maxSize/parts
	return newest, nil
}

// append appends lines to the newest file and releases the lock. After many lines, the file stays open.
func (f *files) append(lines []byte) error {
	if err := f.newest.append(lines); err != nil || len(lines) < keepOpenSize || !staysOpen {
		return errors.Join(err, f.close())
	}
	return f.newest.lock.Unlock()
}

// close closes the newest file, if it is open, and releases the lock.
func (f *files) close() error {
	if f.newest == nil {
		return nil
	}
	err := f.newest.file.Close()
	_ = f.newest.lock.Unlock() // it is never written
	f.newest = nil
	return err
}

// acquire locks the record, and waits for lockWait at most.
func (f *files) acquire(lock *safefile.Lock, folder string) error {
	waiting, stop := context.WithTimeoutCause(context.Background(), f.lockWait, errLocked)
	defer stop()
	if err := lock.Lock(waiting); err != nil {
		return fmt.Errorf("lock the record in %s: %w", folder, err)
	}
	return nil
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

// makeRoom removes old files and returns the file to which lines of a size are appended. Afterwards the record
// has room for the largest size of that file, so that later lines need not examine the other files.
func (f *files) makeRoom(folder string, segments []segment, size int64, now time.Time) (segment, error) {
	newest := segment{begun: day(now)}
	if len(segments) > 0 {
		newest = segments[len(segments)-1]
	}
	if newest.number == 0 || newest.size > 0 && newest.size+size > f.maxSize/parts || newest.isOlder(now, max(f.days/parts, 1)) {
		newest = segment{number: newest.number + 1, begun: day(now)}
	}
	total := max(size, f.maxSize/parts-newest.size) + sizeOfTools(folder)
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
