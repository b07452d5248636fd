package stdio

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/stdio/processtree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// pipes are the three pipes between the workbench and a server, both ends each.
type pipes struct {
	in, out, err                *os.File // the workbench's ends
	childIn, childOut, childErr *os.File
}

// openPipe creates a pipe.
type openPipe func() (read, write *os.File, err error)

func (p *pipes) open(input openPipe) error {
	var inErr, outErr, errErr error
	p.childIn, p.in, inErr = input()
	p.out, p.childOut, outErr = outputPipe()
	p.err, p.childErr, errErr = os.Pipe()
	return errors.Join(inErr, outErr, errErr)
}

func (p *pipes) closeChildEnds() { closeAll(p.childIn, p.childOut, p.childErr) }
func (p *pipes) closeOwnEnds()   { closeAll(p.in, p.out, p.err) }

func closeAll(files ...*os.File) {
	for _, file := range files {
		if file != nil {
			_ = file.Close() // nothing was written to it yet
		}
	}
}

// A process is a running server program with its descendants. It outlives the context with
// which it was started, and ends on its own or when stop is called.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File // the workbench's end
	stdout *os.File // the workbench's end
	stderr *os.File // the workbench's end
	errors *stderr
	shown  func(words string) string // returns the part of errors that a message can show
	held   heldBack                  // the variables that the program may have lacked
	group  *group
	guard  *processtree.Guard
	log    *slog.Logger
	// container says that the program is the client of a container, which runs as a child of another program.
	container bool

	exited   chan struct{} // closed when the program was reaped
	err      error         // what Wait returned; read after exited
	killed   sync.Once     // so that it is logged once
	release  sync.Once
	released chan struct{} // closed when the group was released, since its number can be reused
}

// start starts the program in a process group of its own. It creates the pipes itself, so no
// goroutine of os/exec waits for a descendant that keeps one open.
func start(l launch, server domain.Server, shown func(words string) string, input openPipe, supervision supervision, log *slog.Logger) (*process, error) {
	var pipes pipes
	defer pipes.closeChildEnds()
	if err := pipes.open(input); err != nil {
		pipes.closeOwnEnds()
		return nil, fmt.Errorf("its pipes cannot be created: %s", cause(err))
	}
	mark := rand.Text()
	cmd := &exec.Cmd{
		Path: l.path, Args: append([]string{l.program.Command}, l.args...),
		Env: processtree.WithMark(l.env, mark), Dir: l.program.Cwd,
		Stdin: pipes.childIn, Stdout: pipes.childOut, Stderr: pipes.childErr,
		SysProcAttr: ownGroup(l.line),
	}
	if err := cmd.Start(); err != nil {
		pipes.closeOwnEnds()
		return nil, l.startFailure(err)
	}
	group, err := newGroup(cmd.Process.Pid, mark, supervision.processTable)
	if err != nil {
		_, _ = cmd.Process.Kill(), cmd.Wait() // it never ran
		pipes.closeOwnEnds()
		return nil, l.startFailure(err)
	}
	p := &process{
		cmd: cmd, stdin: pipes.in, stdout: pipes.out, stderr: pipes.err,
		errors: newStderr(server.Secrets, log), shown: shown, held: systemVariables().heldBack(l.own, l.env, server.Secrets), group: group, guard: supervision.guard,
		log: log, container: l.container, exited: make(chan struct{}), released: make(chan struct{}),
	}
	p.guard.Watch(cmd.Process.Pid, mark)
	go p.errors.drain(p.stderr)
	go p.wait()
	return p, nil
}

func (p *process) wait() {
	awaitExit(p.cmd.Process.Pid)
	p.err = p.cmd.Wait()
	close(p.exited)
}

// succeeded reports whether the program ended in order. The caller waits for exited first.
func (p *process) succeeded() bool { return p.err == nil }

// exitReason says how the program ended, in words for a model. The caller waits for
// exited first.
func (p *process) exitReason() string {
	p.awaitStderrEnd()
	var status *exec.ExitError
	reason := "the server exited"
	if errors.As(p.err, &status) {
		reason = "the server ended " + describe(status)
	}
	if last := p.lastWords(); last != "" {
		reason += "; the end of its stderr: " + last
	}
	return reason
}

