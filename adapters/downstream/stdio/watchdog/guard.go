package watchdog

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

// Guard has a watchdog end the servers of this process if it is killed. The
// watchdog is started with the first server. A nil Guard guards nothing. Safe for
// concurrent use.
type Guard struct {
	command func() []string
	log     *slog.Logger

	mu      sync.Mutex
	servers map[int]processtree.Process
	dog     *dog // nil while none runs
	dogs    int  // how many were started
	closed  bool
}

// New returns a guard. The command, which is asked for when it is needed, is a
// program with its arguments that calls Run with its standard input.
func New(log *slog.Logger, command func() []string) *Guard {
	return &Guard{command: command, log: log, servers: map[int]processtree.Process{}}
}

// Watch reports a server that was just started and not waited for: it and what it
// starts will not outlive this process.
func (g *Guard) Watch(pid int) {
	if g == nil {
		return
	}
	server, err := processtree.Look(pid)
	if err != nil {
		g.log.Debug("the watchdog does not watch the server", "pid", pid, "error", err)
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	g.servers[pid] = server
	if g.dog == nil {
		g.start()
		return
	}
	g.report(running(server))
}

// Forget reports that a server is gone with everything it had started: its number
// may be anybody's from now on.
func (g *Guard) Forget(pid int) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.servers[pid]; !known {
		return
	}
	delete(g.servers, pid)
	g.report(gone(pid))
}

// Close ends the watchdog and waits for it. If there are servers left, it ends
// them first.
func (g *Guard) Close() {
	if g == nil {
		return
	}
	g.mu.Lock()
	g.closed = true
	dog := g.dog
	g.mu.Unlock()
	if dog != nil {
		_ = dog.reports.Close() // its end is the report
		<-dog.ended
	}
}

// dog is a watchdog that runs.
type dog struct {
	reports *os.File
	ended   chan struct{}
}

// start starts a watchdog and reports every server to it. The lock is held.
func (g *Guard) start() {
	if g.dogs++; g.dogs > mostDogs {
		return
	}
	begun, err := g.launch()
	if err != nil {
		g.log.Warn("no watchdog: servers may outlive a workbench that is killed", "error", err)
		return
	}
	g.dog = begun
	for _, server := range g.servers {
		g.report(running(server))
	}
}

// reportTime is how long a watchdog that does not read may hold anybody up.
const reportTime = 100 * time.Millisecond

// report tells the watchdog, if one runs. One that died is replaced, with all
// that it knew, when its end is noticed. The lock is held.
func (g *Guard) report(line string) {
	if g.dog != nil {
		_ = g.dog.reports.SetWriteDeadline(time.Now().Add(reportTime))
		_, _ = g.dog.reports.WriteString(line)
	}
}

func (g *Guard) launch() (*dog, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe to the watchdog: %w", err)
	}
	defer read.Close() //nolint:errcheck // it is the watchdog's
	program := g.command()
	command := exec.Command(program[0], program[1:]...) //nolint:noctx // no context bounds it: it outlives this process
	command.Stdin, command.Dir, command.SysProcAttr = read, "/", detached()
	if err := command.Start(); err != nil {
		_ = write.Close() // nothing was written to it
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	begun := &dog{reports: write, ended: make(chan struct{})}
	go g.await(command, begun)
	return begun, nil
}

// mostDogs is how many watchdogs a guard starts: something is wrong with them when
// they keep ending.
const mostDogs = 10

// await waits for a watchdog's end. One that was killed is replaced.
func (g *Guard) await(command *exec.Cmd, ended *dog) {
	err := command.Wait()
	close(ended.ended)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dog = nil
	if g.closed {
		return
	}
	_ = ended.reports.Close() // nobody reads it
	g.log.Warn("the watchdog ended", "error", err)
	if len(g.servers) > 0 {
		g.start()
	}
}
