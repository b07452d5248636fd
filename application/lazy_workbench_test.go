package application_test

import (
	"encoding/json"
	"sync"
	"testing"
	"time"

	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakeListings keeps listings in memory.
type fakeListings struct {
	mu     sync.Mutex
	kept   map[string]ports.KeptList
	writes int
	// elsewhere says that servers listed their tools in another folder.
	elsewhere bool
}

func newFakeListings() *fakeListings { return &fakeListings{kept: map[string]ports.KeptList{}} }

func (*fakeListings) key(server domain.Server, capabilities json.RawMessage) string {
	return string(server.ID.Toolbox) + "/" + string(server.ID.Server) + string(server.Settings) + string(capabilities)
}

func (f *fakeListings) Find(server domain.Server, capabilities json.RawMessage) (ports.KeptList, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, known := f.kept[f.key(server, capabilities)]
	list.Elsewhere = f.elsewhere
	return list, known
}

func (f *fakeListings) Keep(server domain.Server, capabilities json.RawMessage, list ports.KeptList) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	list.Listed = time.Now()
	f.kept[f.key(server, capabilities)] = list
}

func (f *fakeListings) Forget(server domain.Server, capabilities json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.kept, f.key(server, capabilities))
}

// age makes the lists older.
func (f *fakeListings) age(by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, list := range f.kept {
		list.Listed = list.Listed.Add(-by)
		f.kept[key] = list
	}
}

// written returns how often listings were kept.
func (f *fakeListings) written() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.writes
}

// lazyToolbox returns the toolbox "dev" with servers of these names that are started lazily.
func lazyToolbox(servers ...domain.ServerName) domain.Toolbox {
	dev := toolbox("dev", servers...)
	for i := range dev.Servers {
		dev.Servers[i].Start = domain.StartLazily
	}
	return dev
}

// lazyWorkbench is a workbench that registers tools, with a lock and with listings from
// earlier runs.
type lazyWorkbench struct {
	*workbench
	kept          *fakeListings
	pins          *fakePins
	registrations *application.Registrations
	watcher       *fakeWatcher
	closer        *application.ToolboxCloser
}

// startLazy starts a workbench with a lock.
func startLazy(t *testing.T, policy domain.PinPolicy, lock *domain.Lock, kept *fakeListings, toolboxes ...domain.Toolbox) *lazyWorkbench {
	w := &lazyWorkbench{workbench: prepare(t, toolboxes...), kept: kept, pins: &fakePins{lock: lock}, watcher: &fakeWatcher{}}
	w.wireLazy(policy)
	return w
}

// again starts another workbench over the same servers, toolboxes, lock and listings, as the
// next run of the program does.
func (w *lazyWorkbench) again(policy domain.PinPolicy) *lazyWorkbench {
	next := &lazyWorkbench{workbench: prepare(w.t, w.catalog.Toolboxes()...), kept: w.kept, pins: w.pins, watcher: &fakeWatcher{}}
	next.servers = w.servers
	next.wireLazy(policy)
	return next
}

func (w *lazyWorkbench) wireLazy(policy domain.PinPolicy) {
	w.listings = w.kept
	w.registrations = application.NewRegistrations(w.catalog, w.known, w.opened, w.watcher, true, nil)
	w.wire(pinning.New(policy, w.pins, fakeDefinitions{}), w.registrations)
	w.closer = application.NewToolboxCloser(w.catalog, w.opened, w.sessions, w.registrations)
}

// opensDev opens the toolbox "dev", which can be opened.
func (w *lazyWorkbench) opensDev() domain.OpenedToolbox { return w.opens("dev") }

// registeredTools returns the names of the registered tools.
func (w *lazyWorkbench) registeredTools() []string {
	var names []string
	for _, tool := range w.registrations.Registered().Tools {
		names = append(names, tool.Name)
	}
	return names
}
