package ui

import (
	"sync"
	"time"
)

const (
	// maxSummaries is the number of summaries that are kept for other requests.
	maxSummaries = 32
	// A summary is used for restFactor times the time that it took to make, so that open pages take
	// a twentieth of a processor at most; longestRest bounds that.
	restFactor  = 20
	longestRest = 5 * time.Second
)

// summaries keeps summaries for the pages that are open. The zero value is ready. Safe for concurrent use.
type summaries struct {
	mu   sync.Mutex
	kept map[summaryKey]keptSummary
}

// summaryKey has everything that a summary depends on.
type summaryKey struct {
	viewer string
	about  scope
	span   string
}

type keptSummary struct {
	*summary
	history *history
	end     uint64
	begun   time.Time
	took    time.Duration
}

// get returns the numbers of the calls in a scope that a viewer may know of. They can be older than the
// newest call, by a few seconds if there are very many.
func (s *summaries) get(h *history, viewer Viewer, about scope, span span, now time.Time) *summary {
	key := summaryKey{viewer.key(), about, span.name}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := h.end()
	kept, known := s.kept[key]
	isSame := known && kept.history == h && kept.begin.Equal(span.begin(now))
	if isSame && (kept.end == end || now.Sub(kept.begun) < min(restFactor*kept.took, longestRest)) {
		return kept.summary
	}
	begun := time.Now()
	taken := keptSummary{summary: h.summarize(viewer, about, span, now), history: h, end: end, begun: begun}
	taken.took = time.Since(begun)
	if s.kept == nil || len(s.kept) >= maxSummaries {
		s.kept = map[summaryKey]keptSummary{}
	}
	s.kept[key] = taken
	return taken.summary
}
