package activity_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/domain"
)

// recorded is a record in a folder of its own.
type recorded struct {
	folder string
	log    bytes.Buffer
}

func newRecorded() *recorded {
	return &recorded{folder: filepath.Join(GinkgoT().TempDir(), "state", "activity")}
}

func (r *recorded) find() (string, error) { return r.folder, nil }

// unnamed is the description of a host that reports no name.
func unnamed() domain.HostInfo { return domain.HostInfo{} }

// start returns a record like that of another process.
func (r *recorded) start(settings domain.RecordSettings) *activity.Record {
	return activity.NewRecord(r.find, settings, time.Unix(1774260000, 0), slog.New(slog.NewTextHandler(&r.log, nil)))
}

// startPatient returns a record that waits long enough for its lock, even if many others take turns on a slow machine.
func (r *recorded) startPatient(settings domain.RecordSettings) *activity.Record {
	record := r.start(settings)
	record.WaitForLock(time.Minute)
	return record
}

// write records activities in a process that then ends.
func (r *recorded) write(activities ...domain.Activity) {
	record := r.start(domain.DefaultRecordSettings())
	host := record.Host("", unnamed)
	for _, a := range activities {
		host.Observe(a)
	}
	record.Close()
}

func (r *recorded) reader() *activity.Reader { return activity.NewReader(r.find) }

// entries returns all entries.
func (r *recorded) entries() (entries []activity.Entry) {
	GinkgoHelper()
	for entry, err := range r.reader().Entries(time.Time{}) {
		Expect(err).NotTo(HaveOccurred())
		entries = append(entries, entry)
	}
	return entries
}

// files returns the paths of the files, oldest first.
func (r *recorded) files() []string {
	GinkgoHelper()
	found, err := filepath.Glob(filepath.Join(r.folder, "activity-*.jsonl"))
	Expect(err).NotTo(HaveOccurred())
	return found
}

// name returns the name of a file that was begun at a time.
func name(number int, begun time.Time) string {
	return fmt.Sprintf("activity-%08d-%s.jsonl", number, begun.UTC().Format("2006-01-02"))
}

// text returns the text of all files.
func (r *recorded) text() string {
	GinkgoHelper()
	var text strings.Builder
	for _, path := range r.files() {
		read, err := os.ReadFile(path)
		Expect(err).NotTo(HaveOccurred())
		text.Write(read)
	}
	return text.String()
}

// size returns the size of everything in the folder.
func (r *recorded) size() (size int64) {
	GinkgoHelper()
	found, err := os.ReadDir(r.folder)
	Expect(err).NotTo(HaveOccurred())
	for _, entry := range found {
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed meanwhile
		}
		Expect(err).NotTo(HaveOccurred())
		size += info.Size()
	}
	return size
}

// call returns a call of a tool.
func call(tool string) domain.Activity {
	return domain.Activity{
		Kind: domain.ActivityCall, Time: time.Date(2026, 11, 23, 10, 17, 27, 123_900_000, time.UTC),
		Tool:    domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: tool},
		Outcome: domain.OutcomeOK, Duration: 12_340 * time.Microsecond, Sent: 20, Received: 450, Shown: 45,
	}
}

// tools returns the tools of entries.
func tools(entries []activity.Entry) (names []string) {
	for _, entry := range entries {
		names = append(names, entry.Tool)
	}
	return names
}
