package status

import (
	"maps"
	"sync"
	"time"

	"mcp-workbench/ports"
)

const (
	// memoryAge is how long a measurement is used again, measureTime how long the measurements for one
	// snapshot may take together.
	memoryAge   = 2 * time.Second
	measureTime = 100 * time.Millisecond
)

// memory measures the memory of servers. A measurement examines all processes on the machine, so it is kept for a
// while. The zero value is ready. Safe for concurrent use.
type memory struct {
	mu sync.Mutex // guards measured
	// measured is by PID: a ports.ServerProcess would keep a server that ended in memory until the next snapshot.
	measured map[int]measurement
}

// measurement says how many bytes of memory a server used at a time, nil if that is not known.
type measurement struct {
	at   time.Time
	size *int64
}

// begin returns until when the measurements for one snapshot may be made. It drops those of servers that were not
// measured for a minute.
func (m *memory) begin() (until time.Time) {
	begun := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.measured, func(_ int, last measurement) bool { return begun.Sub(last.at) > time.Minute })
	return begun.Add(measureTime)
}

// size returns how many bytes of memory a server uses, nil if that is not known. After the time until which it may
// measure, it returns the last measurement.
func (m *memory) size(process ports.ServerProcess, until time.Time) *int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	pid := process.PID()
	last, isKnown := m.measured[pid]
	now := time.Now()
	if isKnown && now.Sub(last.at) < memoryAge || now.After(until) {
		return last.size
	}
	last = measurement{at: now}
	if size, isKnown := process.Memory(); isKnown {
		last.size = &size
	}
	if m.measured == nil {
		m.measured = map[int]measurement{}
	}
	m.measured[pid] = last
	return last.size
}
