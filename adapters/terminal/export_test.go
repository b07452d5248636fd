package terminal

import "io"

// NewOutput returns an output to a writer, in a console without input. It is a terminal with this number of
// columns, or no terminal if the number is 0.
func NewOutput(to io.Writer, columns int) *Output {
	c := &Console{}
	o := &Output{
		console: c, to: to, isTerminal: func() bool { return columns > 0 }, columns: func() int { return columns },
	}
	c.Out, c.Err = o, &Output{console: c, to: io.Discard, isTerminal: func() bool { return false }}
	return o
}
