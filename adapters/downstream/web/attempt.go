package web

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// attempt watches one request on its way to the server.
type attempt struct {
	trace     httptrace.ClientTrace
	keptIdle  *keptIdle
	sent      func()      // may be nil
	connected atomic.Bool // the request may have been sent over a connection
}

// attemptKey is the context key of TraceSent.
type attemptKey struct{}

// TraceSent returns a context for Do that calls sent when the whole request was sent or cannot be
// sent, again for each repetition of the request.
func TraceSent(ctx context.Context, sent func()) context.Context {
	return context.WithValue(ctx, attemptKey{}, sent)
}

// watch returns an attempt that watches a request, and the context for the request. The attempt is
// nil where nothing has to be watched, which makes a small call 2 % faster: without TLS, the error
// itself shows whether a connection was made.
func (e *Endpoint) watch(ctx context.Context) (*attempt, context.Context) {
	sent, _ := ctx.Value(attemptKey{}).(func())
	if e.address.Scheme == "https" || e.keptIdle.isKnown() {
		a := &attempt{keptIdle: e.keptIdle, sent: sent}
		a.trace = httptrace.ClientTrace{GetConn: a.begin, GotConn: a.connect, WroteRequest: a.end}
		return a, httptrace.WithClientTrace(ctx, &a.trace)
	}
	if sent == nil {
		return nil, ctx
	}
	return nil, httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { sent() }})
}

// wasConnected reports whether the request may have been sent over a connection.
func (a *attempt) wasConnected() bool { return a == nil || a.connected.Load() }

func (a *attempt) begin(string) { a.connected.Store(false) }

// connect notes the connection. It closes one that the server is about to close: net/http has sent
// nothing over it yet, and uses another.
func (a *attempt) connect(got httptrace.GotConnInfo) {
	if got.WasIdle && a.keptIdle.isOver(got.IdleTime) {
		_ = got.Conn.Close() // it is not used again
		return
	}
	a.connected.Store(true)
}

func (a *attempt) end(wrote httptrace.WroteRequestInfo) {
	if wrote.Err == nil {
		a.connected.Store(true)
	}
	if a.sent != nil {
		a.sent()
	}
}

// keptIdle is the time for which the server says it keeps an idle connection. Safe for concurrent use.
type keptIdle struct{ time atomic.Int64 }

// note reads the Keep-Alive header of a response (RFC 2068, section 19.7.1.1).
func (k *keptIdle) note(response *http.Response) {
	for _, value := range response.Header["Keep-Alive"] {
		for parameter := range strings.SplitSeq(value, ",") {
			name, text, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			seconds, err := strconv.ParseUint(text, 10, 31)
			if err == nil && strings.EqualFold(name, "timeout") && response.ProtoMajor == 1 {
				k.time.Store(int64(seconds) * int64(time.Second))
			}
		}
	}
}

func (k *keptIdle) isKnown() bool { return k.time.Load() > 0 }

// isOver reports whether the server closes a connection after that idle time, or would close it
// before a request arrives.
func (k *keptIdle) isOver(idle time.Duration) bool {
	kept := time.Duration(k.time.Load())
	return kept > 0 && idle >= kept-min(time.Second, kept/2)
}
