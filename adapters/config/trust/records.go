package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcp-workbench/adapters/system/safefile"
)

// Why a file is not trusted.
var (
	// ErrUnknown means that the user does not trust a file at this path.
	ErrUnknown = errors.New("it is not trusted")
	// ErrChanged means that the user trusted other bytes at this path.
	ErrChanged = errors.New("it changed since it was trusted")
	// ErrLockChanged means that the user trusted the file beside another lock.
	ErrLockChanged = errors.New("the lock beside it changed since it was trusted")
)

// A Record is a file that the user trusts.
type Record struct {
	Path string `json:"path"`
	// SHA256 is the digest of its bytes in hexadecimal.
	SHA256 string `json:"sha256"`
	// Lock is the digest of the lock beside the file, "" for none. The lock decides which packages
	// run.
	Lock string `json:"lock,omitempty"`
	// Values are the digests of the values from other files that decide what runs, by the names of their variables.
	Values map[string]string `json:"values,omitempty"`
	// Said is the content of the file and of the lock, without secrets.
	Said Said `json:"said,omitzero"`
	// Shown are the lines of the review of a plugin, so that a later review shows what is different. They have no secrets.
	Shown []string `json:"shown,omitempty"`
	// Time is when the user decided to trust the file.
	Time time.Time `json:"time"`
}

// Said is the content of a file at the time when the user trusted it. A later review compares protections with it.
type Said struct {
	// File is the text with its secrets masked, and Lock names what the lock beside it holds.
	File string   `json:"file,omitempty"`
	Lock []string `json:"lock,omitempty"`
}

// Records are the records of one user. Safe for concurrent use, also by several processes.
type Records struct {
	find func() (folder string, err error)
}

// New returns the records in the folder that find returns, which need not exist. It reads and writes
// nothing.
func New(find func() (folder string, err error)) *Records { return &Records{find: find} }

const (
	suffix = ".json"
	// maxSize is the largest record in bytes.
	maxSize = 4 << 20
)

// Check returns an error unless the user trusts these bytes at this path beside this lock, nil for none.
//
// Failures: ErrUnknown; ErrChanged; ErrLockChanged; a record that cannot be read, or that others could
// have written.
func (r *Records) Check(path string, text, lock []byte) error {
	record, err := r.record(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrUnknown
	case err != nil:
		return err
	case record.SHA256 != safefile.Digest(text):
		return ErrChanged
	case record.Lock != lockDigest(lock):
		return ErrLockChanged
	}
	return nil
}

// Add records that the user trusts these bytes at this path beside this lock, nil for none. It replaces
// an earlier record of the path, but keeps its values from other files.
//
// Failures: a folder that cannot be written, or that others can write.
func (r *Records) Add(path string, text, lock []byte, said Said) error {
	before, _ := r.record(path) // the zero value if none counts
	return r.add(path, text, lock, before.Values, said)
}

// AddWith is Add with the values of variables from other files, by their names, in place of those before.
func (r *Records) AddWith(path string, text, lock []byte, values map[string]string, said Said) error {
	digests := make(map[string]string, len(values))
	for variable, value := range values {
		digests[variable] = valueDigest(path, variable, value)
	}
	return r.add(path, text, lock, digests, said)
}

// AddPlugin is Add for the manifest of a plugin, with the lines of its review. Very long reviews are not kept.
func (r *Records) AddPlugin(path string, seen, lock []byte, shown []string) error {
	if len(strings.Join(shown, "")) > maxSize/2 {
		shown = nil
	}
	return r.put(newRecord(path, seen, lock, nil, shown))
}

// ShownOf returns the lines of the review after which the user trusted a plugin, none if they are not known.
func (r *Records) ShownOf(path string) []string {
	record, _ := r.record(path) // the zero value if none counts
	return record.Shown
}

func newRecord(path string, text, lock []byte, values map[string]string, shown []string) Record {
	return Record{
		Path: path, SHA256: safefile.Digest(text), Lock: lockDigest(lock), Values: values, Shown: shown, Time: time.Now().UTC().Truncate(time.Second),
	}
}

// add puts a record. A very long text is not kept.
func (r *Records) add(path string, text, lock []byte, values map[string]string, said Said) error {
	if len(said.File)+len(strings.Join(said.Lock, "")) > maxSize/4 {
		said = Said{}
	}
	record := newRecord(path, text, lock, values, nil)
	record.Said = said
	return r.put(record)
}

