package status

import (
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
	mu       sync.Mutex // guards measured
	measured map[ports.ServerProcess]measurement
}

// measurement says how many bytes of memory a server used at a time, nil if that is not known.
type measurement struct {
	at   time.Time
	size *int64
}

// begin begins the measurements for one snapshot. It drops those of servers that were not measured for a minute.
func (m *memory) begin() *measuring {
	begun := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	for process, last := range m.measured {
		if begun.Sub(last.at) > time.Minute {
			delete(m.measured, process)
		}
	}
	return &measuring{memory: m}
}

// measuring makes the measurements for one snapshot. Not safe for concurrent use.
type measuring struct {
	memory *memory
	spent  time.Duration
}

// size returns how many bytes of memory a server uses, nil if that is not known. When the time for measurements
// is spent, it returns the last measurement.
func (m *measuring) size(process ports.ServerProcess) *int64 {
	m.memory.mu.Lock()
	defer m.memory.mu.Unlock()
	last, known := m.memory.measured[process]
	now := time.Now()
	if known && now.Sub(last.at) < memoryAge || m.spent > measureTime {
		return last.size
	}
	last = measurement{at: now}
	if size, known := process.Memory(); known {
		last.size = &size
	}
	if m.memory.measured == nil {
		m.memory.measured = map[ports.ServerProcess]measurement{}
	}
	m.memory.measured[process] = last
	m.spent += time.Since(now)
	return last.size
}
