package terminal

import (
	"context"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/term"
)

// Console is the terminal of a process, and its only writer: text goes through Out and Err, questions
// through Output.Begin. While a question is open, all other text waits for the answer. Safe for
// concurrent use.
type Console struct {
	// Out is standard output, Err standard error.
	Out, Err *Output
	// Settle waits until Interrupt has returned for every interrupt that came before, nil without interrupts.
	Settle func()
	// BeforeEnd calls a function before a signal other than an interrupt ends the program, until stop is called. If it
	// is nil, such a signal may leave the terminal in raw mode.
	BeforeEnd func(do func()) (stop func())

	keys   *input
	asking sync.Mutex // held by the question that is open
	busy   atomic.Int32
	note   atomic.Pointer[string]

	mu   sync.Mutex // guards the fields below, and is locked during writes
	held *held      // the text that waits while a question is open, nil without one
	// restore undoes the raw mode of the terminal, nil while it is not in that mode.
	restore func()
}

// NewConsole returns the console of these files. It does not use them before it needs to.
func NewConsole(in, out, err *os.File) *Console {
	c := &Console{keys: newInput(in)}
	c.Out, c.Err = c.output(out), c.output(err)
	return c
}

// output returns the output to a file.
func (c *Console) output(file *os.File) *Output {
	return &Output{
		console: c, to: file,
		isTerminal: sync.OnceValue(func() bool { return term.IsTerminal(int(file.Fd())) }),
		columns: func() int {
			const usual = 80 // if the terminal does not report its width
			width, _, err := term.GetSize(int(file.Fd()))
			if err != nil || width <= 0 {
				return usual
			}
			return width
		},
		rows: func() int {
			_, height, _ := term.GetSize(int(file.Fd())) // 0 if that fails
			return height
		},
	}
}

// ReadLine returns the next line of standard input, which need not be a terminal, without its end. Questions
// need a Question instead.
//
// Failures: io.EOF at the end of the input; those of the context and of reading.
func (c *Console) ReadLine(ctx context.Context) (string, error) { return c.keys.line(ctx) }

// Input returns standard input, for commands that read all of it.
func (c *Console) Input() io.Reader { return c.keys.file }
