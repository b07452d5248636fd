package activity

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Reader reads the record, while others write it. Lines that are not entries are skipped. Safe for concurrent use.
type Reader struct{ folder func() (string, error) }

// NewReader returns a reader of the record in the folder that the function returns, which need not exist.
func NewReader(folder func() (string, error)) *Reader { return &Reader{folder: folder} }

// Position is a place between two entries. The zero value is before the first one.
type Position struct {
	Segment int64 `json:"segment"`
	Offset  int64 `json:"offset"`
}

// Entries returns the entries since a time in the order in which they were written. It holds one at a time.
// It ends with an error if the record cannot be read: fileowner.ExposedError if others can change it, and
// those of the file system. A record that does not exist has no entries.
func (r *Reader) Entries(since time.Time) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		folder, segments, err := r.list()
		if err != nil {
			yield(Entry{}, err)
			return
		}
		for _, s := range segments {
			if s.written.Before(since) {
				continue
			}
			goes := true
			_, err := scan(folder, s, 0, func(entry Entry) bool {
				if !entry.Time.Before(since) {
					goes = yield(entry, nil)
				}
				return goes
			})
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if !goes {
				return
			}
		}
	}
}

// Recent returns the last entries that are wanted, oldest first, count at most, and the position behind
// them, from which After goes on.
//
// Failures: those of Entries.
func (r *Reader) Recent(count int, wanted func(Entry) bool) ([]Entry, Position, error) {
	folder, segments, err := r.list()
	if err != nil {
		return nil, Position{}, err
	}
	var found []Entry
	var end Position
	for i, s := range slices.Backward(segments) {
		if len(found) >= count && i < len(segments)-1 {
			break
		}
		last := ring{size: count - len(found)}
		offset, err := scan(folder, s, 0, func(entry Entry) bool {
			if wanted(entry) {
				last.add(entry)
			}
			return true
		})
		if err != nil {
			return nil, Position{}, err
		}
		if end.Segment == 0 {
			end = Position{Segment: s.number, Offset: offset}
		}
		found = append(last.entries(), found...)
	}
	return found, end, nil
}

// After returns the entries behind a position, count at most, and the position behind them. Without new
// entries the position stays. Entries that were removed meanwhile are skipped.
//
// Failures: those of Entries.
func (r *Reader) After(position Position, count int) ([]Entry, Position, error) {
	folder, segments, err := r.list()
	if err != nil {
		return nil, position, err
	}
	var found []Entry
	for _, s := range segments {
		if s.number < position.Segment || len(found) >= count {
			continue
		}
		from := int64(0)
		if s.number == position.Segment {
			from = position.Offset
		}
		if from > s.size {
			from = 0 // its content was removed
		}
		offset, err := scan(folder, s, from, func(entry Entry) bool {
			found = append(found, entry)
			return len(found) < count
		})
		if err != nil {
			return nil, position, err
		}
		position = Position{Segment: s.number, Offset: offset}
	}
	return found, position, nil
}

// list returns the folder and its segments.
func (r *Reader) list() (folder string, segments []segment, err error) {
	if folder, err = r.folder(); err != nil {
		return "", nil, err
	}
	if err = check(folder); err == nil {
		segments, err = list(folder)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return folder, segments, err
}

// scan calls each with the entries of a segment behind an offset until it returns false, and returns the
// offset behind the last whole line. A segment that was removed meanwhile has none.
func scan(folder string, s segment, offset int64, each func(Entry) bool) (end int64, err error) {
	file, err := os.Open(filepath.Join(folder, s.name()))
	if errors.Is(err, fs.ErrNotExist) {
		return offset, nil
	}
	if err != nil {
		return offset, err
	}
	defer func() { _ = file.Close() }() // it was only read from
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return offset, err
	}
	lines, skipping := bufio.NewReaderSize(file, maxLine), false
	next := offset
	for {
		line, err := lines.ReadSlice('\n')
		next += int64(len(line))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			skipping = true
			continue
		case errors.Is(err, io.EOF):
			return offset, nil
		case err != nil:
			return offset, err
		}
		offset = next
		if entry, ok := parse(line); ok && !skipping && !each(entry) {
			return offset, nil
		}
		skipping = false
	}
}

// ring keeps the last entries.
type ring struct {
	size int
	kept []Entry
	next int // where the next one goes once it is full
}

func (r *ring) add(entry Entry) {
	switch {
	case r.size == 0:
	case len(r.kept) < r.size:
		r.kept = append(r.kept, entry)
	default:
		r.kept[r.next] = entry
		r.next = (r.next + 1) % r.size
	}
}

// entries returns the entries, oldest first.
func (r *ring) entries() []Entry { return slices.Concat(r.kept[r.next:], r.kept[:r.next]) }
