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

// Reader reads the record, also while others write it. It skips lines that are not entries. Safe for concurrent use.
type Reader struct{ folder func() (string, error) }

// NewReader returns a reader of the record in the folder that the function returns. The folder need not exist.
func NewReader(folder func() (string, error)) *Reader { return &Reader{folder: folder} }

// Position is a position between two entries. The zero value is before the first one.
type Position struct {
	Segment int64 `json:"segment"`
	Offset  int64 `json:"offset"`
}

// Entries returns the entries since a time in the order in which they were written. It keeps one entry in
// memory at a time. If the record cannot be read, it ends with an error: safefile.ExposedError if others can
// change the folder, or one of the file system. A record that does not exist has no entries.
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

// Recent returns the last entries for which wanted returns true, oldest first, count at most, and the position
// behind the record's last entry, from which After continues.
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

// Since returns a position before all entries since a time. Few older entries are behind it.
//
// Failures: those of Entries.
func (r *Reader) Since(since time.Time) (Position, error) {
	_, segments, err := r.list()
	if err != nil {
		return Position{}, err
	}
	var position Position
	for _, s := range segments {
		if s.written.Before(since) {
			position = Position{Segment: s.number, Offset: s.size}
			continue
		}
		break
	}
	return position, nil
}

// After returns the entries behind a position, count at most, and the position behind them, which is unchanged
// if there are no new entries. Entries that were removed meanwhile are skipped.
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

// scan calls each with the entries of a segment behind an offset until each returns false, and returns the
// offset behind the last whole line. A segment that was removed meanwhile has no entries.
func scan(folder string, s segment, offset int64, each func(Entry) bool) (end int64, err error) {
	file, err := os.Open(filepath.Join(folder, s.name()))
	if errors.Is(err, fs.ErrNotExist) {
		return offset, nil
	}
	if err != nil {
		return offset, err
	}
	defer func() { _ = file.Close() }() // it was only read
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
	next int // the index of the oldest entry, which the next one replaces once the ring is full
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
