package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// exitLimit is a little more than the promised time in which the workbench ends
// after the end of its input.
const exitLimit = 5 * time.Second

// process is a started program with its own process group, so that it can be
// ended together with its descendants.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	exited chan struct{}
}

// start runs a command with pipes for its stdin and stdout; stderr is written to
// the file given. It runs until it is stopped or ctx ends.
func start(ctx context.Context, stderr *os.File, argv []string) (*process, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	childIn, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, childOut, err := os.Pipe()
	if err != nil {
		closeAll(childIn, stdin)
		return nil, err
	}
	p := &process{
		cmd:    exec.CommandContext(ctx, argv[0], argv[1:]...),
		stdin:  stdin,
		stdout: stdout,
		exited: make(chan struct{}),
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = childIn, childOut, stderr
	p.cmd.Env = environment()
	p.cmd.Cancel = func() error { p.kill(); return nil }
	ownGroup(p.cmd)
	err = p.cmd.Start()
	closeAll(childIn, childOut)
	if err != nil {
		closeAll(stdin, stdout)
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // the exit code is read from ProcessState
		close(p.exited)
	}()
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// kill ends the process and its group immediately.
func (p *process) kill() { killGroup(p.pid()) }

// stop closes the input and waits for the end of the process. A process that does not
// end, or whose exit code is not 0, is an error.
func (p *process) stop() error {
	p.stdin.Close()
	defer p.stdout.Close()
	select {
	case <-p.exited:
	case <-time.After(exitLimit):
		p.kill()
		<-p.exited
		return fmt.Errorf("%s did not exit within %v of the end of its input", p.cmd.Path, exitLimit)
	}
	p.kill() // processes that it left in its group
	if !p.cmd.ProcessState.Success() {
		return fmt.Errorf("%s: %v", p.cmd.Path, p.cmd.ProcessState)
	}
	return nil
}

// abandon ends a process whose measurement failed.
func (p *process) abandon() {
	p.kill()
	<-p.exited
	closeAll(p.stdin, p.stdout)
}

// environment returns an environment without variables that tune Go programs: GOGC or
// GOMAXPROCS would affect only some of the processes.
func environment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "SystemRoot", "TEMP", "TMP"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}
