package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"

	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Runner runs programs and returns what they print. It starts them by the same rules as servers. Safe
// for concurrent use.
type Runner struct {
	supervision supervision
	place       Place
}

var _ ports.ProgramRunner = (*Runner)(nil)

// NewRunner returns a runner that starts programs in a place. The guard ends programs if the workbench is killed; it
// may be nil.
func NewRunner(guard *processtree.Guard, place Place) *Runner {
	return &Runner{supervision{processTable: &processtree.Table{}, guard: guard}, place}
}

// Output implements ports.ProgramRunner. A process that the program leaves behind keeps running if it closed
// the program's output, as agents that keep a password do. Otherwise Output waits until the context ends, ends
// the process, and fails.
func (r *Runner) Output(ctx context.Context, program domain.Program, limit int64) ([]byte, error) {
	traits := domain.Traits{Program: program, InheritsAll: true}
	return r.OutputOf(ctx, domain.Server{Traits: traits, Shown: traits}, limit)
}

// OutputOf is Output for the program of a server, with the environment that the server gets.
func (r *Runner) OutputOf(ctx context.Context, server domain.Server, limit int64) ([]byte, error) {
	launch, err := prepare(server, r.place)
	if err != nil {
		return nil, err
	}
	process, err := start(launch, server, withheldWords, os.Pipe, r.supervision, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	process.closeInput()
	output, err := process.output(ctx, limit)
	if err != nil {
		process.stop(endedContext(ctx))
		return nil, fmt.Errorf("command '%s' %w", server.Shown.Program.Command, err)
	}
	process.releaseGroup()
	process.closePipes()
	return output, nil
}

// withheldWords keeps all that a program wrote to its standard error out of messages.
func withheldWords(string) string { return "" }

// endedContext returns a context that has ended, with which stop kills without waiting.
func endedContext(ctx context.Context) context.Context {
	over, cancel := context.WithCancel(ctx)
	cancel()
	return over
}

var errPrintedTooMuch = errors.New("printed too much")

// output waits until the program has ended and its output is closed, and returns what it printed.
//
// Failures, to be read after the name of the program: the context's cause; how the program ended; too
// much output.
func (p *process) output(ctx context.Context, limit int64) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		text, err := io.ReadAll(io.LimitReader(p.stdout, limit+1))
		read <- result{text, err}
	}()
	var printed result
	select {
	case printed = <-read:
	case <-ctx.Done():
		return nil, p.late(ctx)
	}
	if int64(len(printed.text)) > limit {
		return nil, fmt.Errorf("%w: more than %d KiB", errPrintedTooMuch, limit>>10)
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		return nil, p.late(ctx)
	}
	if status, failed := errors.AsType[*exec.ExitError](p.err); failed {
		return nil, errors.New("ended " + describe(status))
	}
	return printed.text, errors.Join(printed.err, p.err)
}

// late returns the error for a program that was not done when the context ended.
func (p *process) late(ctx context.Context) error {
	select {
	case <-p.exited:
		return fmt.Errorf("ended, but another program kept its output open (%w)", context.Cause(ctx))
	default:
		return fmt.Errorf("did not end (%w)", context.Cause(ctx))
	}
}
