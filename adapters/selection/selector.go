package selection

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"time"

	"mcp-workbench/domain"
)

const (
	// maxRunning is the maximum number of simultaneous processes; further selections wait.
	maxRunning = 2
	// maxLife is the time limit for a process, from its start.
	maxLife = maxDecodeTime + 2*maxTime
	// maxOutput is the maximum size of an output, in bytes.
	maxOutput = 1 << 20
	// maxAnswer is the number of bytes that are read from a process, in which the output is quoted.
	maxAnswer = 6*maxOutput + 4096
)

// Selector implements ports.Selector with a process for each selection. Safe for concurrent use.
type Selector struct {
	program   func() string
	arguments []string
	running   chan struct{}
}

// New returns a selector. The function program returns the path of a program that, started with the arguments, calls
// Run with its standard input and output. It is called for each selection.
func New(program func() string, arguments ...string) *Selector {
	return &Selector{program: program, arguments: arguments, running: make(chan struct{}, maxRunning)}
}

// Select implements ports.Selector.
func (s *Selector) Select(ctx context.Context, program string, values []json.RawMessage) (domain.Selection, error) {
	return s.ask(ctx, question{Program: program, MaxOutput: maxOutput}, values)
}

// Grep implements ports.Selector.
func (s *Selector) Grep(ctx context.Context, expression, text string) (domain.Selection, error) {
	return s.ask(ctx, question{Expression: expression, MaxOutput: maxOutput}, []json.RawMessage{json.RawMessage(text)})
}

func (s *Selector) ask(ctx context.Context, asked question, texts []json.RawMessage) (domain.Selection, error) {
	select {
	case s.running <- struct{}{}:
		defer func() { <-s.running }()
	case <-ctx.Done():
		return domain.Selection{}, fmt.Errorf("wait for another selection: %w", context.Cause(ctx))
	}
	ctx, cancel := context.WithTimeout(ctx, maxLife)
	defer cancel()
	command := exec.CommandContext(ctx, s.program(), s.arguments...)
	command.Env, command.Dir = []string{}, folder
	command.WaitDelay = time.Second
	in, err := command.StdinPipe()
	if err != nil {
		return domain.Selection{}, fmt.Errorf("start a process for the selection: %w", err)
	}
	output := &limitedBuffer{left: maxAnswer}
	command.Stdout = output
	if err := command.Start(); err != nil {
		return domain.Selection{}, fmt.Errorf("start a process for the selection: %w", err)
	}
	writeErr := writeQuestion(in, asked, texts)
	_ = in.Close() // if that fails, the process has ended
	waitErr := command.Wait()
	if ctx.Err() != nil {
		if context.Cause(ctx) == context.DeadlineExceeded { //nolint:errorlint // the cause is never wrapped
			return domain.Selection{}, &domain.SelectionError{Kind: domain.SelectionTime}
		}
		return domain.Selection{}, fmt.Errorf("run the selection: %w", context.Cause(ctx))
	}
	var answered answer
	switch err := json.Unmarshal(output.Bytes(), &answered); {
	case err != nil && waitErr != nil:
		// The process ended without an answer: the system ends it when it asks for too much memory.
		return domain.Selection{}, &domain.SelectionError{Kind: domain.SelectionMemory}
	case err != nil && writeErr != nil:
		return domain.Selection{}, writeErr
	case err != nil:
		return domain.Selection{}, fmt.Errorf("read the answer of the selection: %w", err)
	case answered.Error != nil:
		return domain.Selection{}, answered.Error
	}
	return domain.Selection{Output: answered.Output, More: answered.More}, nil
}

// limitedBuffer keeps the beginning of what is written to it.
type limitedBuffer struct {
	bytes.Buffer
	left int
}

func (b *limitedBuffer) Write(text []byte) (int, error) {
	kept := text[:min(len(text), b.left)]
	b.left -= len(kept)
	b.Buffer.Write(kept)
	return len(text), nil
}
