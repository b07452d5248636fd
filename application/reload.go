package application

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ReadConfiguration reads the configuration again, by the same rules as at the start. It also
// returns the problems that prevent its use.
type ReadConfiguration func() (Configuration, []domain.ConfigurationProblem)

// Reloader is the use case of reading the configuration again while the program runs. A
// process has one. Safe for concurrent use.
type Reloader struct {
	current *Current
	pinning *pinning.Pinning
	listing ports.Listing
	// newCatalog returns a catalog with these toolboxes.
	newCatalog func([]domain.Toolbox) ports.Catalog
	log        *slog.Logger
	started    Configuration

	reloading sync.Mutex // held by the Reload that is under way; guards known
	known     knownServers

	mu    sync.Mutex // guards hosts
	hosts []*ReloadedHost
}

// NewReloader returns the use case. It replaces the configuration in current, and
// updates pinning and the listing.
func NewReloader(
	current *Current, pinning *pinning.Pinning, listing ports.Listing,
	newCatalog func([]domain.Toolbox) ports.Catalog, log *slog.Logger,
) *Reloader {
	r := &Reloader{
		current: current, pinning: pinning, listing: listing, newCatalog: newCatalog, log: log,
		started: current.state.Load().Configuration, known: knownServers{},
	}
	r.remember(r.started.Catalog.Toolboxes())
	pinning.Follow(r.lockChanged)
	return r
}

// lockChanged applies a lock that changed to the tools of every host, and tells them.
func (r *Reloader) lockChanged(change domain.LockChange) {
	report := domain.ConfigurationRead{Text: "the lock changed " + string(change), Withheld: change == domain.LockWaits}
	r.log.Warn(report.Text)
	hosts := r.allHosts()
	for _, host := range hosts { // before any of them is told, since one may read slowly
		host.sessions.ReapplyPins()
	}
	eachOf(hosts, func(_ int, host *ReloadedHost) { host.lockChanged(report) })
}

// Add makes every later Reload reach a host, until remove is called.
func (r *Reloader) Add(host *ReloadedHost) (remove func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts = append(r.hosts, host)
	if host.current.view != nil {
		host.listing.Refresh() // there may have been a Reload since the listing was made
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.hosts = slices.DeleteFunc(r.hosts, func(other *ReloadedHost) bool { return other == host })
	}
}

// Reload reads the configuration and puts it in force for every request that arrives
// after it returned. A configuration with problems changes nothing. Reload waits for no
// server.
func (r *Reloader) Reload(read ReadConfiguration) {
	r.reloading.Lock()
	defer r.reloading.Unlock()
	configuration, problems := read()
	before := r.current.state.Load()
	if len(problems) > 0 {
		r.refuse(before, problems)
		return
	}
	protected, toolboxes, kept := protect(before.Configuration, configuration, r.known)
	if len(kept) > 0 {
		protected.Catalog = r.newCatalog(toolboxes)
	}
	after := &inForce{Configuration: protected, withheld: kept}
	whole := r.compare(nil, before, after)
	r.remember(toolboxes)
	r.current.state.Store(after)
	r.pinning.SetPolicy(protected.Pinning)
	r.pinning.SetPackages(protected.Packages)
	whole.change.listing = r.listing.Refresh()
	eachOf(r.allHosts(), func(_ int, host *ReloadedHost) { // beside each other, since a host may read slowly
		seen := whole
		if limit := host.current.view; limit != nil {
			seen = r.compare(limit, before, after)
			seen.change.listing = host.listing.Refresh()
		}
		host.reload(seen)
	})
	level := slog.LevelInfo
	if whole.report.Withheld {
		level = slog.LevelWarn
	}
	r.log.Log(context.Background(), level, whole.report.Text)
}

// reloaded is the outcome of a Reload for hosts with one view.
type reloaded struct {
	toolboxes []domain.Toolbox
	change    change
	report    domain.ConfigurationRead
	// unchanged is set when there is nothing to report.
	unchanged bool
}

