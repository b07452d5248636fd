package application_test

import (
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reloadingWorkbench is a workbench whose configuration can be read again.
type reloadingWorkbench struct {
	*workbench
	pinning  *pinning.Pinning
	reloader *application.Reloader
	watcher  *fakeConfigurationWatcher
	listing  *fakeListing
}

// startReloading starts a workbench with a configuration that can be read again. If seen has
// toolboxes, the host sees only these.
func startReloading(t *testing.T, started application.Configuration, seen ...domain.ToolboxName) *reloadingWorkbench {
	return startReloadingWith(t, started, &fakePins{}, nil, seen...)
}

// startReloadingWith is startReloading with a lock and with logins, which may be nil.
func startReloadingWith(
	t *testing.T, started application.Configuration, pins ports.Pins, logins *application.Logins, seen ...domain.ToolboxName,
) *reloadingWorkbench {
	toolboxes := started.Catalog.Toolboxes()
	whole := application.NewCurrent(started)
	w := &reloadingWorkbench{
		workbench: prepare(t, toolboxes...), watcher: &fakeConfigurationWatcher{}, listing: &fakeListing{},
	}
	w.current = whole
	own := w.listing
	if len(seen) > 0 {
		w.current, own = whole.Limited(seen), &fakeListing{}
	}
	w.catalog, w.logins = w.current, logins
	w.pinning = pinning.New(started.Pinning, pins, fakeDefinitions{})
	w.pinning.SetPackages(started.Packages)
	w.wire(w.pinning, nil)
	newCatalog := func(toolboxes []domain.Toolbox) ports.Catalog { return fakeCatalog(toolboxes) }
	w.reloader = application.NewReloader(whole, w.pinning, w.listing, newCatalog, slog.New(slog.NewTextHandler(w.log, nil)))
	w.reloader.Add(application.NewReloadedHost(w.sessions, w.opened, nil, w.watcher, w.current, own))
	return w
}

// configurationOf returns a configuration with only these toolboxes.
func configurationOf(toolboxes ...domain.Toolbox) application.Configuration {
	return application.Configuration{Catalog: fakeCatalog(toolboxes)}
}

// reads makes the workbench read a configuration.
func (w *reloadingWorkbench) reads(configuration application.Configuration) {
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			if w.servers[server.ID] == nil {
				w.servers[server.ID] = &fakeServer{id: server.ID}
				w.servers[server.ID].offer("read", "write")
			}
		}
	}
	w.reloader.Reload(func() (application.Configuration, []domain.ConfigurationProblem) { return configuration, nil })
}

// fails makes the workbench read a configuration that has a problem.
func (w *reloadingWorkbench) fails(texts ...string) {
	var problems []domain.ConfigurationProblem
	for _, text := range texts {
		problems = append(problems, domain.ConfigurationProblem{All: true, Text: text})
	}
	w.reloader.Reload(func() (application.Configuration, []domain.ConfigurationProblem) {
		return application.Configuration{}, problems
	})
}

// withServer returns the toolbox with a change of its server of that name.
func withServer(toolbox domain.Toolbox, server domain.ServerName, change func(*domain.Server)) domain.Toolbox {
	toolbox.Servers = slices.Clone(toolbox.Servers)
	i := slices.IndexFunc(toolbox.Servers, func(s domain.Server) bool { return s.ID.Server == server })
	change(&toolbox.Servers[i])
	return toolbox
}

// settings changes the settings of a server's transport.
func settings(raw string) func(*domain.Server) {
	return func(s *domain.Server) { s.Settings, s.Traits = []byte(raw), traitsOf(raw) }
}

// traitsOf returns the traits that the transports would return for settings.
func traitsOf(raw string) domain.Traits {
	var settings struct {
		Command, URL   string
		Args           []string
		InheritEnv     json.RawMessage
		InstallScripts bool
		OAuth          json.RawMessage
	}
	Expect(json.Unmarshal([]byte(raw), &settings)).To(Succeed())
	traits := domain.Traits{
		Program: domain.Program{Command: settings.Command, Args: settings.Args}, Address: settings.URL, InstallScripts: settings.InstallScripts,
		InheritsAll: slices.Contains([]string{"true", `"all"`}, string(settings.InheritEnv)), InheritsLeast: string(settings.InheritEnv) == "false",
	}
	_ = json.Unmarshal(settings.InheritEnv, &traits.Inherits) // a list, a boolean or "all"
	_ = json.Unmarshal(settings.OAuth, &traits.Login)         // an object, or false
	traits.Login.Off = string(settings.OAuth) == "false"
	return traits
}

// fakeListing counts its refreshes.
type fakeListing struct {
	changes   bool
	refreshes int
}

func (l *fakeListing) Refresh() bool {
	l.refreshes++
	return l.changes
}

// fakeConfigurationWatcher records what it is told.
type fakeConfigurationWatcher struct {
	reads chan struct{} // it is told when this is closed, nil for at once

	mu   sync.Mutex
	read []domain.ConfigurationRead
}

func (w *fakeConfigurationWatcher) ConfigurationRead(read domain.ConfigurationRead) {
	if w.reads != nil {
		<-w.reads
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read = append(w.read, read)
}

// texts returns what it was told.
func (w *fakeConfigurationWatcher) texts() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var texts []string
	for _, read := range w.read {
		texts = append(texts, read.Text)
	}
	return texts
}

// dynamicWorkbench is a workbench that registers tools.
type dynamicWorkbench struct {
	*workbench
	registrations *application.Registrations
	closer        *application.ToolboxCloser
	watcher       *fakeWatcher
}

func startDynamic(t *testing.T, toolboxes ...domain.Toolbox) *dynamicWorkbench {
	w := &dynamicWorkbench{workbench: prepare(t, toolboxes...), watcher: &fakeWatcher{}}
	w.registrations = application.NewRegistrations(w.catalog, w.known, w.opened, w.watcher, true, nil)
	w.wire(nil, w.registrations)
	w.closer = application.NewToolboxCloser(w.catalog, w.opened, w.sessions, w.registrations)
	return w
}

// closes closes a toolbox that can be closed, and returns the number of removed tools.
func (w *dynamicWorkbench) closes(name domain.ToolboxName) int {
	closed, err := w.closer.CloseToolbox(w.t.Context(), name)
	Expect(err).NotTo(HaveOccurred())
	return closed.Removed
}

// names returns the names of the registered tools in order.
func (w *dynamicWorkbench) names() []string {
	var names []string
	for _, tool := range w.registrations.Registered().Tools {
		names = append(names, tool.Name)
	}
	return names
}

// alive returns how many sessions the servers of a toolbox have.
func (w *dynamicWorkbench) alive(toolbox domain.ToolboxName) int {
	count := 0
	for id, server := range w.servers {
		if id.Toolbox == toolbox {
			now, _ := server.alive()
			count += now
		}
	}
	return count
}

// fakeWatcher records what it is told.
type fakeWatcher struct {
	mu        sync.Mutex
	toolboxes []domain.ToolboxName
}

func (f *fakeWatcher) ToolsChanged(toolbox domain.ToolboxName) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.toolboxes = append(f.toolboxes, toolbox)
}

// heard returns the changes that it was told of, once no more are on their way: the watcher may
// be told later than the caller that made a change.
func (f *fakeWatcher) heard() []domain.ToolboxName {
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.toolboxes)
}
