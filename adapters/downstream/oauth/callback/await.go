package callback

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// ErrForeignState says that an answer was ignored because its state differs.
var ErrForeignState = errors.New("an answer with another state arrived, and was ignored")

const (
	// headTime is the longest time a request may take to arrive, lingerTime the longest the page may take to be
	// sent.
	headTime   = 10 * time.Second
	lingerTime = 2 * time.Second
	// maxHead is the size in bytes of the head of a request: codes are long.
	maxHead = 64 << 10
)

// Answer handles the answer of the authorization server, given the whole address to which the browser
// was sent. Its error is shown on the page, so it must not contain secrets.
type Answer func(ctx context.Context, callback string) error

// Await waits for the browser, calls act with the answer that has the state, shows the user the
// outcome, and closes the listener. Name is the server's name on the page. Ignored is called with
// ErrForeignState for other answers, at any time until Await returns.
//
// Failures: those of act, unchanged; the context's.
func (l *Listener) Await(ctx context.Context, name, state string, ignored func(error), act Answer) error {
	waiting := &waiting{
		redirect: l.redirect, hosts: l.hosts(), name: name, state: state, ignored: ignored,
		// Act ends with Await, not with the browser's request.
		act:  func(callback string) error { return act(ctx, callback) },
		done: make(chan error, 1),
	}
	server := &http.Server{Handler: waiting, ReadHeaderTimeout: headTime, MaxHeaderBytes: maxHead}
	server.SetKeepAlivesEnabled(false)
	var serving sync.WaitGroup
	for _, listener := range l.listeners {
		serving.Go(func() { _ = server.Serve(listener) }) // Shutdown ends it
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

// hosts returns the valid values of the Host header. A request with another comes from a page that
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