// compare returns the outcome of a Reload for hosts with a view, without the change of the
// listing.
func (r *Reloader) compare(v view, before, after *inForce) reloaded {
	read := reloaded{toolboxes: v.toolboxes(after.Catalog.Toolboxes())}
	read.change = compare(v.toolboxes(before.Catalog.Toolboxes()), read.toolboxes)
	read.change.policy = after.Pinning != before.Pinning
	kept := v.withheld(after.withheld)
	read.report = r.report(after, kept, read.change)
	read.unchanged = read.change.isNothing() && sameRoot(before.Configuration, after.Configuration) &&
		len(v.problems(before.unread)) == 0 && len(v.withheld(before.withheld))+len(kept) == 0
	return read
}

// refuse notes why a configuration is not put in force.
func (r *Reloader) refuse(before *inForce, problems []domain.ConfigurationProblem) {
	if slices.Equal(before.unread, problems) {
		return // these were reported before
	}
	after := *before
	after.unread = problems
	r.current.state.Store(&after)
	r.listing.Refresh()
	eachOf(r.allHosts(), func(_ int, host *ReloadedHost) {
		if host.current.view != nil {
			host.listing.Refresh()
		}
		host.refuse(problems)
	})
	r.log.Warn("the configuration was read again and has problems, so the one before stays in force", "problems", len(problems))
}

// report returns the report to hosts and the log about a configuration that was put in force.
func (r *Reloader) report(after *inForce, kept []withheld, change change) domain.ConfigurationRead {
	var later []string
	for _, setting := range kept {
		later = append(later, setting.name+" (protects less than before)")
	}
	for i, setting := range after.AtStart {
		if i < len(r.started.AtStart) && r.started.AtStart[i] != setting {
			later = append(later, setting.Key)
		}
	}
	report := domain.ConfigurationRead{Text: "the configuration was read again: " + change.String()}
	if len(later) > 0 {
		report.Text += "; from the next start of the workbench: " + strings.Join(later, ", ")
		report.Withheld = true
	}
	return report
}

// remember records the settings that are in force now.
func (r *Reloader) remember(toolboxes []domain.Toolbox) {
	for server := range domain.ServersOf(toolboxes) {
		r.known[server.ID] = server
	}
}

func (r *Reloader) allHosts() []*ReloadedHost {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.hosts)
}

// change describes how a reload changes the toolboxes, the listing and the policy.
type change struct {
	added, changed, removed []string // toolboxes
	listing, policy         bool
}

// compare returns how toolboxes differ from those before.
func compare(before, after []domain.Toolbox) change {
	var found change
	for _, toolbox := range after {
		i := slices.IndexFunc(before, func(t domain.Toolbox) bool { return t.Name == toolbox.Name })
		switch {
		case i < 0:
			found.added = append(found.added, string(toolbox.Name))
		case !before[i].Equal(toolbox):
			found.changed = append(found.changed, string(toolbox.Name))
		}
	}
	for _, toolbox := range before {
		if !slices.ContainsFunc(after, func(t domain.Toolbox) bool { return t.Name == toolbox.Name }) {
			found.removed = append(found.removed, string(toolbox.Name))
		}
	}
	return found
}

// sameRoot reports whether the settings of the root are the same.
func sameRoot(a, b Configuration) bool {
	return a.Pinning == b.Pinning && a.Packages == b.Packages && a.LogPayloads == b.LogPayloads &&
		a.Definitions.ReadTool == b.Definitions.ReadTool &&
		slices.Equal(a.AtStart, b.AtStart) &&
		a.Definitions.Default == b.Definitions.Default && maps.Equal(a.Definitions.ByToolbox, b.Definitions.ByToolbox) &&
		a.Definitions.Budget == b.Definitions.Budget && a.Definitions.Validation == b.Definitions.Validation
}

func (c change) isNothing() bool { return len(c.added)+len(c.changed)+len(c.removed) == 0 }

// String names the toolboxes that changed.
func (c change) String() string {
	if c.isNothing() {
		return "no toolbox changed"
	}
	var parts []string
	for _, part := range []struct {
		label string
		names []string
	}{{"added", c.added}, {"changed", c.changed}, {"removed", c.removed}} {
		if len(part.names) > 0 {
			parts = append(parts, fmt.Sprintf("toolboxes %s: %s", part.label, strings.Join(part.names, ", ")))
		}
	}
	return strings.Join(parts, "; ")
}
