package activity

import (
	"bufio"
	"context"
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

// batch is the number of entries that are read together.
const batch = 1000

// Entries returns the entries since a time in the order in which they were written. It keeps a thousand entries in
// memory at a time. If the record cannot be read, it ends with an error: safefile.ExposedError if others can
// change the folder, or one of the file system. A record that does not exist has no entries.
func (r *Reader) Entries(since time.Time) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		position, err := r.Since(since)
		for isLast := false; err == nil && !isLast; {
			var entries []Entry
			entries, position, err = r.After(position, batch)
			for _, entry := range entries {
				if !entry.Time.Before(since) && !yield(entry, nil) {
					return
				}
			}
			isLast = len(entries) < batch
		}
		if err != nil {
			yield(Entry{}, err)
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
		var last []Entry
		missing := count - len(found)
		offset, err := scan(folder, s, 0, func(entry Entry) bool {
			if wanted(entry) {
				last = append(last, entry)
			}
			if len(last) > 2*missing {
				last = slices.Delete(last, 0, len(last)-missing)
			}
			return true
		})
		if err != nil {
			return nil, Position{}, err
		}
		if end.Segment == 0 {
			end = Position{Segment: s.number, Offset: offset}
		}
		found = append(last[max(len(last)-missing, 0):], found...)
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

// followPause is the time between two reads of a record that is followed.
const followPause = 250 * time.Millisecond

// Follow passes the entries behind a position to each, a thousand at most at a time. When there are no more, it calls
// waits: if that returns true, Follow waits for new ones until the context ends.
//
// Failures: those of Entries and of each.
func (r *Reader) Follow(ctx context.Context, from Position, each func([]Entry) error, waits func() bool) error {
	ticker := time.NewTicker(followPause)
	defer ticker.Stop()
	for {
		entries, next, err := r.After(from, batch)
		if err == nil {
			err = each(entries)
		}
		if err != nil {
			return err
		}
		from = next
		if len(entries) == batch && ctx.Err() == nil {
			continue
		}
		if !waits() {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
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
