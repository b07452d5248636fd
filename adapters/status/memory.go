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

// memory measures servers. It looks through all processes of the machine, so that measurements are kept for
// a while. The zero value is ready. Safe for concurrent use.
type memory struct {
	mu       sync.Mutex // guards measured
	measured map[ports.ServerProcess]measurement
}

// measurement is how much memory a server held at a time, nil if it is not known.
type measurement struct {
	at   time.Time
	size *int64
}

// begin returns a function that measures servers for one snapshot. When it ran out of time, it returns what
// it measured last. Servers that were not measured for a minute are forgotten.
func (m *memory) begin() func(ports.ServerProcess) *int64 {
	begun := time.Now()
	m.mu.Lock()
	for process, last := range m.measured {
		if begun.Sub(last.at) > time.Minute {
			delete(m.measured, process)
		}
	}
	m.mu.Unlock()
	return func(process ports.ServerProcess) *int64 {
		m.mu.Lock()
		defer m.mu.Unlock()
		last, known := m.measured[process]
		now := time.Now()
		if known && now.Sub(last.at) < memoryAge || now.Sub(begun) > measureTime {
			return last.size
		}
		last = measurement{at: now}
		if size, known := process.Memory(); known {
			last.size = &size
		}
		if m.measured == nil {
			m.measured = map[ports.ServerProcess]measurement{}
		}
		m.measured[process] = last
		return last.size
	}
}
