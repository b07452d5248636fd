package terminal

import (
	"errors"
	"sync"
)

// ErrInterrupted means that the user pressed Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// LeaveInterrupts says that another part of the program, or another program, sees interrupts (Ctrl-C) until
// the returned function is called.
func (c *Console) LeaveInterrupts() (stop func()) {
	c.busy.Add(1)
	return sync.OnceFunc(func() { c.busy.Add(-1) })
}

// UseBeforeEnd tells the console how to have a function called before a signal other than an interrupt ends
// the program, until stop is called. Without it such a signal may leave the terminal in raw mode.
func (c *Console) UseBeforeEnd(beforeEnd func(do func()) (stop func())) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.beforeEnd = beforeEnd
}

// IfInterrupted sets what SayInterrupted prints from now on behind its message.
func (c *Console) IfInterrupted(note string) { c.note.Store(&note) }

// SayInterrupted prints a message on standard error, and what is left of the work that was interrupted.
func (c *Console) SayInterrupted(message string) {
	c.Err.Print(message)
	if note := c.note.Load(); note != nil {
		_ = New(c.Err, "never").Print("%s", *note) // a failure cannot be shown
	}
}

// Interrupt prepares the console for the end of the program after an interrupt: it ends the question that is
// open, without an answer, drops the text that waits for it, and calls SayInterrupted unless a write is
// blocked. It reports false, and does nothing, if interrupts are left to others.
func (c *Console) Interrupt(message string) (ends bool) {
	if c.busy.Load() > 0 {
		return false
	}
	if !c.mu.TryLock() {
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
	if c.Err.IsTerminal() {
		_ = c.Err.rawLocked("\n") // behind the prompt and "^C"
	}
	c.mu.Unlock()
	c.SayInterrupted(message)
	return true
}
