package callers

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

const (
	// linesAtOnce is the number of refusals that are logged within a minute; the rest is counted.
	linesAtOnce = 10
	// maxShown is the maximum number of bytes of a header in the log.
	maxShown = 100
)

// Refusals refuses requests of callers that may not call. It logs ten refusals a minute as
// warnings with the address of the caller, for programs that ban such addresses, and counts the
// others. Safe for concurrent use.
type Refusals struct {
	log *slog.Logger

	mu    sync.Mutex
	lines int // in this minute
	more  int // not logged in this minute
}

// NewRefusals returns refusals that are logged to log.
func NewRefusals(log *slog.Logger) *Refusals { return &Refusals{log: log} }

// Refuse answers a request as [Refuse] does, and logs the refusal.
func (l *Refusals) Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	if l.begin() {
		attributes := []any{"from", r.RemoteAddr, "status", status, "reason", message, "host", cut(r.Host)}
		if forwarded := r.Header.Get("X-Forwarded-For"); forwarded != "" {
			attributes = append(attributes, "forwarded", cut(forwarded))
		}
		l.log.Warn("a request was refused", attributes...)
	}
	Refuse(w, r, status, message)
}

// begin reports whether there is room for a line, and counts the refusal otherwise.
func (l *Refusals) begin() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == 0 {
		time.AfterFunc(time.Minute, l.end)
	}
	if l.lines >= linesAtOnce {
		l.more++
		return false
	}
	l.lines++
	return true
}

// end ends a minute.
func (l *Refusals) end() {
	l.mu.Lock()
	more := l.more
	l.lines, l.more = 0, 0
	l.mu.Unlock()
	if more > 0 {
		l.log.Warn("more requests were refused within a minute", "count", more)
	}
}

func cut(text string) string { return text[:min(len(text), maxShown)] }

// refusedCode is one of the codes for errors that servers define (JSON-RPC 2.0, section 5.1). The
// official SDKs use it for refused requests.
const refusedCode = -32000

// Refuse answers a request with a status and a message, which hosts show, so it must contain no
// secret. The body is a JSON-RPC error, since clients of MCP look for one. It does not wait for
// the request's body, and ends the connection if there may be one.
func Refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	if r.ContentLength != 0 {
		// Otherwise net/http reads the body first, however slowly it comes.
		header.Set("Connection", "close")
	}
	text, _ := json.Marshal(message) // a string cannot fail
	w.WriteHeader(status)
	// A client that is gone needs no answer.
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%s}}`+"\n", refusedCode, text)
}
