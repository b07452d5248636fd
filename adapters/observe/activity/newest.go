package activity

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

const (
	// staysOpen reports whether the newest file may stay open. On Windows, other programs could not remove it.
	staysOpen = runtime.GOOS != "windows"
	// keepOpenSize is the size in bytes of the smallest write after which the newest file stays open, since more
	// lines are likely to follow. A program with few calls keeps no file open.
	keepOpenSize = 16 << 10
	// maxLookAge is the time after which the whole folder is examined again, while a file is open.
	maxLookAge = time.Second
)

// newest is the open newest file of a record, with the open lock on the record.
type newest struct {
	file    *os.File
	info    fs.FileInfo // of the open file, to recognize it
	folder  string
	path    string
	next    string // the path of the file that another program begins next
	maxSize int64
	looked  time.Time // when the folder was examined
	size    int64     // the present size of the file
	whole   int64     // the size up to which the file consists of whole lines
	lock    *safefile.Lock
}

// openNewest opens a file for appending, and creates it if necessary. The caller has just examined the folder.
func openNewest(folder string, s segment, now time.Time) (*newest, error) {
	path := filepath.Join(folder, s.name())
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("it is not a regular file")}
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	next := segment{number: s.number + 1, begun: day(now)}
	return &newest{
		file: file, info: info, folder: folder, path: path, next: filepath.Join(folder, next.name()), looked: now, size: info.Size(),
	}, nil
}

// isFresh reports whether the file is open and the folder was examined a moment ago.
func (n *newest) isFresh(folder string, now time.Time) bool {
	if n == nil || folder != n.folder {
		return false
	}
	age := now.Sub(n.looked)
	return age >= 0 && age < maxLookAge
}

// takes reports whether the file is still the newest one and has room for size more bytes. Other programs may have
// begun or removed files.
func (n *newest) takes(size int64) bool {
	info, err := os.Lstat(n.path)
	if err != nil || !os.SameFile(info, n.info) || info.Size()+size > n.maxSize {
		return false
	}
	n.size = info.Size()
	_, err = os.Lstat(n.next)
	return errors.Is(err, fs.ErrNotExist)
}

// append appends lines. If the file ends with a torn line, because a program was killed or the disk was full,
// it ends that line first.
func (n *newest) append(lines []byte) error {
	if n.size > 0 && n.size != n.whole {
		var last [1]byte
		if _, err := n.file.ReadAt(last[:], n.size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if _, err := n.file.Write(lines); err != nil {
		_ = n.file.Truncate(n.size) // if that fails, the next writer ends the torn line
		return err
	}
	n.size += int64(len(lines))
	n.whole = n.size
	return nil
}
