package sessions

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// listState is how the tools that are shown relate to those that the server has.
type listState int

const (
	listFresh        listState = iota // no change is known; the last listing may have failed
	listStale                         // the server said that they changed
	listListing                       // they are being listed, and callers wait for it
	listListingStale                  // the same, and they changed again meanwhile
	listRetrying                      // they are listed again since that failed; nobody waits
)

// toolSnapshot is the tools of a server as they were listed once. It never changes.
type toolSnapshot struct {
	whole  domain.ToolList // as the server listed them, by name only where no listing is kept
	listed domain.ToolList // filters applied
	list   domain.ToolList // as the lock lets them be shown
	lock   pinning.LockState
	index  map[string]domain.ToolInfo // of list, by name
	// needingYes are the tools of which calls need a yes, by their exact names.
	needingYes map[string]bool
	// onlyReading are the tools that only read, those that need a yes included, likewise.
	onlyReading map[string]bool
}

// toolList is the tools of one server, listed again when they change. Safe for
// concurrent use.
type toolList struct {
	server  domain.Server
	pins    *pinning.Pinning // nil when there is no lock to apply
	idle    *idleness
	watcher Watcher // nil when nobody follows the tools
	log     *slog.Logger
	// isKept says that the tools come from a file that others may have changed, so that no more
	// of them is shown than the lock holds.
	isKept bool

	listings     ports.Listings  // nil when none are kept
	capabilities json.RawMessage // of the host that the tools are listed to
	keeping      sync.Mutex      // held while they are kept

	mu       sync.Mutex // guards the fields below; nothing blocks under it
	session  ports.Session
	snapshot *toolSnapshot
	state    listState
	done     chan struct{}              // closed when the listing that is under way ends
	stopped  bool                       // the session is over
	allowed  map[string]json.RawMessage // definitions of tools that the person allowed for the session, by exact name

	failures int         // listings that failed in a row
	retry    *time.Timer // the one set last, nil before the first failure

	relists    bool        // they are listed again as soon as they change
	inRow      int         // how often that happened without a quiet time
	lastRelist time.Time   // when the last listing ended
	pause      *time.Timer // set while such a listing waits, else nil
}

// current returns the tools as they were last listed.
func (l *toolList) current() *toolSnapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.snapshot
}

// names is Connection.Names.
func (l *toolList) names() []string {
	var names []string
	for _, tool := range l.current().whole.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// find is Connection.Find.
func (l *toolList) find(tool domain.ToolIdentifier) (info domain.ToolInfo, stale bool, err error) {
	l.mu.Lock()
	snapshot, state := l.snapshot, l.state
	l.mu.Unlock()
	stale = state != listFresh && state != listRetrying
	info, ok := snapshot.index[tool.Tool]
	if ok {
		return info, stale, nil
	}
	if blocked, ok := snapshot.list.Blocks(tool.Tool); ok {
		return info, stale, &domain.ToolBlockedError{Tool: tool, Why: blocked.Why, Detail: blocked.Detail}
	}
	return info, stale, &domain.ToolNotFoundError{Tool: tool, Available: snapshot.list.Names()}
}

// markChanged notes that the server said that its tools changed.
func (l *toolList) markChanged() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.state {
	case listFresh:
		l.state = listStale
		l.relistLocked()
	case listListing, listRetrying:
		l.state = listListingStale
	}
}

// listFirst lists the tools over a new session.
func (l *toolList) listFirst(ctx context.Context, session ports.Session) error {
	l.mu.Lock()
	l.session, l.state = session, listListing // what changed before this is in the list
	l.mu.Unlock()
	list, err := session.ListTools(ctx)
	if err != nil {
		return err
	}
	snapshot := l.filter(list)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endListingLocked(snapshot)
	return nil
}