// SaidAt returns what a file said when the user trusted it, the zero value if that is not known.
func (r *Records) SaidAt(path string) Said {
	record, _ := r.record(path) // the zero value if none counts
	return record.Said
}

// HasValue returns a function that reports whether the user trusts a value of a variable in the record of a path.
// Without a record they trust none.
func (r *Records) HasValue(path string) func(variable, value string) bool {
	record, _ := r.record(path) // the zero value if none counts
	return func(variable, value string) bool {
		return record.Values[variable] == valueDigest(path, variable, value)
	}
}

// RenewLock replaces the lock in the record of a path, if the record has the lock before. Holds names what it holds.
//
// Failures: those of Add.
func (r *Records) RenewLock(path string, before, after []byte, holds []string) error {
	record, _ := r.record(path) // the zero value if none counts
	if record.SHA256 == "" || record.Lock != lockDigest(before) || record.Lock == lockDigest(after) {
		return nil
	}
	record.Path, record.Lock, record.Said.Lock = path, lockDigest(after), holds
	return r.put(record)
}

func (r *Records) record(path string) (Record, error) {
	place, err := r.Place(path)
	if err != nil {
		return Record{}, err
	}
	return read(place)
}

func (r *Records) put(record Record) error {
	place, err := r.Place(record.Path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(place)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the folder of trust records: %w", err)
	}
	if err := refuseExposed(folder); err != nil {
		return err
	}
	line, err := json.Marshal(record)
	if err != nil {
		return fmt.Errorf("encode the trust record: %w", err)
	}
	if err := safefile.Replace(place, append(line, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the trust record: %w", err)
	}
	return nil
}

// Remove removes the record of a path, and reports whether there was one.
func (r *Records) Remove(path string) (removed bool, err error) {
	place, err := r.Place(path)
	if err != nil {
		return false, err
	}
	err = os.Remove(place)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("remove the trust record: %w", err)
	}
	return err == nil, nil
}

// List returns the records that count, sorted by path, and the errors of the others, joined.
func (r *Records) List() ([]Record, error) {
	folder, err := r.find()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the trust records: %w", err)
	}
	var records []Record
	var failures []error
	for _, entry := range entries {
		if !isOwnName(entry.Name()) {
			continue // such as a file that a killed process left
		}
		record, err := read(filepath.Join(folder, entry.Name()))
		if err != nil {
			failures = append(failures, err)
			continue
		}
		records = append(records, record)
	}
	slices.SortFunc(records, func(a, b Record) int { return strings.Compare(a.Path, b.Path) })
	return records, errors.Join(failures...)
}

// Place returns the file for the record of a path, whether or not it exists.
func (r *Records) Place(path string) (string, error) {
	folder, err := r.find()
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, safefile.Digest([]byte(resolved(path)))+suffix), nil
}

// resolved returns the path of a file with the links of its folder resolved. A link at the path itself is
// not followed, because the same bytes mean something else in another folder.
func resolved(path string) string {
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return filepath.Clean(path)
	}
	return filepath.Join(folder, filepath.Base(path))
}

func read(path string) (Record, error) {
	if err := refuseExposed(path); err != nil {
		return Record{}, err
	}
	text, err := safefile.ReadUpTo(path, maxSize)
	if err != nil {
		return Record{}, err
	}
	var record Record
	if err := json.Unmarshal(text, &record); err != nil {
		return Record{}, fmt.Errorf("read the trust record %s: %w", path, err)
	}
	return record, nil
}

// refuseExposed returns an error if others can change the records at a path.
func refuseExposed(path string) error {
	if exposure := safefile.PathExposure(path); exposure != "" {
		return fmt.Errorf("the records of trusted files are ignored (%s)", exposure)
	}
	return nil
}

// lockDigest returns the digest of a lock, "" for none.
func lockDigest(lock []byte) string {
	if lock == nil {
		return ""
	}
	return safefile.Digest(lock)
}

// valueDigest returns the digest of a value. It differs for each file and variable, so that records do not show which
// values are the same.
func valueDigest(path, variable, value string) string {
	return safefile.Digest([]byte(resolved(path) + "\x00" + variable + "\x00" + value))
}

// isOwnName reports whether Place returns names of this form.
func isOwnName(name string) bool {
	name, isRecord := strings.CutSuffix(name, suffix)
	_, err := hex.DecodeString(name)
	return isRecord && err == nil && len(name) == hex.EncodedLen(sha256.Size)
}
