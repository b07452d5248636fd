package domain

import (
	"errors"
	"fmt"
	"time"
)

// ReasonError says why a server cannot be used or was restarted, if that needs no further data. It
// and the types below are for ServerUnavailableError.Reason: facts without secrets. Package wording
// adds what to do next.
type ReasonError string

// The reasons without data.
const (
	// ErrToolboxClosed: the call ended because its toolbox was closed.
	ErrToolboxClosed ReasonError = "the toolbox was closed"
	// ErrReplaced: the server was restarted with other settings.
	ErrReplaced ReasonError = "its configuration changed"
	// ErrRestarted: the user restarted the server.
	ErrRestarted ReasonError = "the user restarted it"
	// ErrReplacedMeanwhile: the settings changed while an opening waited for the server.
	ErrReplacedMeanwhile ReasonError = "its configuration changed meanwhile"
	// ErrAtNextStart: the configuration allows nothing new before the next start.
	ErrAtNextStart ReasonError = "it was added while the workbench runs, or its program or address changed, " +
		"and the configuration allows nothing new before the next start of the workbench"
	// ErrHungForAnother: another host of a shared session found that the server hangs.
	ErrHungForAnother ReasonError = "the server did not answer the calls of another host, nor a ping"
	// ErrDisconnected: the host gave up the session.
	ErrDisconnected ReasonError = "the connection to the server was closed"
)

func (r ReasonError) Error() string { return string(r) }

func (v *UnsetVariableError) Error() string {
	return fmt.Sprintf("%s (%s)", v.Problem(), v.KeyPath)
}

// OutputError means that a server wrote what is not MCP, and no answer. That is a likelier reason than
// a limit.
type OutputError struct {
	// Output quotes what it wrote.
	Output string
	// Stderr is the end of what the server wrote to its standard error, "" for nothing.
	Stderr string
}

func (e *OutputError) Error() string {
	text := "what it wrote to its standard output is not MCP: " + e.Output
	if e.Stderr != "" {
		text += "; the end of its stderr: " + e.Stderr
	}
	return text
}

// ConnectTimeoutError means that an attempt to connect took longer than the limit.
type ConnectTimeoutError struct {
	Limit time.Duration
	// Cause is the failure of the attempt, which may have more details.
	Cause error
}

func (e *ConnectTimeoutError) Error() string {
	text := fmt.Sprintf("connection timeout after %gs", e.Limit.Seconds())
	if unavailable, ok := errors.AsType[*ServerUnavailableError](e.Cause); ok {
		text += "; " + unavailable.Reason.Error()
	}
	return text
}

// StillStartingError means that a server was not up when the answer was due.
type StillStartingError struct {
	Waited time.Duration
	// Installing is the package that is being installed, "" for none.
	Installing string
	// Stderr is the end of what the server wrote to its standard error, "" for nothing.
	Stderr string
	// Output quotes what it wrote to its standard output and that is no message, "" for nothing.
	Output string
	// InUse is set if a use of the server waited for it, not the opening of its toolbox.
	InUse bool
}

func (e *StillStartingError) Error() string {
	waited := e.Waited
	if waited > time.Second {
		waited = waited.Round(100 * time.Millisecond)
	}
	if e.Installing != "" {
		return fmt.Sprintf("its package %s is still being installed after %gs", e.Installing, waited.Seconds())
	}
	return fmt.Sprintf("still starting after %gs", waited.Seconds())
}

// HungError means that a server answered neither a number of calls in a row nor a ping.
type HungError struct{ Calls int }

func (e *HungError) Error() string {
	return fmt.Sprintf("the server did not answer %d calls in a row, nor a ping", e.Calls)
}

// PausedError means that a server failed and is not restarted yet.
type PausedError struct {
	// Failure is the last failure.
	Failure error
	// Failures is the number of failures in a row.
	Failures int
	// Stopped is set when the server failed so often that no tries are made for a while.
	Stopped bool
	// Wait is the time until the next try.
	Wait time.Duration
}

func (e *PausedError) Error() string {
	return fmt.Sprintf("%s; it failed %d times in a row", Reason(e.Failure), e.Failures)
}

// PackageError says why a server cannot start at the pinned version of its package.
type PackageError struct {
	// Pin is the pin that is not used, nil if the package has none.
	Pin *PackagePin
	// Request is the request that the pin does not fit, nil if it fits.
	Request *PackageRequest
	// Lock says why the lock cannot be used or, if there is a Pin, why the lock file of the package
	// cannot be used; "" if it can.
	Lock string
	// Cause says why the package cannot be pinned, nil if it can.
	Cause error
}

func (e *PackageError) Error() string {
	switch {
	case e.Lock != "" && e.Pin != nil:
		return fmt.Sprintf("the lock file of %s beside %s cannot be used: %s", e.Pin, LockName, e.Lock)
	case e.Lock != "":
		return fmt.Sprintf("it is not known whether its package is pinned, since %s cannot be used: %s", LockName, e.Lock)
	case e.Request != nil:
		return e.Pin.Misfit(*e.Request)
	case e.Pin != nil:
		return fmt.Sprintf("%s has a pin for %s, but what is configured now cannot be pinned: %v", LockName, e.Pin.Spec, e.Cause)
	case e.Cause != nil:
		return fmt.Sprintf(`its package cannot be pinned, and the configuration lets only pinned packages start ("packages"): %v`, e.Cause)
	}
	return `its package is not pinned, and the configuration lets only pinned packages start ("packages")`
}

// CanBePinned reports whether pinning the packages again helps.
func (e *PackageError) CanBePinned() bool { return e.Lock == "" && e.Cause == nil }

// Redacted returns the error without the secrets of the server.
func (e *PackageError) Redacted(server Server) *PackageError {
	redacted := &PackageError{Lock: server.Redact(e.Lock)}
	if e.Cause != nil {
		redacted.Cause = errors.New(server.Redact(e.Cause.Error()))
	}
	if e.Pin != nil {
		pin := *e.Pin
		pin.Name, pin.Spec, pin.Version = server.Redact(pin.Name), server.Redact(pin.Spec), server.Redact(pin.Version)
		redacted.Pin = &pin
	}
	if e.Request != nil {
		request := *e.Request
		request.Spec = server.Redact(request.Spec)
		redacted.Request = &request
	}
	return redacted
}
