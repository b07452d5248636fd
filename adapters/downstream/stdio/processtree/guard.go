package processtree

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Guard makes a watchdog end the servers of this process if this process is
// killed. The watchdog is started with the first server. A nil Guard does nothing.
// Safe for concurrent use.
type Guard struct {
	command func() []string
	log     *slog.Logger

	// mu is held while a report is written, so that reports arrive in order. The pipe
	// accepts a report at once unless the watchdog left some 64 KiB unread; then the write,
	// and every other report, waits for reportTime at most, once for each watchdog.
	mu      sync.Mutex
	servers map[int]Process
	running *watchdogProcess // nil while none runs
	starts  int              // how many were started
	closed  bool
}

// NewGuard returns a guard. It calls command each time that it starts a watchdog. Command returns
// a program and its arguments; the program must call RunWatchdog with its standard input.
func NewGuard(log *slog.Logger, command func() []string) *Guard {
	return &Guard{command: command, log: log, servers: map[int]Process{}}
}

// Watch reports a server that was just started with a mark (WithMark) and not yet
// waited for. If this process is killed, the watchdog ends the server and its descendants.
func (g *Guard) Watch(pid int, mark string) {
	if g == nil {
		return
	}
	server, err := Look(pid)
	if err != nil {
		g.log.Debug("the watchdog cannot watch the server", "pid", pid, "error", err)
		return
	}
	server.Mark = mark
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return
	}
	g.servers[pid] = server
	if g.running == nil {
		g.startLocked()
		return
	}
	g.reportLocked(running(server))
}

// Forget reports that a server and all its descendants are gone: its PID can be reused from
// now on.
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
	g.reportLocked(gone(pid))
}

// Close ends the watchdog and waits for it. The watchdog first ends the servers
// that were not reported gone.
func (g *Guard) Close() {
	if g == nil {
		return
	}
	g.mu.Lock()
	g.closed = true
	process := g.running
	g.mu.Unlock()
	if process != nil {
		_ = process.reports.Close() // the watchdog waits for the end of the pipe
		<-process.ended
	}
}

// watchdogProcess is a started watchdog.
type watchdogProcess struct {
	process *os.Process
	reports *os.File
	ended   chan struct{}
}

// startLocked starts a watchdog and reports every server to it.
func (g *Guard) startLocked() {
	if g.starts++; g.starts > maxRestarts {
		return
	}
	started, err := g.launch()
	if err != nil {
		g.log.Warn("no watchdog was started: servers can outlive a killed workbench", "error", err)
		return
	}
	g.running = started
	for _, server := range g.servers {
		g.reportLocked(running(server))
	}
}

// reportTime is the time a report waits for a watchdog that does not read.
const reportTime = 100 * time.Millisecond

// reportLocked sends a line to the watchdog, if one runs. A watchdog that does not
// read it in time is killed; await replaces every watchdog that ends.
func (g *Guard) reportLocked(line string) {
	if g.running == nil {
		return
	}
	_ = g.running.reports.SetWriteDeadline(time.Now().Add(reportTime))
	if _, err := g.running.reports.WriteString(line); err != nil {
		g.log.Debug("the watchdog does not read its reports", "error", err)
		_ = g.running.process.Kill() // it may have ended already
	}
}

func (g *Guard) launch() (*watchdogProcess, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("create a pipe to the watchdog: %w", err)
	}
	defer read.Close() //nolint:errcheck // the watchdog has a descriptor of its own
	program := g.command()
	command := exec.Command(program[0], program[1:]...) //nolint:noctx // the watchdog outlives this process, so no context ends it
	command.Stdin, command.Dir, command.SysProcAttr = read, "/", detached()
	if err := command.Start(); err != nil {
		_ = write.Close() // nothing was written to it
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	started := &watchdogProcess{process: command.Process, reports: write, ended: make(chan struct{})}
	go g.await(command, started)
	return started, nil
}

// maxRestarts is the number of times that a guard starts a watchdog.
const maxRestarts = 10

// await waits until a watchdog ends, and replaces it while there are servers.
func (g *Guard) await(command *exec.Cmd, ended *watchdogProcess) {
	err := command.Wait()
	close(ended.ended)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = nil
	if g.closed {
		return
	}
	_ = ended.reports.Close() // it has no reader any more
	g.log.Warn("the watchdog ended", "error", err)
	if len(g.servers) > 0 {
		g.startLocked()
	}
}

// The reports of a workbench, one per line: a server runs, or a server and all its
// descendants are gone.
const (
	runningFormat = "running %d %d %d %d %s\n" // PID, group, session, start time, mark
	goneFormat    = "gone %d\n"
)

func running(p Process) string {
	return fmt.Sprintf(runningFormat, p.PID, p.Group, p.Session, p.Started, p.Mark)
}

func gone(pid int) string { return fmt.Sprintf(goneFormat, pid) }
