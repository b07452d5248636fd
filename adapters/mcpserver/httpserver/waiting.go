package httpserver

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"mcp-workbench/application/shares"
)

const (
	// maxWaiting is the maximum number of connections on which no request is under way: those whose header is
	// arriving, those that are kept without a request, and those whose request was handled before its body arrived.
	maxWaiting = 512
	// waitingSize is what each of them counts, in bytes, and has room for its header. A longer header counts by what
	// has arrived, since lines of some letters cost thirty times their size.
	waitingSize = 2 << 10
	// maxArriving is the most that net/http reads of a header, in bytes.
	maxArriving = maxHead + 4<<10
)

// waiting bounds the connections on which no request is under way, and the bytes of headers that arrive, with a
// share for each address, whether its callers have a token or not. Beyond it, the address with most loses
// the connection that has waited for longest: a host that works sends its header at once. Safe for concurrent use.
type waiting struct{ budget *shares.Budget }

func newWaiting() waiting { return waiting{shares.NewBudget(maxWaiting*waitingSize, shares.Oldest)} }

// connection is a connection that counts while no request is under way on it.
type connection struct {
	net.Conn
	budget  *shares.Budget
	address string
	// isGivenUp is set before the connection is closed for others, so that no request is carried out whose answer
	// cannot be delivered.
	isGivenUp atomic.Bool

	mu       sync.Mutex      // guards the fields below
	isActive bool            // a request is under way, or its header is arriving
	held     *shares.Holding // nil while a request is under way
	read     int             // bytes since it began to wait
}

// listener returns a listener whose connections count.
func (w waiting) listener(of net.Listener) net.Listener { return waitingListener{of, w.budget} }

type waitingListener struct {
	net.Listener
	budget *shares.Budget
}

// Accept implements net.Listener.
func (l waitingListener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	address, _, err := net.SplitHostPort(accepted.RemoteAddr().String())
	if err != nil {
		address = "" // no address of a network
	}
	return &connection{Conn: accepted, budget: l.budget, address: address}, nil
}

// Read implements net.Conn.
func (c *connection) Read(into []byte) (int, error) {
	n, err := c.Conn.Read(into)
	if !c.count(n) {
		_ = c.Close() // it takes too much, or was closed already
		return 0, net.ErrClosed
	}
	return n, err
}

// count counts bytes that arrived, and reports false if there is no room for them.
func (c *connection) count(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil {
		return true
	}
	before := max(c.read, waitingSize)
	c.read = min(c.read+n, maxArriving)
	return c.read <= before || c.held.Grow(int64(c.read-before))
}

// wait notes that no request is under way.
func (c *connection) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endLocked()
	c.isActive, c.read = false, 0
	c.held = c.budget.Admit(c.address, waitingSize, func() {
		c.isGivenUp.Store(true)
		go func() { _ = c.Close() }() // the budget is locked
	})
}

// activate notes that a header is arriving, or of HTTP/2 has arrived.
func (c *connection) activate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isActive = true
}

// begin notes that a request is under way, and reports false if the connection is given up. A stream of HTTP/2 that
// was reset meanwhile is none: its connection waits again.
func (c *connection) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isActive {
		c.endLocked()
	}
	return !c.isGivenUp.Load()
}

// end notes that the connection has ended.
func (c *connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endLocked()
}

func (c *connection) endLocked() {
	if c.held != nil {
		c.held.End()
		c.held = nil
	}
}

// changed notes the state of a connection, for http.Server.
func (waiting) changed(of net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew, http.StateIdle:
		connectionOf(of).wait()
	case http.StateClosed, http.StateHijacked:
		connectionOf(of).end()
	case http.StateActive:
		connectionOf(of).activate()
	}
}

// connectionOf returns the connection that net/http has.
func connectionOf(of net.Conn) *connection {
	if secured, ok := of.(*tls.Conn); ok {
		of = secured.NetConn()
	}
	return of.(*connection) // as waitingListener accepted it
}

type connectionKey struct{}

// context adds a connection to the context of its requests, for http.Server.
func (waiting) context(ctx context.Context, of net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, connectionOf(of))
}

// handler notes whose header has arrived, and passes on what can be answered.
func (waiting) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := r.Context().Value(connectionKey{}).(*connection)
		if !c.begin() {
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, r)
		if r.ProtoMajor == 1 { // net/http waits for what is left of the body
			c.wait()
		}
	})
}
