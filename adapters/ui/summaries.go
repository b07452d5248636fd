package ui

import (
	"sync"
	"time"
)

const (
	// maxSummaries is the number of summaries that are kept for other requests.
	maxSummaries = 32
	// A summary is used for reuseFactor times the time that it took to compute, so that open pages take
	// at most a twentieth of a processor, but no longer than maxReuse.
	reuseFactor = 20
	maxReuse    = 5 * time.Second
)

// summaries keeps summaries for open pages. The zero value is ready. Safe for concurrent use.
type summaries struct {
	mu   sync.Mutex
	kept map[summaryKey]keptSummary
}

// summaryKey has the parameters of a summary.
type summaryKey struct {
	viewer string
	about  scope
	span   string
}

type keptSummary struct {
	*summary
	history  *history
	end      uint64
	start    time.Time
	duration time.Duration
}

// get returns the numbers of the calls in a scope that a viewer may see. If there are very many calls, the
// numbers can be a few seconds old.
func (s *summaries) get(h *history, viewer Viewer, about scope, span span, now time.Time) *summary {
	key := summaryKey{viewer.key(), about, span.name}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := h.end()
	last, isKept := s.kept[key]
	isSame := isKept && last.history == h && last.begin.Equal(span.begin(now))
	if isSame && (last.end == end || now.Sub(last.start) < min(reuseFactor*last.duration, maxReuse)) {
		return last.summary
	}
	start := time.Now()
	fresh := keptSummary{summary: h.summarize(viewer, about, span, now), history: h, end: end, start: start}
	fresh.duration = time.Since(start)
	if s.kept == nil || len(s.kept) >= maxSummaries {
		s.kept = map[summaryKey]keptSummary{}
	}
	s.kept[key] = fresh
	return fresh.summary
}
