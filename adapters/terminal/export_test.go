package terminal

import "io"

// NewOutput returns an output to a writer, in a console without input. It is a terminal with this number of
// columns, or no terminal if the number is 0.
func NewOutput(to io.Writer, columns int) *Output {
	o := NewConsoleOf(to, columns).Out
	o.console.Err = &Output{console: o.console, to: io.Discard, isTerminal: func() bool { return false }}
	return o
}

// NewConsoleOf returns a console without input, whose outputs both go to a writer.
func NewConsoleOf(to io.Writer, columns int) *Console {
	c := &Console{}
	output := func() *Output {
		return &Output{console: c, to: to, isTerminal: func() bool { return columns > 0 }, columns: func() int { return columns }}
	}
	c.Out, c.Err = output(), output()
	return c
}
