//go:build unix

package watchdog

import (
	"io"
	"os/signal"
	"syscall"
	"time"

	"mcp-workbench/adapters/downstream/stdio/processtree"
)

const (
	// inputGrace is how long servers may take to end after their input ended,
	// termGrace how long they may take after SIGTERM.
	inputGrace = time.Second
	termGrace  = time.Second
	poll       = 20 * time.Millisecond
	// maxKills is how often SIGKILL is sent: a process may have started another one
	// just before it was killed.
	maxKills = 25
)

// Run is the watchdog. It reads reports to their end, then ends the servers that
// were not reported gone, and returns. It ignores the signals that end a workbench.
func Run(reports io.Reader) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	servers := processtree.NewDescendants(&processtree.Table{}, left(reports)...)
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
