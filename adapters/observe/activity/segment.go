package activity

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	prefix  = "activity-"
	suffix  = ".jsonl"
	dayForm = "2006-01-02"
	// maxDigits keeps numbers within an int64.
	maxDigits = 18
)

// segment is one file of a record.
type segment struct {
	number int64  // from 1
	begun  string // the day on which it was begun, shown to users and used for its age
	size   int64
	// written is the time of the last write.
	written time.Time
}

func (s segment) name() string { return fmt.Sprintf("%s%08d-%s%s", prefix, s.number, s.begun, suffix) }

// isOlder reports whether a segment was begun more than this number of days ago. A date in the future was not.
func (s segment) isOlder(now time.Time, days int) bool {
	begun, err := time.Parse(dayForm, s.begun)
	return err == nil && now.Sub(begun) > time.Duration(days+1)*hoursOfDay
}

// remove removes the file. If the system does not allow that while it is being read, it empties the file.
func (s segment) remove(folder string) error {
	path := filepath.Join(folder, s.name())
	if os.Remove(path) == nil {
		return nil
	}
	return os.Truncate(path, 0)
}

func day(t time.Time) string { return t.UTC().Format(dayForm) }

// parseName parses the name of a segment. It reports false for other names.
func parseName(name string) (s segment, ok bool) {
	middle, isOwn := strings.CutPrefix(name, prefix)
	middle, hasSuffix := strings.CutSuffix(middle, suffix)
	digits, begun, hasDay := strings.Cut(middle, "-")
	number, err := strconv.ParseInt(digits, 10, 64)
	if !isOwn || !hasSuffix || !hasDay || err != nil || number < 1 || len(digits) > maxDigits {
		return segment{}, false
	}
	if _, err := time.Parse(dayForm, begun); err != nil {
		return segment{}, false
	}
	s = segment{number: number, begun: begun}
	return s, s.name() == name
}

// list returns the segments in a folder, oldest first.
func list(folder string) ([]segment, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var segments []segment
	for _, entry := range entries {
		s, ok := parseName(entry.Name())
		if !ok || !entry.Type().IsRegular() {
			continue
		}
		if info, err := entry.Info(); err == nil { // it may have been removed meanwhile
			s.size, s.written = info.Size(), info.ModTime()
			segments = append(segments, s)
		}
	}
	slices.SortFunc(segments, func(a, b segment) int { return cmp.Compare(a.number, b.number) })
	return segments, nil
}
