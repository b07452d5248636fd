package telemetry

import "sync"

// spans are the spans that wait to be exported, up to a maximum. Safe for concurrent use.
type spans struct {
	maximum, batch int
	full           chan struct{} // has a value when a batch is full

	mu      sync.Mutex
	waiting []*span
	dropped int
}

func newSpans(settings Settings) *spans {
	return &spans{maximum: settings.queue, batch: settings.batch, full: make(chan struct{}, 1)}
}

// add adds an ended span, or drops it if too many wait.
func (s *spans) add(ended *span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= s.maximum {
		s.dropped++
		return
	}
	s.waiting = append(s.waiting, ended)
	if len(s.waiting) >= s.batch {
		select {
		case s.full <- struct{}{}:
		default: // full has a value already
		}
	}
}

// take returns the next batch, which is empty if no span waits.
func (s *spans) take() []*span {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := min(s.batch, len(s.waiting))
	batch := s.waiting[:count:count]
	s.waiting = s.waiting[count:]
	if len(s.waiting) == 0 {
		s.waiting = nil
	}
	return batch
}

// takeDropped returns how many spans were dropped since the last call.
func (s *spans) takeDropped() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	dropped := s.dropped
	s.dropped = 0
	return dropped
}