// refresh is Connection.Refresh.
func (l *toolList) refresh(ctx context.Context) {
	// The listing that is under way may miss the last change; the one after it cannot.
	for range 2 {
		done := l.joinListing()
		if done == nil {
			return
		}
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// joinListing returns what is closed when the listing that is under way ends, and
// begins one if the tools are stale. It returns nil if nobody has to wait.
func (l *toolList) joinListing() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.state {
	case listListing, listListingStale:
		return l.done
	case listStale:
		l.beginListingLocked(listListing)
		return l.done
	}
	return nil
}

// beginListingLocked begins a listing, away from the caller.
func (l *toolList) beginListingLocked(state listState) {
	l.state, l.done = state, make(chan struct{})
	if l.retry != nil {
		l.retry.Stop()
	}
	go l.listAgain(l.session, state == listRetrying)
}

// listAgain lists the tools. If that fails, those that are shown stay, with a
// warning, and it is tried again after a pause. A retry of the workbench's own does
// not count as a use of the server.
func (l *toolList) listAgain(session ports.Session, retry bool) {
	ctx, cancel := context.WithTimeout(context.Background(), l.server.Limits.Connect)
	defer cancel()
	if !retry && l.idle.enter() {
		defer l.idle.leave()
	}
	list, err := session.ListTools(ctx)
	var snapshot *toolSnapshot
	if err == nil {
		snapshot = l.filter(list)
	} else {
		l.log.Warn("could not list the changed tools", "toolbox", l.server.ID.Toolbox, "server", l.server.ID.Server, "error", err)
		snapshot = l.keep(err)
	}
	l.mu.Lock()
	done := l.done
	l.endListingLocked(snapshot)
	if err == nil {
		l.failures = 0
	} else {
		l.scheduleRetryLocked()
	}
	l.mu.Unlock()
	close(done)
	if l.watcher != nil {
		l.watcher.ServerChanged(l.server.ID)
	}
	if err == nil {
		l.keepListing()
	}
}

// endListingLocked shows what a listing found.
func (l *toolList) endListingLocked(snapshot *toolSnapshot) {
	l.snapshot, l.done, l.lastRelist = snapshot, nil, time.Now()
	l.forgetChangedLocked()
	if l.state == listListingStale {
		l.state = listStale
		l.relistLocked()
		return
	}
	l.state = listFresh
}

// filter returns a snapshot of what a server lists, with the server's filter
// applied.
func (l *toolList) filter(list domain.ToolList) *toolSnapshot {
	filtered := l.server.Tools.Apply(list)
	for _, name := range l.server.Tools.Missing(list.Tools) {
		l.log.Warn("toolFilters names a tool that the server does not list",
			"toolbox", l.server.ID.Toolbox, "server", l.server.ID.Server, "tool", name)
		if !l.server.Tools.IsList() {
			// The tool that was meant can be used.
			filtered.Warnings = append(slices.Clip(filtered.Warnings), domain.Warning{Kind: domain.LeftOutToolMissing, Detail: name})
		}
	}
	if len(filtered.Tools) < len(list.Tools) && !l.keepsListings() {
		list.Tools = withoutDefinitions(list.Tools)
	}
	return l.applyPins(list, filtered, l.pins.State())
}

// withoutDefinitions returns the tools with their names only, so that what a filter left out
// is not held.
func withoutDefinitions(tools []domain.ToolInfo) []domain.ToolInfo {
	names := make([]domain.ToolInfo, len(tools))
	for i, tool := range tools {
		names[i] = domain.ToolInfo{Name: tool.Name, Shown: tool.Shown}
	}
	return names
}

// keep returns a snapshot of the same tools, with the warning that they are not the
// newest.
func (l *toolList) keep(err error) *toolSnapshot {
	before := l.current()
	listed := before.listed
	warnings := slices.DeleteFunc(slices.Clone(listed.Warnings), isNotRefreshed)
	listed.Warnings = append(warnings, domain.Warning{Kind: domain.ListNotRefreshed, Detail: domain.Reason(err)})
	return l.applyPins(before.whole, listed, l.pins.State())
}

// isOld reports whether a list could not be refreshed.
func isOld(list domain.ToolList) bool { return slices.ContainsFunc(list.Warnings, isNotRefreshed) }

func isNotRefreshed(w domain.Warning) bool { return w.Kind == domain.ListNotRefreshed }

// applyPins returns a snapshot of the whole list, of which these are the tools with filters
// applied, by the lock.
func (l *toolList) applyPins(whole, listed domain.ToolList, lock pinning.LockState) *toolSnapshot {
	shown := listed
	if l.isKept {
		shown = l.pins.Held(l.server, listed, lock)
	}
	list := l.pins.Apply(l.server, shown, lock)
	return &toolSnapshot{
		whole: whole, listed: listed, list: list, lock: lock, index: list.Index(),
		needingYes: l.findNeedingYes(list, lock), onlyReading: l.findOnlyReading(list, lock),
	}
}

// reapplyPins is Connection.ReapplyPins.
func (l *toolList) reapplyPins() {
	before := l.current()
	lock := l.pins.State()
	if lock == before.lock {
		return
	}
	after := l.applyPins(before.whole, before.listed, lock)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.snapshot == before { // otherwise the newer list had the lock applied already
		l.snapshot = after
	}
}