// lastWords returns the end of the program's stderr, as far as messages can show it, and which variables
// the program may lack.
func (p *process) lastWords() string {
	last := p.shown(p.errors.last())
	return last + ending(p.held.missing(last))
}

// awaitStderrEnd waits until all of the program's stderr was read. It does not wait long,
// since a descendant can keep the pipe open.
func (p *process) awaitStderrEnd() {
	select {
	case <-p.errors.ended:
	case <-time.After(stderrEndTime):
	}
}

const (
	stderrEndTime = 100 * time.Millisecond
	firstPoll     = time.Millisecond
	maxPoll       = 20 * time.Millisecond
	// remainsPoll is the time between checks whether only zombies are left. A check takes
	// milliseconds.
	remainsPoll = 50 * time.Millisecond
	// maxKills is the number of times that the group is killed and checked.
	maxKills = 10
)

// stop ends the program and all its descendants in steps: it closes the input; after
// two sevenths of the time to the context's deadline it sends SIGTERM; when the
// context ends it sends SIGKILL. It returns when no process is left and the pipes are
// closed. Calls can be concurrent and have different deadlines; when one is done, all
// return.
func (p *process) stop(ctx context.Context) {
	defer p.closePipes()
	defer p.releaseGroup()
	p.group.gather()
	p.closeInput()
	asked, cancel := context.WithDeadline(ctx, p.termination(ctx))
	defer cancel()
	if p.gone(asked) {
		return
	}
	p.log.Debug("the server did not exit when its input ended, terminating it")
	p.group.terminate()
	if p.gone(ctx) {
		return
	}
	p.killed.Do(func() {
		message := "the server did not exit when it was terminated, killing it"
		if p.container {
			message += "; the container that it started may still run: 'docker ps' or its like shows it, and --init among the arguments of run lets it end"
		}
		p.log.Warn(message)
	})
	for range maxKills {
		p.group.kill()
		if p.goneWithin(maxPoll) {
			return
		}
	}
	// The remaining processes are zombies that their new parent has not reaped yet.
}

// releaseGroup stops tracking the group, whose number can be reused from now on.
func (p *process) releaseGroup() {
	p.release.Do(func() {
		close(p.released)
		p.guard.Forget(p.cmd.Process.Pid)
		p.group.close()
	})
}

// termination returns when to send SIGTERM.
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

// gone waits until the program was reaped and no descendant is left, and reports whether
// that happened before the context ended. A released group is gone, since another one can
// have its number.
func (p *process) gone(ctx context.Context) bool {
	select {
	case <-p.exited:
	case <-p.released:
		return true
	case <-ctx.Done():
		return false
	}
	remains := time.NewTicker(remainsPoll)
	defer remains.Stop()
	dead := 0 // checks in a row that found only zombies
	for pause := firstPoll; p.group.alive(); pause = min(2*pause, maxPoll) {
		select {
		case <-remains.C:
			if dead++; !p.group.dead() {
				dead = 0
			}
			// One check is not enough: a process can have started another one that was not
			// in the list yet, and have ended before it was looked at.
			if dead == 2 {
				return true
			}
		case <-time.After(pause):
		case <-p.released:
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

// closePipes closes the pipes, so that their readers end even if a descendant still has a
// pipe open.
func (p *process) closePipes() {
	p.closeInput()
	p.awaitStderrEnd()
	for _, err := range []error{closeOutput(p.stdout), p.stderr.Close()} {
		if err != nil && !errors.Is(err, os.ErrClosed) {
			p.log.Debug("could not close a pipe of the server", "error", err)
		}
	}
}

var _ ports.ServerProcess = (*process)(nil)

// PID implements ports.ServerProcess.
func (p *process) PID() int { return p.cmd.Process.Pid }

// Memory implements ports.ServerProcess.
func (p *process) Memory() (size int64, known bool) {
	select {
	case <-p.released: // its numbers may be those of other processes
		return 0, false
	default:
		return p.group.memory()
	}
}

// Log implements ports.ServerProcess.
func (p *process) Log(after int) (lines []string, last int) { return p.errors.since(after) }
