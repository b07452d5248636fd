package stdio

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/stdio/watchdog"
	"mcp-workbench/domain"
)

// process is a running server program with everything it started. It outlives
// the context of whoever started it; only stop ends it, or it itself.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File // the workbench's end
	stdout *os.File // the workbench's end
	stderr *os.File // the workbench's end
	errors *stderr
	group  *group
	guard  *watchdog.Guard
	log    *slog.Logger

	exited chan struct{} // closed when the program was reaped
	err    error         // what Wait returned; read after exited
	free   sync.Once
	freed  chan struct{} // closed when the number of the group was given up
}

// start starts the program in a process group of its own, with pipes that the
// workbench owns: no goroutine of os/exec waits for a descendant that holds one
// of them open. The wardens see to its end.
func start(l launch, server domain.Server, wardens wardens, log *slog.Logger) (*process, error) {
	var pipes pipes
	defer pipes.closeChildEnds()
	if err := pipes.open(); err != nil {
		pipes.closeOwnEnds()
		return nil, fmt.Errorf("its pipes cannot be made: %s", cause(err))
	}
	cmd := &exec.Cmd{
		Path: l.path, Args: append([]string{l.settings.Command}, l.settings.Args...),
		Env: l.env, Dir: l.settings.Cwd,
		Stdin: pipes.childIn, Stdout: pipes.childOut, Stderr: pipes.childErr,
		SysProcAttr: ownGroup(),
	}
	if err := cmd.Start(); err != nil {
		pipes.closeOwnEnds()
		return nil, l.startFailure(err)
	}
	p := &process{
		cmd: cmd, stdin: pipes.in, stdout: pipes.out, stderr: pipes.err,
		errors: newStderr(server.Secrets, log), group: newGroup(cmd.Process.Pid, wardens.census), guard: wardens.guard,
		log: log, exited: make(chan struct{}), freed: make(chan struct{}),
	}
	p.guard.Watch(cmd.Process.Pid)
	go p.errors.drain(p.stderr)
	go p.wait()
	return p, nil
}

func (p *process) wait() {
	p.err = p.cmd.Wait()
	close(p.exited)
}

// exitReason says how the program ended, in words for a model. It is for after
// exited is closed.
func (p *process) exitReason() string {
	p.awaitLastWords()
	var status *exec.ExitError
	reason := "the server exited"
	if errors.As(p.err, &status) {
		reason = "the server ended by " + describe(status)
	}
	if last := p.errors.last(); last != "" {
		reason += "; the end of its stderr: " + last
	}
	return reason
}

// awaitLastWords gives what the program wrote last the time to come through the
// pipe, unless a descendant keeps that open.
func (p *process) awaitLastWords() {
	select {
	case <-p.errors.ended:
	case <-time.After(lastWordsTime):
	}
}

const (
	lastWordsTime = 100 * time.Millisecond
	firstPoll     = time.Millisecond
	slowestPoll   = 20 * time.Millisecond
	// remainsPoll is how often a group that is still there is searched for a living
	// process, which costs milliseconds.
	remainsPoll = 50 * time.Millisecond
	// mostKills is how often what is left is killed, and looked at after each time.
	mostKills = 10
)

// stop ends the program and all its descendants in steps: its input ends; after
// two sevenths of the time that the context leaves, they get SIGTERM; when the
// context ends, SIGKILL. It returns when nothing is left and the pipes are closed.
// Several may stop one process at once, each in its own time; when one is done, all
// are.
func (p *process) stop(ctx context.Context) {
	defer p.closePipes()
	defer p.giveUpNumber()
	p.group.gather()
	p.closeInput()
	asked, cancel := context.WithDeadline(ctx, p.termination(ctx))
	defer cancel()
	if p.gone(asked) {
		return
	}
	p.log.Debug("the server did not end with its input, terminating it")
	p.group.terminate()
	if p.gone(ctx) {
		return
	}
	p.log.Warn("the server did not end when told to, killing it")
	for range mostKills {
		p.group.kill()
		if p.goneWithin(slowestPoll) {
			return
		}
	}
	// What is left is dead, and whoever adopted it is slow to take note.
}

// giveUpNumber lets the number of the group be anybody's from now on.
func (p *process) giveUpNumber() {
	p.free.Do(func() {
		close(p.freed)
		p.guard.Forget(p.cmd.Process.Pid)
		p.group.close()
	})
}

// termination returns the moment for SIGTERM.
func (p *process) termination(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return time.Now().Add(5 * time.Second)
	}
	return time.Now().Add(time.Until(deadline) * 2 / 7)
}

func (p *process) goneWithin(limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return p.gone(ctx)
}

// gone waits until the program was reaped and nothing that it started is
// left, or the context ends, and reports which. What another stop was done with is
// gone: its number may be another group's.
func (p *process) gone(ctx context.Context) bool {
	select {
	case <-p.exited:
	case <-p.freed:
		return true
	case <-ctx.Done():
		return false
	}
	remains := time.NewTicker(remainsPoll)
	defer remains.Stop()
	dead := 0 // looks in a row
	for pause := firstPoll; p.group.alive(); pause = min(2*pause, slowestPoll) {
		select {
		case <-remains.C:
			if dead++; !p.group.dead() {
				dead = 0
			}
			// Before it ended, a process may have started another one, behind the place
			// that the first look had come to.
			if dead == 2 {
				return true
			}
		case <-time.After(pause):
		case <-p.freed:
			return true
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (p *process) closeInput() {
	if err := p.stdin.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		p.log.Debug("could not close the server's input", "error", err)
	}
}

// closePipes frees whoever reads from what a descendant outside the group may
// hold open.
func (p *process) closePipes() {
	p.closeInput()
	p.awaitLastWords()
	for _, err := range []error{closeOutput(p.stdout), p.stderr.Close()} {
		if err != nil && !errors.Is(err, os.ErrClosed) {
			p.log.Debug("could not close a pipe of the server", "error", err)
		}
	}
}
