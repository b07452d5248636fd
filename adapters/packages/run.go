package packages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode"
)

const (
	// maxOutput is how much of what a program prints is read.
	maxOutput = 1 << 20
	// killTime is how long a program that was killed may hold its output open.
	killTime = 2 * time.Second
)

// program is how a program is started: its path and the arguments that come first.
type program struct {
	name string // for messages
	path string
	args []string
}

// runError says that a program ran and failed, with what it printed to stderr.
type runError struct {
	name   string
	err    error
	stderr string
}

func (e *runError) Error() string { return fmt.Sprintf("%s failed: %v", e.name, e.err) }
func (e *runError) Unwrap() error { return e.err }

// printed is what a program that ended well printed.
type printed struct{ stdout, stderr string }

// run runs a program in a folder to its end. When the context ends first, the program
// and what it started are killed.
//
// Failures: the context's cause; *runError.
func (s surroundings) run(ctx context.Context, p program, folder, stdin string, args ...string) (printed, error) {
	cmd := exec.CommandContext(ctx, p.path, append(p.args, args...)...)
	cmd.Dir, cmd.Env = folder, s.environ
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr beginning
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = killTime
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

// beginning keeps the beginning of what is written to it.
type beginning struct{ bytes.Buffer }

func (b *beginning) Write(data []byte) (int, error) {
	b.Buffer.Write(data[:min(len(data), maxOutput-b.Len())])
	return len(data), nil
}

const (
	maxQuotedLines = 4
	maxQuoted      = 400
)

// quoted returns the first lines of what a program said, in one line that is fit for a
// message. Secrets are hidden before, since half of one could not be found. without are beginnings of lines that are cut off, skip those of lines that
// say nothing.
func quoted(text string, without, skip []string) string {
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
		if line == "" || hasAnyPrefix(line, skip) {
			continue
		}
		if lines = append(lines, line); len(lines) == maxQuotedLines {
			break
		}
	}
	one := strings.Join(lines, "; ")
	if len(one) > maxQuoted {
		one = strings.ToValidUTF8(one[:maxQuoted], "") + "…"
	}
	return one
}

func hasAnyPrefix(text string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// gaveUp words the end of a context.
func gaveUp(what string, cause error) error {
	if errors.Is(cause, context.DeadlineExceeded) {
		return fmt.Errorf("%s did not end in time; the registry may be slow or away: %w", what, cause)
	}
	return fmt.Errorf("%s was given up: %w", what, cause)
}
