//go:build unix

package watchdog

import (
	"bufio"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"mcp-workbench/adapters/downstream/stdio/processtree"
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

// Run is the watchdog. It reads reports until they end, then ends the servers that were not
// reported gone, and returns. It ignores the signals that end a workbench.
func Run(reports io.Reader) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	rest := left(reports)
	if len(rest) == 0 {
		return
	}
	servers := processtree.NewDescendants(&processtree.Table{}, rest...)
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
func endsWithin(servers *processtree.Descendants, limit time.Duration) bool {
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
func left(reports io.Reader) []processtree.Process {
	servers := map[int]processtree.Process{}
	lines := bufio.NewReader(reports)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			break
		}
		var p processtree.Process
		if n, _ := fmt.Sscanf(line, runningFormat, &p.PID, &p.Group, &p.Session, &p.Started, &p.Mark); n == 5 && p.PID > 1 {
			servers[p.PID] = p
		}
		if n, _ := fmt.Sscanf(line, goneFormat, &p.PID); n == 1 {
			delete(servers, p.PID)
		}
	}
	var rest []processtree.Process
	for _, server := range servers {
		rest = append(rest, server)
	}
	return rest
}
