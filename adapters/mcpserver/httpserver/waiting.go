package httpserver

import (
	"net"
	"net/http"
	"sync"

	"mcp-workbench/application/shares"
)

// maxWaiting is the maximum number of connections on which no request is under way: those whose header is
// arriving, which costs up to half a MiB, and those that are kept without a request.
const maxWaiting = 512

// waiting bounds the connections on which no request is under way, with a share for each address, whether
// its callers have a token or not. Beyond it, the address with most loses the one that has waited for longest: a host
// that works sends its header at once. Safe for concurrent use.
type waiting struct {
	budget *shares.Budget

	mu   sync.Mutex
	held map[string]*shares.Holding // by both addresses of the connection
}

func newWaiting() *waiting {
	return &waiting{budget: shares.NewBudget(maxWaiting, shares.Oldest), held: map[string]*shares.Holding{}}
}

// changed notes the state of a connection, for http.Server.
func (w *waiting) changed(connection net.Conn, state http.ConnState) {
	key := connection.RemoteAddr().String() + " " + connection.LocalAddr().String()
	switch state {
	case http.StateNew, http.StateIdle:
		address, _, err := net.SplitHostPort(connection.RemoteAddr().String())
		if err != nil {
			address = "" // no address of a network
		}
		w.end(key)
		held := w.budget.Admit(address, 1, func() { go func() { _ = connection.Close() }() }) // TLS waits to say so
		w.mu.Lock()
		defer w.mu.Unlock()
		w.held[key] = held
	case http.StateClosed, http.StateHijacked:
		w.end(key)
	case http.StateActive: // its header is arriving
	}
}

// end notes that a connection does not wait any more.
func (w *waiting) end(key string) {
	w.mu.Lock()
	held := w.held[key]
	delete(w.held, key)
	w.mu.Unlock()
	if held != nil {
		held.End()
	}
}

// handler notes whose header has arrived.
func (w *waiting) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, r *http.Request) {
		if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
			w.end(r.RemoteAddr + " " + local.String())
		}
		next.ServeHTTP(writer, r)
	})
}
