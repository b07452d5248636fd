package sessions

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// refreshState describes whether the tools that are shown are those that the server has.
type refreshState int

const (
	refreshDone         refreshState = iota // no change is known; the last listing may have failed
	refreshDue                              // the server reported a change
	refreshing                              // they are being listed, and callers wait for it
	refreshingOutOfDate                     // refreshing, and the server reported a change meanwhile
	refreshRetrying                         // they are being listed again after a failure, and no caller waits
)

// toolRefresher lists the tools of one session: at its start, when they are needed and the
// server reported a change, and again after a failure. If the tools are followed, it also
// lists them as soon as the server reports a change. Safe for concurrent use.
type toolRefresher struct {
	tools   *toolList
	idle    *idleness
	keeper  *listingKeeper // nil when no listing is kept
	watcher Watcher        // nil when the tools are not followed
	log     *slog.Logger

	mu       sync.Mutex // guards the fields below; nothing blocks under it
	session  ports.Session
	state    refreshState
	ended    chan struct{} // closed when the listing under way ends
	listed   time.Time     // when the last listing ended
	failures int           // listings that failed in a row
	retry    *time.Timer   // the one set last, nil before the first failure
	follows  bool          // changed tools are listed at once, whether or not they are needed
	pace     relistPace
	pause    *time.Timer // set while such a listing waits, otherwise nil
	stopped  bool        // the session is over
}

// isStale reports whether the server reported a change since the tools were listed.
func (r *toolRefresher) isStale() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state != refreshDone && r.state != refreshRetrying
}

// markChanged notes that the server reported a change of its tools.
func (r *toolRefresher) markChanged() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.state {
	case refreshDone:
		r.state = refreshDue
		r.followLocked()
	case refreshing, refreshRetrying:
		r.state = refreshingOutOfDate
	}
}

// listFirst lists the tools over a new session.
func (r *toolRefresher) listFirst(ctx context.Context, session ports.Session) error {
	r.mu.Lock()
	r.session, r.state = session, refreshing // the list includes changes reported before this
	r.mu.Unlock()
	list, err := session.ListTools(ctx)
	if err != nil {
		return err
	}
	r.tools.show(r.tools.filter(list))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endLocked()
	return nil
}

// refresh is Connection.Refresh.
func (r *toolRefresher) refresh(ctx context.Context) {
	// The listing that is under way may miss the last change; the next one cannot.
	for range 2 {
		ended := r.join()
		if ended == nil {
			return
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return
		}
	}
}

// join returns a channel that is closed when the listing under way ends, and begins one if the
// tools are stale. It returns nil if there is nothing to wait for.
func (r *toolRefresher) join() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.state {
	case refreshing, refreshingOutOfDate:
		return r.ended
	case refreshDue:
		r.beginLocked(refreshing)
		return r.ended
	}
	return nil
}

// beginLocked begins a listing on a goroutine of its own.
func (r *toolRefresher) beginLocked(state refreshState) {
	r.state, r.ended = state, make(chan struct{})
	if r.retry != nil {
		r.retry.Stop()
	}
	go r.list(r.session, state == refreshRetrying)
}

// list lists the tools. If that fails, the shown tools stay, with a warning, and the
// listing is retried after a pause. A retry does not count as a use of the server.
func (r *toolRefresher) list(session ports.Session, retry bool) {
	server := r.tools.server
	ctx, cancel := context.WithTimeout(context.Background(), server.Limits.Connect)
	defer cancel()
	if !retry && r.idle.enter() {
		defer r.idle.leave()
	}
	list, err := session.ListTools(ctx)
	if err == nil {
		r.tools.show(r.tools.filter(list))
	} else {
		r.log.Warn("could not list the changed tools", "toolbox", server.ID.Toolbox, "server", server.ID.Server, "error", err)
		r.tools.show(r.tools.age(r.tools.current(), err))
	}
	r.mu.Lock()
	ended := r.ended
	r.endLocked()
	if err == nil {
		r.failures = 0
	} else {
		r.scheduleRetryLocked()
	}
	r.mu.Unlock()
	close(ended)
	if r.watcher != nil {
		r.watcher.ServerChanged(server.ID)
	}
	if err == nil {
		r.keeper.keep(r.tools)
	}
}

// endLocked notes that a listing ended.
func (r *toolRefresher) endLocked() {
	r.ended, r.listed = nil, time.Now()
	if r.state == refreshingOutOfDate {
		r.state = refreshDue
		r.followLocked()
		return
	}
	r.state = refreshDone
}

// listingBackoff determines the pause before a failed listing is retried.
var listingBackoff = domain.Backoff{First: time.Second, Max: 30 * time.Second}

func (r *toolRefresher) scheduleRetryLocked() {
	if r.stopped || r.state != refreshDone {
		return // in another state the next listing comes anyway
	}
	r.failures++
	r.retry = time.AfterFunc(listingBackoff.Pause(r.failures), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.stopped && r.state == refreshDone && r.failures > 0 {
			r.beginLocked(refreshRetrying)
		}
	})
}

// retryNow is Connection.RetryListing. With isDoubtful it makes the tools stale in any case.
func (r *toolRefresher) retryNow(opening time.Time, isDoubtful bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.tools.current().listed
	isExpired := list.Expires && r.listed.Before(opening) && time.Since(r.listed) >= list.FreshFor
	if !isExpired && !isOld(list) && !isDoubtful {
		return
	}
	switch r.state {
	case refreshDone:
		r.state = refreshDue
	case refreshRetrying:
		r.state = refreshing // from now on callers wait for it
	}
}

// doubt makes the tools stale and reports true, unless the pace demands a pause.
func (r *toolRefresher) doubt() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state != refreshDone || r.stopped || r.pace.next(time.Since(r.listed)) > 0 {
		return false
	}
	r.state = refreshDue
	return true
}

// follow begins to list the tools as soon as the server reports a change, if the watcher
// follows tools.
func (r *toolRefresher) follow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.follows = r.watcher != nil && r.watcher.FollowsTools()
	r.followLocked()
}

// followLocked lists the tools, now or after a pause, if they are stale and followed.
func (r *toolRefresher) followLocked() {
	if !r.follows || r.stopped || r.state != refreshDue || r.pause != nil {
		return
	}
	pause := r.pace.next(time.Since(r.listed))
	if pause == 0 {
		r.beginLocked(refreshing)
		return
	}
	r.pause = time.AfterFunc(pause, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.pause = nil
		if !r.stopped && r.state == refreshDue {
			r.beginLocked(refreshing)
		}
	})
}

// stop ends scheduled listings, since the session is over.
func (r *toolRefresher) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopped = true
	for _, timer := range []*time.Timer{r.retry, r.pause} {
		if timer != nil {
			timer.Stop()
		}
	}
}

const (
	relistsAtOnce = 3
	relistPause   = time.Second // after this time without a listing, the count starts again
)

// relistPace decides how soon tools are listed after each change that a server reports or that a call of an
// unknown tool suggests: at once for the first few, then after a pause each. It is plain data without a clock;
// the owner locks. The zero value is for a server that has not reported a change.
type relistPace struct{ inRow int }

// next returns the pause before the next listing, 0 for none. SinceLast is the time since the last
// listing ended.
func (p *relistPace) next(sinceLast time.Duration) time.Duration {
	if sinceLast >= relistPause {
		p.inRow = 0
	}
	p.inRow++
	if p.inRow <= relistsAtOnce {
		return 0
	}
	return relistPause
}
