package activity

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"mcp-workbench/domain"
)

const (
	// pause is the time that lines wait in memory, so that many are written together.
	pause = 250 * time.Millisecond
	// maxPending is the maximum size of lines that wait in memory, as while the disk is slow.
	maxPending = 1 << 20
	// maxOwnLines is the number of calls in a pause that have a line each, which makes 1,000 a second. Only
	// programs call more often.
	maxOwnLines = 250
	// maxShared is the number of shared lines for the other calls in a pause.
	maxShared = 64
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

	mu      sync.Mutex // guards the fields below
	pending []byte
	lines   int // in pending
	shared  []sharedLine
	tools   map[domain.ServerID]serverTools
	lost    bool        // lines did not fit into pending
	timer   *time.Timer // of the next write, nil if none is due
	closed  bool
}

// sharedLine is the sum of calls with the same tool, host and outcome.
type sharedLine struct {
	host  *Host
	calls int64
	sum   domain.Activity
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
		workbench: fmt.Sprintf("%d-%d", os.Getpid(), started.Unix()), log: log, tools: map[domain.ServerID]serverTools{},
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
}

// add adds an activity of a host to the pending lines.
func (r *Record) add(host *Host, activity domain.Activity) {
	r.mu.Lock()
	defer r.mu.Unlock()
	isFull := len(r.pending) > r.room()
	switch {
	case r.closed:
	case (isFull || r.lines >= maxOwnLines) && r.shareLocked(host, &activity): // a write is due
	case isFull:
		r.lost = true
	default:
		before := len(r.pending)
		r.pending = append(r.pending, host.entry(activity, 1).line()...)
		r.lines++
		r.scheduleLocked()
		if half := r.room() / 2; before <= half && len(r.pending) > half {
			r.timer.Reset(0)
		}
	}
}

// shareLocked adds a call to a shared line. It reports false for an activity that needs a line of its own.
func (r *Record) shareLocked(host *Host, a *domain.Activity) bool {
	if a.Kind != domain.ActivityCall || a.Unknown {
		return false
	}
	for i := range r.shared {
		s := &r.shared[i]
		if s.host == host && s.sum.Tool == a.Tool && s.sum.Outcome == a.Outcome && s.sum.Code == a.Code {
			s.calls++
			s.sum.Time = a.Time
			s.sum.Duration += a.Duration
			s.sum.Sent += a.Sent
			s.sum.Received += a.Received
			s.sum.Shown += a.Shown
			return true
		}
	}
	if len(r.shared) == maxShared || len(a.Tool.Tool) > maxName {
		return false
	}
	added := sharedLine{host, 1, *a}
	added.sum.Tool.Tool = strings.Clone(a.Tool.Tool) // so that the request is not kept
	r.shared = append(r.shared, added)
	return true
}

// scheduleLocked schedules a write after the pause, if none is due.
func (r *Record) scheduleLocked() {
	if r.timer == nil {
		r.timer = time.AfterFunc(pause, r.write)
	}
}

// ObserveTools implements ports.ToolsObserver.
func (r *Record) ObserveTools(server domain.ServerID, tools []domain.ToolInfo) {
	if len(tools) == 0 {
		return
	}
	listed := newServerTools(server, tools)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || len(r.tools) >= maxServers {
		return
	}
	r.tools[server] = listed
	r.scheduleLocked()
}

// room returns the maximum size of the pending lines.
func (r *Record) room() int { return int(min(maxPending, r.files.maxSize/4)) }

// write writes the pending lines and tools.
func (r *Record) write() {
	r.writing.Lock()
	defer r.writing.Unlock()
	lines, tools, lost := r.take()
	if lost {
		r.logFailure(errTooFast)
	}
	if len(lines)+len(tools) == 0 {
		return
	}
	err := r.files.write(lines, slices.Collect(maps.Values(tools)))
	if errors.Is(err, errLocked) && r.putBack(lines, tools) {
		return
	}
	if err != nil {
		r.logFailure(err)
	}
}

// putBack keeps lines and tools for the next write. It reports false if the record is closed or has no room.
func (r *Record) putBack(lines []byte, tools map[domain.ServerID]serverTools) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || len(lines)+len(r.pending) > r.room() {
		return false
	}
	r.pending = append(lines, r.pending...)
	maps.Copy(tools, r.tools) // newer ones replace those of the same server
	r.tools = tools
	r.scheduleLocked()
	return true
}

// take returns the pending lines and tools, and whether lines were lost.
func (r *Record) take() (lines []byte, tools map[domain.ServerID]serverTools, lost bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.shared {
		s.sum.Duration /= time.Duration(s.calls)
		r.pending = append(r.pending, s.host.entry(s.sum, s.calls).line()...)
	}
	lines, tools, lost = r.pending, r.tools, r.lost
	r.pending, r.lines, r.shared, r.tools, r.lost, r.timer = nil, 0, nil, map[domain.ServerID]serverTools{}, false, nil
	return lines, tools, lost
}

// logFailure logs the first failure.
func (r *Record) logFailure(err error) {
	r.failed.Do(func() { r.log.Warn("activity is not recorded; calls are not affected", "error", err) })
}
