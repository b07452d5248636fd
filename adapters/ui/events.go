package ui

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// maxAtOnce is the maximum number of simultaneous streams, and of pages that are being made and sent, each of which
	// takes some megabytes. maxAtOnceOfIdentity is that of one identity.
	maxAtOnce           = 32
	maxAtOnceOfIdentity = 8
	// tick is the interval at which a stream looks for changes, quiet the interval at which it writes without any.
	tick  = time.Second
	quiet = 15 * time.Second
	// patience is how long a browser may take to read an event.
	patience = 10 * time.Second
	// maxDuration is how long a stream lasts. Browsers then request the next one, for which access is checked again.
	maxDuration = 10 * time.Minute
)

// places counts what is under way. Safe for concurrent use.
type places struct {
	mu         sync.Mutex
	taken      int
	byIdentity map[string]int
}

func newPlaces() *places { return &places{byIdentity: map[string]int{}} }

// enter takes a place, which leave frees. Without a free place it refuses the request and returns nil.
func (p *places) enter(identity string, w http.ResponseWriter) (leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.taken >= maxAtOnce || p.byIdentity[identity] >= maxAtOnceOfIdentity {
		w.Header().Set("Retry-After", "30")
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return nil
	}
	p.taken++
	p.byIdentity[identity]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.taken--
		if p.byIdentity[identity]--; p.byIdentity[identity] == 0 {
			delete(p.byIdentity, identity)
		}
	}
}

// serveEvents sends the parts of a page that change, until the browser disconnects, its access is revoked or the
// pages are closed.
func (p *Pages) serveEvents(w http.ResponseWriter, r *http.Request) {
	build := pageAt(below(r.URL.Query().Get(pageKey)))
	if build == nil {
		http.NotFound(w, r)
		return
	}
	leave := p.streams.enter(p.request(r).viewer.Identity, w)
	if leave == nil {
		return
	}
	defer leave()
	start := time.Now()
	end := start.Add(maxDuration)
	var revoked <-chan struct{}
	if p.settings.Access != nil {
		var until time.Time
		if revoked, until = p.settings.Access(r); !until.IsZero() && until.Before(end) {
			end = until
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // for proxies that would hold events back
	stream := &stream{pages: p, r: r, build: build, w: w, control: http.NewResponseController(w), sent: map[string]string{}}
	if r.Method == http.MethodHead || !stream.write(": hello\n\n") {
		return
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for now := start; now.Before(end) && stream.update(now); now = time.Now() {
		select {
		case <-ticker.C:
		case <-r.Context().Done():
			return
		case <-revoked:
			return
		case <-p.ended:
			return
		}
	}
}

// stream sends the events of one page that is open in a browser.
type stream struct {
	pages   *Pages
	r       *http.Request
	build   func(*request) *page
	w       http.ResponseWriter
	control *http.ResponseController

	sent   map[string]string // by part
	seen   seen
	wrote  time.Time
	states map[string]string // of servers, by path; nil before the first look
}

// seen identifies the data of a page. While it is the same, the page does not change.
type seen struct {
	history *history
	end     uint64
	status  time.Time
	minute  int64
}

// update sends the parts that changed, and reports whether the browser is still connected.
func (s *stream) update(now time.Time) bool {
	q := s.pages.request(s.r)
	q.path = below(s.r.URL.Query().Get(pageKey))
	q.look()
	q.board()
	current := seen{q.history, q.history.end(), s.pages.observed.status.changedAt(), now.Unix() / 60}
	if current == s.seen {
		return now.Sub(s.wrote) < quiet || s.write(": quiet\n\n")
	}
	s.seen = current
	var events strings.Builder
	for _, part := range s.build(q).Parts {
		if text := string(render("part", part)); s.sent[part.ID] != text {
			s.sent[part.ID] = text
			writeEvent(&events, "part", part.ID, text)
		}
	}
	if text := s.news(q); text != "" {
		writeEvent(&events, "news", "", text)
	}
	return events.Len() == 0 || s.write(events.String())
}

// news returns the text that is announced to the user: servers that have failed or need a login since the last update.
func (s *stream) news(q *request) string {
	var texts []string
	now := map[string]string{}
	for id, server := range q.board().servers {
		now[id.Path()] = server.State
		before, known := s.states[id.Path()]
		if s.states == nil || known && before == server.State {
			continue
		}
		switch server.State {
		case "failed":
			texts = append(texts, id.Path()+" failed")
		case "login":
			texts = append(texts, id.Path()+" needs a login")
		}
	}
	s.states = maps.Clone(now)
	const maxNews = 3
	if more := len(texts) - maxNews; more > 0 {
		texts = append(texts[:maxNews], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

// writeEvent writes an event whose data is a list of two texts.
func writeEvent(events *strings.Builder, kind, id, text string) {
	data, _ := json.Marshal([]string{id, text}) // strings can always be encoded
	fmt.Fprintf(events, "event: %s\ndata: %s\n\n", kind, data)
}

// write sends text immediately, and reports whether that succeeded.
func (s *stream) write(text string) bool {
	s.wrote = time.Now()
	_ = s.control.SetWriteDeadline(s.wrote.Add(patience)) // a connection without deadlines fails on its own
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
