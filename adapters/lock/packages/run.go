package packages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"

	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/domain"
)

const (
	// maxOutput bounds each output of a program that is kept, in bytes.
	maxOutput = 1 << 20
	// killTime is the time to wait for the output of a killed program to close.
	killTime = 2 * time.Second
)

// A program is a path with the arguments that always come first.
type program struct {
	name string // for messages
	path string
	args []string
}

// A runError is the failure of a program that ran, with its stderr.
type runError struct {
	name   string
	err    error
	stderr string
}

func (e *runError) Error() string { return fmt.Sprintf("%s failed: %v", e.name, e.err) }
func (e *runError) Unwrap() error { return e.err }

// printed is the output of a program that succeeded.
type printed struct{ stdout, stderr string }

// run runs a program in a folder. When the context ends, it kills the program and its children.
//
// Failures: the context's cause; *runError.
func (s surroundings) run(ctx context.Context, p program, folder, stdin string, args ...string) (printed, error) {
	cmd := exec.CommandContext(ctx, p.path, append(p.args, args...)...)
	cmd.Dir, cmd.Env = folder, s.environ
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr beginning
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = killTime
	ownprocess.WithoutWindow(cmd)
	ownGroup(cmd)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return printed{}, context.Cause(ctx)
	case err != nil:
		return printed{}, &runError{name: p.name, err: err, stderr: stderr.String()}
	}
	return printed{stdout.String(), stderr.String()}, nil
}

// beginning is a writer that keeps the first maxOutput bytes.
type beginning struct{ bytes.Buffer }

func (b *beginning) Write(data []byte) (int, error) {
	b.Buffer.Write(data[:min(len(data), maxOutput-b.Len())])
	return len(data), nil
}

const (
	maxQuotedLines = 4
	maxQuoted      = 400
)

// quotation returns the first lines of a program's output as one line for a message. Callers hide
// secrets first, since half of one would not be found. It removes the prefixes in without from each
// line, and leaves out lines that begin with one in skip.
func quotation(text string, without, skip []string) string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.Map(func(r rune) rune {
			if r == '\t' || unicode.IsPrint(r) {
				return r
			}
			return -1
		}, line)
		line = strings.TrimSpace(line)
		for _, prefix := range without {
			line = strings.TrimSpace(strings.TrimPrefix(line, prefix))
		}
		if line == "" || slices.ContainsFunc(skip, func(prefix string) bool { return strings.HasPrefix(line, prefix) }) {
			continue
		}
		if lines = append(lines, line); len(lines) == maxQuotedLines {
			break
		}
	}
	return domain.CutBytes(strings.Join(lines, "; "), maxQuoted)
}

// failure returns the error of work that failed, or that a context ended.
func failure(what string, cause error) error {
	switch {
	case errors.Is(cause, context.DeadlineExceeded):
		return fmt.Errorf("%s did not finish in time; the registry may be slow or unreachable: %w", what, cause)
	case errors.Is(cause, context.Canceled):
		return fmt.Errorf("%s was cancelled: %w", what, cause)
	}
	return fmt.Errorf("%s: %w", what, cause)
}
