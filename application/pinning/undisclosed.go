package pinning

import (
	"errors"
	"sync/atomic"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// undisclosedReason replaces the problem of a lock.
const undisclosedReason = "the reason is on the standard error of the workbench, for its operator"

// Undisclosed returns pins whose failures hide the problem of the lock, which names servers and
// tools that some hosts must not know. It passes each failure to note once.
func Undisclosed(pins ports.Pins, note func(error)) ports.Pins {
	return &undisclosed{Pins: pins, note: note}
}

type undisclosed struct {
	ports.Pins
	note func(error)
	last atomic.Pointer[disclosure]
}

// disclosure is a failure and the form of it that hosts may see.
type disclosure struct{ failure, disclosed *domain.LockBrokenError }

// Lock implements ports.Pins.
func (u *undisclosed) Lock() (*domain.Lock, error) {
	lock, err := u.Pins.Lock()
	broken, ok := errors.AsType[*domain.LockBrokenError](err)
	if !ok {
		return lock, err
	}
	last := u.last.Load()
	if last == nil || last.failure != broken {
		last = &disclosure{failure: broken, disclosed: &domain.LockBrokenError{Path: broken.Path, Reason: undisclosedReason}}
		u.last.Store(last)
		u.note(err)
	}
	return lock, last.disclosed
}
