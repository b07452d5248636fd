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
	// grace is how long servers may take to end by themselves, since their input
	// ended; asked is how long they may take when they were told to.
	grace = time.Second
	asked = time.Second
	poll  = 20 * time.Millisecond
	// mostKills is how often what is left is killed: what it started meanwhile has
	// to be found again, what nobody reaps is dead all the same.
	mostKills = 25
)

// Run is the watchdog: it reads reports until their end and ends what is left
// then. It outlives the signals that end a workbench.
func Run(reports io.Reader) {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	family := processtree.NewFamily(&processtree.Census{}, left(reports)...)
	if endsWithin(family, grace) {
		return
	}
	family.Living().Signal(syscall.SIGTERM)
	if endsWithin(family, asked) {
		return
	}
	for range mostKills {
		family.Living().Signal(syscall.SIGKILL)
		if endsWithin(family, poll) {
			return
		}
	}
}

// endsWithin reports whether nothing of the family lives any more before the
// limit.
func endsWithin(family *processtree.Family, limit time.Duration) bool {
	for end := time.Now().Add(limit); ; time.Sleep(poll) {
		if len(family.Living()) == 0 {
			return true
		}
		if !time.Now().Before(end) {
			return false
		}
	}
}
