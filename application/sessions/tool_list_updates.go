package sessions

import (
	"time"

	"mcp-workbench/domain"
)

// listingBackoff is for a listing that failed, which is tried again after a pause.
var listingBackoff = domain.Backoff{First: time.Second, Max: 30 * time.Second}

// scheduleRetryLocked has the tools listed again after a pause, since that failed.
func (l *toolList) scheduleRetryLocked() {
	if l.stopped || l.state != listFresh {
		return // in another state the next listing comes anyway
	}
	l.failures++
	l.retry = time.AfterFunc(listingBackoff.Pause(l.failures), l.retryListing)
}

func (l *toolList) retryListing() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stopped && l.state == listFresh && l.failures > 0 {
		l.beginListingLocked(listRetrying)
	}
}

// under returns the tools as they were last listed, for a server with other settings:
// what can be called until it is connected to with them.
func (l *toolList) under(server domain.Server) *toolList {
	list := &toolList{server: server, pins: l.pins, log: l.log}
	before := l.current()
	list.snapshot = list.applyPins(before.whole, server.Tools.Apply(before.listed), l.pins.State())
	return list
}

// retryNow is Connection.RetryListing.
func (l *toolList) retryNow(opening time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	listed := l.snapshot.listed
	isExpired := listed.Expires && l.lastRelist.Before(opening) && time.Since(l.lastRelist) >= listed.FreshFor
	if !isExpired && !isOld(listed) {
		return
	}
	switch l.state {
	case listFresh:
		l.state = listStale
	case listRetrying:
		l.state = listListing // from now on it is waited for
	}
}

// When somebody follows the tools, they are listed again as soon as the server says
// that they changed. A server that says so again and again is believed at once for
// the first few times, then after a pause each.
const (
	relistsAtOnce = 3
	relistPause   = time.Second // after as long without a change, the count starts again
)

// startRelisting begins to follow the changes that the server reports, if there is a
// watcher. Otherwise the tools are listed when they are needed.
func (l *toolList) startRelisting() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.relists = l.watcher != nil
	l.relistLocked()
}

// relistLocked lists the tools again, now or after a pause, if they are stale.
func (l *toolList) relistLocked() {
	if !l.relists || l.stopped || l.state != listStale || l.pause != nil {
		return
	}
	if time.Since(l.lastRelist) >= relistPause {
		l.inRow = 0
	}
	l.inRow++
	if l.inRow <= relistsAtOnce {
		l.beginListingLocked(listListing)
		return
	}
	l.pause = time.AfterFunc(relistPause, l.relistAfterPause)
}

func (l *toolList) relistAfterPause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pause = nil
	if !l.stopped && l.state == listStale {
		l.beginListingLocked(listListing)
	}
}

// stop ends the listings that the workbench makes by itself, since the session is
// over.
func (l *toolList) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	for _, timer := range []*time.Timer{l.retry, l.pause} {
		if timer != nil {
			timer.Stop()
		}
	}
}
