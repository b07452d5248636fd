package selection

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"time"

	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/application/shares"
	"mcp-workbench/domain"
)

const (
	// maxTurns is the maximum number of simultaneous turns, and so of processes. Of those that wait, which hold
	// nothing, each caller can have maxWaitingEach, so that even the last one ends before a host gives up if the machine
	// is not busy, and all together maxWaiting.
	maxTurns       = 2
	maxWaitingEach = 8
	maxWaiting     = 256
	// maxLife is the time limit for a process, from its start. On a busy machine it is longer than the processor time
	// that the process may take, and hosts give a call up after it.
	maxLife = scale * 40 * time.Second
	// maxOutput is the maximum size of an output, in bytes.
	maxOutput = 1 << 20
	// maxAnswer is the number of bytes that are read from a process, in which the output is quoted.
	maxAnswer = 6*maxOutput + 4096
)

// Processes run selections, each in a process of its own, in turns among callers. Safe for concurrent
// use.
type Processes struct {
	program   func() string
	arguments []string
	turns     *shares.Turns
}

// Selector implements ports.Selector for one caller. Safe for concurrent use.
type Selector struct {
	processes *Processes
	caller    string
}

// New returns processes. The function program returns the path of a program that, started with the arguments, calls
// Run with its standard input and output. It is called for each selection.
func New(program func() string, arguments ...string) *Processes {
	return &Processes{program: program, arguments: arguments, turns: shares.NewTurns(maxTurns, maxWaitingEach, maxWaiting)}
}

// Of returns a selector for a caller, which takes turns with other callers.
func (p *Processes) Of(caller string) *Selector { return &Selector{processes: p, caller: caller} }

// Turn implements ports.Selector.
func (s *Selector) Turn(ctx context.Context) (end func(), err error) {
	end, err = s.processes.turns.Take(ctx, s.caller)
	if errors.Is(err, shares.ErrBusy) {
		err = &domain.SelectionError{Kind: domain.SelectionBusy}
	}
	return end, err
}

// Select implements ports.Selector.
func (s *Selector) Select(ctx context.Context, program string, result json.RawMessage) (domain.Selection, error) {
	return s.processes.ask(ctx, question{Program: program}, result)
}

// Grep implements ports.Selector.
func (s *Selector) Grep(ctx context.Context, expression string, result json.RawMessage) (domain.Selection, error) {
	return s.processes.ask(ctx, question{Expression: expression}, result)
}

func (p *Processes) ask(ctx context.Context, asked question, result json.RawMessage) (domain.Selection, error) {
	if size := len(asked.Program) + len(asked.Expression); size > domain.MaxProgram {
		return domain.Selection{}, &domain.SelectionError{
			Kind: domain.SelectionSyntax, Message: fmt.Sprintf("it has %d bytes, and at most %d are run", size, domain.MaxProgram),
		}
	}
	ctx, cancel := context.WithTimeout(ctx, maxLife)
	defer cancel()
	command := exec.CommandContext(ctx, p.program(), p.arguments...)
	command.Env, command.Dir = []string{}, folder
	command.WaitDelay = time.Second
	ownprocess.WithoutWindow(command)
	in, err := command.StdinPipe()
	if err != nil {
		return domain.Selection{}, fmt.Errorf("start a process for the selection: %w", err)
	}
	output := &limitedBuffer{left: maxAnswer}
	command.Stdout = output
	if err := command.Start(); errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) {
		return domain.Selection{}, &domain.SelectionError{Kind: domain.SelectionGone}
	} else if err != nil {
		return domain.Selection{}, fmt.Errorf("start a process for the selection: %w", err)
	}
	writeErr := writeQuestion(in, asked, result)
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
