package terminal

import (
	"errors"
	"sync"
	"time"
)

// writeTime is how long an interrupt waits for an unfinished write.
const writeTime = time.Second

// ErrInterrupted means that the user pressed Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// LeaveInterrupts leaves interrupts (Ctrl-C) to another part of the program, or another program, until stop is
// called.
func (c *Console) LeaveInterrupts() (stop func()) {
	c.busy.Add(1)
	return sync.OnceFunc(func() {
		if c.Settle != nil {
			c.Settle() // the interrupt that ended the other part must not end the program too
		}
		c.busy.Add(-1)
	})
}

// IfInterrupted sets the note that SayInterrupted prints after its message.
func (c *Console) IfInterrupted(note string) { c.note.Store(&note) }

// SayInterrupted prints a message and the note of IfInterrupted on standard error.
func (c *Console) SayInterrupted(message string) {
	c.Err.Print(message)
	if note := c.note.Load(); note != nil {
		c.Err.Print(*note)
	}
}

// Interrupt prepares the console for the end of the program after an interrupt: it ends an open question
// without an answer, drops the text that waits for it, and calls SayInterrupted. It does none of that if a write
// is blocked for longer than a second. It does nothing and reports false if interrupts are left to others.
func (c *Console) Interrupt(message string) (ends bool) {
	if c.busy.Load() > 0 {
		return false
	}
	if !c.lockInTime() {
		return true
	}
	if c.restore != nil {
		c.restore()
	}
	c.held = nil
	for _, out := range []*Output{c.Out, c.Err} {
		out.status = nil
		out.repaintLocked()
	}
	if c.Err.isTerminal() {
		_ = c.Err.rawLocked("\n") // after the prompt and "^C"
	}
	c.mu.Unlock()
	c.SayInterrupted(message)
	return true
}

// lockInTime locks the console once no write is under way, and reports false if one is blocked. The program ends then, so
// the lock need not be released.
func (c *Console) lockInTime() bool {
	locked := make(chan struct{})
	go func() {
		c.mu.Lock()
		close(locked)
	}()
	select {
	case <-locked:
		return true
	case <-time.After(writeTime):
		return false
	}
}
