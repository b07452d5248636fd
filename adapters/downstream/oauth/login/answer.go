package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"sync/atomic"
)

// errForeignState says that an answer was ignored because its state differs.
var errForeignState = errors.New("an answer with another state arrived, and was ignored")

// expected is the answer of an authorization server that is waited for.
type expected struct {
	name  string // of the server, on the page
	state string
	// ignored is called for answers with another state, at any time until await returns.
	ignored func(error)
	// complete handles the answer, given the whole address to which the browser was sent. Its error is shown on the
	// page, so it must not contain secrets.
	complete func(ctx context.Context, address string) error
}

// await waits for the browser, completes the login with the one answer that has the state, shows the user the
// outcome, and closes the port.
//
// Failures: those of complete, unchanged; the context's.
func (p *port) await(ctx context.Context, wanted expected) error {
	defer p.close()
	var isTaken atomic.Bool
	done := make(chan error, 1)
	server := p.serve(func(w http.ResponseWriter, r *http.Request) {
		states := r.URL.Query()["state"]
		switch {
		case len(states) != 1 || subtle.ConstantTimeCompare([]byte(states[0]), []byte(wanted.state)) != 1:
			wanted.ignored(errForeignState)
			showPage(w, http.StatusBadRequest, "Not the login that is waiting",
				"This is not the answer to the login that is waiting. Begin again from the address that you were given.")
			return
		case !isTaken.CompareAndSwap(false, true):
			showPage(w, http.StatusGone, "Already answered", "This login was already answered. You can close this page.")
			return
		}
		address := p.address
		address.RawQuery = r.URL.RawQuery
		err := wanted.complete(ctx, address.String()) // it ends with ctx, not with the browser's request
		if err != nil {
			showPage(w, http.StatusBadRequest, "The login failed", "The login to "+wanted.name+" failed: "+err.Error()+". You can close this page.")
		} else {
			showPage(w, http.StatusOK, "Logged in", "You are logged in to "+wanted.name+". You can close this page.")
		}
		done <- err
	})
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	lingering, cancel := context.WithTimeout(context.WithoutCancel(ctx), lingerTime)
	defer cancel()
	if server.Shutdown(lingering) != nil {
		_ = server.Close() // a browser that does not read the page
	}
	return err
}
