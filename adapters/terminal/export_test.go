package terminal

import "io"

// NewOutput returns an output to a writer, of a console without input: a terminal of that many
// columns, or none with 0.
func NewOutput(to io.Writer, columns int) *Output {
	c := &Console{}
	o := &Output{
		console: c, to: to, isTerminal: func() bool { return columns > 0 }, columns: func() int { return columns },
	}
	c.Out, c.Err = o, &Output{console: c, to: io.Discard, isTerminal: func() bool { return false }}
	return o
}
