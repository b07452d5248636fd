package telemetry

import "sync"

// spans are those that wait to be exported, up to a maximum. Safe for concurrent use.
type spans struct {
	most, batch int
	full        chan struct{} // has a value when a batch is full

	mu      sync.Mutex
	waiting []*span
	dropped int
}

func newSpans(settings Settings) *spans {
	return &spans{most: settings.queue, batch: settings.batch, full: make(chan struct{}, 1)}
}

// add adds a span that ended. If too many wait, it is dropped.
func (s *spans) add(ended *span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= s.most {
		s.dropped++
		return
	}
	s.waiting = append(s.waiting, ended)
	if len(s.waiting) >= s.batch {
		select {
		case s.full <- struct{}{}:
		default: // it is known already
		}
	}
}

// take returns the next batch, empty if no span waits.
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
