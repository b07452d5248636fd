//go:build unix

package processtree

import (
	"bufio"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"
)

const (
	// inputGrace is the time servers have to end after their input ended, termGrace the time
	// they have after SIGTERM.
	inputGrace = time.Second
	termGrace  = time.Second
	poll       = 20 * time.Millisecond
	// maxKills is the number of times that SIGKILL is sent: a process can have started another one just
	// before it was killed.
	maxKills = 25
)

// RunWatchdog is the watchdog. It reads reports until they end, then ends the servers that were not
// reported gone, and returns. It ignores the signals that end a workbench.
func RunWatchdog(reports io.Reader) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	rest := left(reports)
	if len(rest) == 0 {
		return
	}
	servers := NewDescendants(&Table{}, rest...)
	if endsWithin(servers, inputGrace) {
		return
	}
	servers.Living().Signal(syscall.SIGTERM)
	if endsWithin(servers, termGrace) {
		return
	}
	for range maxKills {
		servers.Living().Signal(syscall.SIGKILL)
		if endsWithin(servers, poll) {
			return
		}
	}
}

// endsWithin reports whether all servers and their descendants end within the limit.
func endsWithin(servers *Descendants, limit time.Duration) bool {
	for end := time.Now().Add(limit); ; time.Sleep(poll) {
		if len(servers.Living()) == 0 {
			return true
		}
		if !time.Now().Before(end) {
			return false
		}
	}
}

// left reads reports to their end, and returns the servers that were not reported
// gone. A line without its line break does not count.
func left(reports io.Reader) []Process {
	servers := map[int]Process{}
	lines := bufio.NewReader(reports)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var p Process
		if n, _ := fmt.Sscanf(line, runningFormat, &p.PID, &p.Group, &p.Session, &p.Started, &p.Mark); n == 5 && p.PID > 1 {
			servers[p.PID] = p
		}
		if n, _ := fmt.Sscanf(line, goneFormat, &p.PID); n == 1 {
			delete(servers, p.PID)
		}
	}
	var rest []Process
	for _, server := range servers {
		rest = append(rest, server)
	}
	return rest
}

// detached puts the watchdog into a session of its own, so that signals to the
// workbench's process group or terminal do not reach it.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
