package activity

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"mcp-workbench/domain"
)

const (
	// pause is how long lines wait in memory, so that many are written at once.
	pause = 250 * time.Millisecond
	// maxPending is how many bytes of lines wait in memory at most, and maxIdle how many are kept allocated
	// between writes.
	maxPending = 1 << 20
	maxIdle    = 64 << 10
)

// errTooFast is the error for lines that came faster than they could be written.
var errTooFast = errors.New("there is more activity than can be written")

// Record writes entries to the files of the user. It reads and writes nothing before its first entry. The
// first failure is logged, and costs entries. Safe for concurrent use.
type Record struct {
	files     files
	workbench string
	log       *slog.Logger
	failed    sync.Once // logs a failure

	writing sync.Mutex // held while files are written
	spare   []byte     // what was written last, to be filled again

	mu      sync.Mutex // guards what follows
	pending []byte
	lost    bool        // lines did not fit into pending
	timer   *time.Timer // nil before the first line
	waits   bool        // the timer runs
	writes  int         // how often pending was taken
	closed  bool
	stamp   stamp
}

// NewRecord returns the record in the folder that the function returns, which need not exist. Started is
// when the program started. The settings are not off.
func NewRecord(folder func() (string, error), settings domain.RecordSettings, started time.Time, log *slog.Logger) *Record {
	return &Record{
		files:     files{folder: folder, maxSize: settings.MaxSize, days: settings.Days},
		workbench: fmt.Sprintf("%d-%d", os.Getpid(), started.Unix()), log: log,
	}
}

// Close writes what was not written yet, which takes about a second at most, and ends the record. Later
// entries are dropped.
func (r *Record) Close() {
	r.mu.Lock()
	r.closed = true
	if r.timer != nil {
		r.timer.Stop()
	}
	r.mu.Unlock()
	r.write()
}

// add takes a line that appendLine appends to its argument. It may be called while nothing waits: it does no
// I/O.
func (r *Record) add(appendLine func(to []byte, writes int) []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return
	case len(r.pending) > r.room():
		r.lost = true
		return
	}
	r.pending = appendLine(r.pending, r.writes)
	switch full := len(r.pending) > r.room()/2; {
	case r.timer == nil:
		r.timer, r.waits = time.AfterFunc(pause, r.write), true
	case !r.waits:
		r.timer.Reset(pause)
		r.waits = true
	case full:
		r.timer.Reset(0)
	}
}

// room returns how many bytes may wait.
func (r *Record) room() int { return int(min(maxPending, r.files.maxSize/4)) }

// write writes what waits.
func (r *Record) write() {
	r.writing.Lock()
	defer r.writing.Unlock()
	lines, lost := r.take()
	if len(lines) > 0 {
		if err := r.files.append(lines); err != nil {
			r.tell(err)
		}
	}
	if lost {
		r.tell(errTooFast)
	}
	if r.spare = lines[:0]; cap(lines) > maxIdle {
		r.spare = nil
	}
}

// take returns the lines that wait, and whether others were lost.
func (r *Record) take() (lines []byte, lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines, lost = r.pending, r.lost
	r.pending, r.lost, r.waits = r.spare, false, false
	r.writes++
	return lines, lost
}

// tell logs the first failure.
func (r *Record) tell(err error) {
	r.failed.Do(func() { r.log.Warn("activity is not recorded; calls go on", "error", err) })
}
