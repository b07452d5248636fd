package httpserver

import (
	"net/http"
	"strconv"
	"time"

	"mcp-workbench/application/shares"
)

// sends bounds the memory of writes to hosts, which may read slowly or not at all, with a share for
// each holder. When it is exceeded, the connection of the biggest holder whose write began first is
// cut: a host that reads would have finished by then. Safe for concurrent use.
type sends struct {
	budget *shares.Budget // nil for no bound
}

// requestCost is the memory of a request, besides the bytes of its message and answer: its connection, or its stream of HTTP/2,
// many of which can wait on one connection.
const requestCost = 24 << 10

// answer sends a response that is one message to a holder, and reports whether it was written.
func (s *sends) answer(w http.ResponseWriter, r *http.Request, holder string, status int, text []byte) bool {
	w.Header().Set("Content-Type", contentJSON)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	control := http.NewResponseController(w)
	setWriteDeadline(control, len(text))
	defer s.begin(r, holder, len(text), control)()
	w.WriteHeader(status)
	_, err := w.Write(text)
	if err == nil && s.budget != nil && r.ProtoMajor > 1 {
		err = control.Flush() // a stream holds a short answer until the handler returns, and waits after that
	}
	return err == nil // a host that is gone needs no answer
}

// begin counts bytes of the answer to a request that are about to be written before a deadline. Callers call the returned
// function when they are written.
func (s *sends) begin(r *http.Request, holder string, size int, to *http.ResponseController) (end func()) {
	if s.budget == nil {
		return func() {}
	}
	if r.ProtoMajor > 1 {
		size += requestCost
	}
	if size <= smallMessage {
		return func() {}
	}
	return s.budget.Admit(holder, int64(size), func() {
		_ = to.SetWriteDeadline(time.Now()) // a connection without deadlines cannot be slow
	}).End
}
