package activity

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"mcp-workbench/domain"
)

const (
	// pause is the time that lines wait in memory, so that many are written together.
	pause = 250 * time.Millisecond
	// flushSize is the size of pending lines from which they are written without a pause. Two buffers of that size
	// are reused while there are many lines; larger ones would make the garbage collector run more often.
	flushSize = 128 << 10
	// maxPending is the maximum size of lines that wait in memory, as while the disk is slow.
	maxPending = 1 << 20
	// maxIdle is the maximum size of the buffer that is kept while there are few lines.
	maxIdle = 16 << 10
)

// errTooFast reports lines that came faster than they could be written.
var errTooFast = errors.New("there is more activity than can be written")

// Record writes entries to the files of the user. It implements ports.ToolsObserver. It opens no file before its
// first entry. After a failure, entries are lost; the first failure is logged. Safe for concurrent use.
type Record struct {
	files     files
	workbench string
	log       *slog.Logger
	failed    sync.Once // logs a failure

	writing sync.Mutex // held while files are used
	spare   []byte     // the buffer of the last write, to be filled again

	mu      sync.Mutex // guards the fields below
	pending []byte
	lines   int // in pending
	repeats repeats
	tools   map[domain.ServerID]serverTools
	lost    bool        // lines did not fit into pending
	timer   *time.Timer // nil before the first line
	waits   bool        // the timer runs
	hurries bool        // the timer ends immediately
	writes  int         // how often pending was taken
	closed  bool
	stamp   stamp
	places  places
}

// NewRecord returns the record in the folder that the function returns. The folder need not exist. The argument
// started is when the program started. If the settings turn recording off, NewRecord returns nil, which records
// nothing.
func NewRecord(folder func() (string, error), settings domain.RecordSettings, started time.Time, log *slog.Logger) *Record {
	if settings.Off {
		return nil
	}
	return &Record{
		files:     files{folder: folder, maxSize: settings.MaxSize, days: settings.Days, lockWait: lockWait},
		workbench: fmt.Sprintf("%d-%d", os.Getpid(), started.Unix()), log: log,
	}
}

// Workbench returns the value of Entry.Workbench in the entries of this record.
func (r *Record) Workbench() string { return r.workbench }

// Close writes the pending lines, which takes about a second at most, and closes the record. Later entries are
// dropped. Closing a nil Record does nothing.
func (r *Record) Close() {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.closed = true
	if r.timer != nil {
		r.timer.Stop()
	}
	r.mu.Unlock()
	r.write()
	r.writing.Lock()
	defer r.writing.Unlock()
	_ = r.files.close() // every write to it was checked
}

// add adds an activity of a host to the pending lines.
func (r *Record) add(h *Host, activity *domain.Activity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	room := r.room()
	isFull := len(r.pending) > room
	switch {
	case r.closed:
		return
	case (isFull || r.lines >= maxOwnLines) && r.repeats.add(h, activity):
		return // the write of the pending lines is due
	case isFull:
		r.lost = true
		return
	}
	r.appendLocked(h, activity, 1)
	r.scheduleLocked(len(r.pending) > min(flushSize, room/2))
}

// appendLocked appends the line of an activity, or that of a number of calls and their sum.
func (r *Record) appendLocked(h *Host, activity *domain.Activity, calls int64) {
	if h.known == nil || h.writes != r.writes {
		h.refresh(r.writes)
	}
	r.pending = r.stamp.appendLine(r.pending, h.known, &r.places, activity, calls)
	r.lines++
}

// scheduleLocked schedules a write of the pending lines after the pause, or immediately if there are many.
func (r *Record) scheduleLocked(full bool) {
	switch {
	case r.timer == nil:
		r.timer, r.waits = time.AfterFunc(pause, r.write), true
	case !r.waits:
		r.timer.Reset(pause)
		r.waits = true
	case full && !r.hurries:
		r.timer.Reset(0)
		r.hurries = true
	}
}

// ObserveTools implements ports.ToolsObserver.
func (r *Record) ObserveTools(server domain.ServerID, tools []domain.ToolInfo) {
	if len(tools) == 0 {
		return
	}
	kept := newServerTools(server, tools)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || len(r.tools) >= maxServers {
		return
	}
	r.keepToolsLocked(server, kept)
	r.scheduleLocked(false)
}

func (r *Record) keepToolsLocked(server domain.ServerID, kept serverTools) {
	if r.tools == nil {
		r.tools = map[domain.ServerID]serverTools{}
	}
	r.tools[server] = kept
}

// room returns the maximum size of the pending lines.
func (r *Record) room() int { return int(min(maxPending, r.files.maxSize/4)) }

// write writes the pending lines and tools. A file that stays open for more lines is closed unless some follow
// within the pause.
func (r *Record) write() {
	r.writing.Lock()
	defer r.writing.Unlock()
	lines, tools, lost := r.take()
	if lost {
		r.logFailure(errTooFast)
	}
	if len(lines)+len(tools) == 0 {
		_ = r.files.close() // every write to it was checked
	} else if err := r.files.write(lines, tools); errors.Is(err, errLocked) && r.putBack(lines, tools) {
		return
	} else if err != nil {
		r.logFailure(err)
	}
	if r.files.newest != nil {
		r.mu.Lock()
		if !r.closed {
			r.scheduleLocked(false)
		}
		r.mu.Unlock()
	}
	if r.spare = lines[:0]; cap(lines) > 4*flushSize || cap(lines) > maxIdle && len(lines) < maxIdle {
		r.spare = nil
	}
}

// putBack keeps lines and tools for the next write. It reports false if the record is closed or has no room.
func (r *Record) putBack(lines []byte, tools []serverTools) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || len(lines)+len(r.pending) > r.room() {
		return false
	}
	r.pending = append(lines, r.pending...)
	for _, kept := range tools {
		id := domain.ServerID{Toolbox: domain.ToolboxName(kept.Toolbox), Server: domain.ServerName(kept.Server)}
		if _, isNewer := r.tools[id]; !isNewer {
			r.keepToolsLocked(id, kept)
		}
	}
	r.scheduleLocked(false)
	return true
}

// take returns the pending lines and tools, and whether lines were lost.
func (r *Record) take() (lines []byte, tools []serverTools, lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.repeats.take(r.appendLocked)
	lines, tools, lost = r.pending, slices.Collect(maps.Values(r.tools)), r.lost
	r.pending, r.lines, r.tools, r.lost, r.waits, r.hurries = r.spare, 0, nil, false, false, false
	r.writes++
	return lines, tools, lost
}

// logFailure logs the first failure.
func (r *Record) logFailure(err error) {
	r.failed.Do(func() { r.log.Warn("activity is not recorded; calls are not affected", "error", err) })
}
