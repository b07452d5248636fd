package application

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// maxSecretValue is the largest value in bytes, before its last line end is removed.
const maxSecretValue = 64 << 10

// SecretValues are the values that commands printed for the servers of a process. A command runs when the first server
// needs its value, once for all servers of the process. It runs again after it failed, and after a server refused a
// login with its value. Until a server starts, its settings have placeholders, so that servers are compared without
// their secrets. Safe for concurrent use.
type SecretValues struct {
	runner ports.ProgramRunner
	learn  func(domain.Secrets)

	mu   sync.Mutex // guards runs, and the fields of a run that name it
	runs []*secretRun
}

// secretRun is a command that runs or has printed its value.
type secretRun struct {
	command domain.SecretCommand
	// waiting is the number of callers that wait for the value; SecretValues.mu guards it.
	waiting int
	cancel  context.CancelFunc
	done    chan struct{}
	// value and err are written before done is closed.
	value string
	err   error
}

// NewSecretValues returns an empty set of values. Learn is called with the secrets of each server that gets a
// value.
func NewSecretValues(runner ports.ProgramRunner, learn func(domain.Secrets)) *SecretValues {
	return &SecretValues{runner: runner, learn: learn}
}

// read returns the values of commands by variable. Commands that have not run yet run at the same
// time, each for at most the limit.
//
// Failures: *domain.SecretError, which may wrap the context's cause.
func (v *SecretValues) read(ctx context.Context, commands []domain.SecretCommand, limit time.Duration) (map[string]string, error) {
	runs := make([]*secretRun, len(commands))
	for i, command := range commands {
		runs[i] = v.join(command, limit)
	}
	values := map[string]string{}
	var failures []error
	for i, run := range runs {
		if err := v.await(ctx, run); err != nil { // it may still run for other callers
			failures = append(failures, &domain.SecretError{Variable: commands[i].Variable, Cause: err})
			continue
		}
		values[commands[i].Variable] = run.value
	}
	if len(failures) > 0 {
		return nil, failures[0]
	}
	return values, nil
}

// Complete returns a server with the values that its settings need from commands.
//
// Failures: *domain.SecretError, which may wrap the context's cause.
func (v *SecretValues) Complete(ctx context.Context, server domain.Server) (domain.Server, error) {
	server, _, err := v.complete(ctx, server)
	return server, err
}

// complete is Complete, and returns the values too. After a failure the server is as it was.
func (v *SecretValues) complete(ctx context.Context, server domain.Server) (domain.Server, map[string]string, error) {
	values, err := v.read(ctx, server.SecretCommands, server.Limits.Secret)
	if err != nil {
		return server, nil, err
	}
	server = server.WithSecrets(values)
	v.learn(server.Secrets)
	return server, values, nil
}

// join returns the run of a command, and begins it if there is none.
func (v *SecretValues) join(command domain.SecretCommand, limit time.Duration) *secretRun {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, known := range v.runs {
		if known.command.Equal(command) {
			known.waiting++
			return known
		}
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), limit, fmt.Errorf("limits.secret is %gs", limit.Seconds()))
	begun := &secretRun{command: command, waiting: 1, cancel: cancel, done: make(chan struct{})}
	v.runs = append(v.runs, begun)
	go v.run(ctx, begun)
	return begun
}

// run runs a command. A failure is not kept, so that the next server runs it again.
func (v *SecretValues) run(ctx context.Context, r *secretRun) {
	defer r.cancel()
	output, err := v.runner.Output(ctx, r.command.Program, maxSecretValue)
	if err == nil {
		r.value, err = secretIn(output)
	}
	if r.err = err; err != nil {
		v.mu.Lock()
		v.remove(r)
		v.mu.Unlock()
	}
	close(r.done)
}

// await waits until a run is over, and returns the error if it has no value. If the
// context ends first, it ends a run that no other caller waits for.
func (v *SecretValues) await(ctx context.Context, r *secretRun) error {
	var gaveUp error
	select {
	case <-r.done:
	case <-ctx.Done():
		gaveUp = context.Cause(ctx)
	}
	v.mu.Lock()
	r.waiting--
	isLast := gaveUp != nil && r.waiting == 0
	if isLast {
		v.remove(r) // so that no later caller joins a run that is being ended
	}
	v.mu.Unlock()
	if gaveUp == nil {
		return r.err
	}
	if isLast {
		r.cancel()
		<-r.done
	}
	return gaveUp
}

// secretIn returns the value in the output of a command.
func secretIn(output []byte) (string, error) {
	value := strings.TrimSuffix(strings.TrimSuffix(string(output), "\n"), "\r")
	switch {
	case value == "":
		return "", errors.New("its command printed nothing")
	case strings.ContainsRune(value, 0):
		return "", errors.New("its command printed a NUL character")
	case !utf8.ValidString(value):
		return "", errors.New("its command printed something other than UTF-8")
	}
	return value, nil
}

// forget makes commands run again for the next server that needs them, unless they have new values
// already.
func (v *SecretValues) forget(commands []domain.SecretCommand, values map[string]string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.runs = slices.DeleteFunc(v.runs, func(r *secretRun) bool {
		return r.isOver() && r.value == values[r.command.Variable] && slices.ContainsFunc(commands, r.command.Equal)
	})
}

func (r *secretRun) isOver() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// remove forgets a run. The caller holds mu.
func (v *SecretValues) remove(gone *secretRun) {
	v.runs = slices.DeleteFunc(v.runs, func(r *secretRun) bool { return r == gone })
}
