package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// exitLimit is a little more than the time in which the workbench promises to be
// gone after the end of its input.
const exitLimit = 5 * time.Second

// process is a started program with its own process group, so that it can be
// ended together with what it started.
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

// kill ends the process and its group at once.
func (p *process) kill() { killGroup(p.pid()) }

// stop ends the input and waits for the process to go. One that does not go, or
// that complains with its exit code, is an error.
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
	p.kill() // whatever it left in its group
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

// environment holds nothing that tunes a Go program: GOGC or GOMAXPROCS would
// reach some of the processes and not the others.
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
