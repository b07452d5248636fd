package callback

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// ErrForeignState is passed to the function that is told of answers that are not taken.
var ErrForeignState = errors.New("an answer with another state came, and was not taken")

const (
	// headTime bounds how long a request may take to arrive, lingerTime how long the
	// page may take to leave.
	headTime   = 10 * time.Second
	lingerTime = 2 * time.Second
	// maxHead is how large the head of a request may be, in bytes: codes are long.
	maxHead = 64 << 10
)

// Answer is how an answer of the authorization server is acted on. It gets the whole
// address that the browser was sent to. Its error is shown on the page, so it holds no
// secret.
type Answer func(ctx context.Context, callback string) error

// Await waits for the browser, lets act act on the answer with the state, shows the
// person what came of it, and closes the listener. Name is what the page calls the
// server. Ignored is told of what was not taken, and may be called at any time until
// Await returns.
//
// Failures: those of act, as they are; the context's.
func (l *Listener) Await(ctx context.Context, name, state string, ignored func(error), act Answer) error {
	waiting := &waiting{
		redirect: l.redirect, hosts: l.hosts(), name: name, state: state, ignored: ignored,
		// What acts on the answer ends with Await, not with the browser's request.
		act:  func(callback string) error { return act(ctx, callback) },
		done: make(chan error, 1),
	}
	server := &http.Server{Handler: waiting, ReadHeaderTimeout: headTime, MaxHeaderBytes: maxHead}
	server.SetKeepAlivesEnabled(false)
	var serving sync.WaitGroup
	for _, listener := range l.listeners {
		serving.Go(func() { _ = server.Serve(listener) }) // it ends with Shutdown
	}
	var err error
	select {
	case err = <-waiting.done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	lingering, cancel := context.WithTimeout(context.WithoutCancel(ctx), lingerTime)
	defer cancel()
	if server.Shutdown(lingering) != nil {
		_ = server.Close() // a browser that does not read the page
	}
	serving.Wait()
	return err
}

// hosts returns the values of the Host header that lead here. Another one is a page that
// rebinds its name to this machine.
func (l *Listener) hosts() map[string]bool {
	hosts := map[string]bool{l.redirect.Host: true}
	for _, listener := range l.listeners {
		hosts[listener.Addr().String()] = true
	}
	if l.redirect.Port() == "" {
		hosts[net.JoinHostPort(l.redirect.Hostname(), "80")] = true
	}
	return hosts
}
