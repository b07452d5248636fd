package application_test

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	. "github.com/onsi/gomega"

	"mcp-workbench/application"
	"mcp-workbench/domain"
)

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
	w.closer = application.NewToolboxCloser(w.catalog, w.openings, w.sessions, w.registrations)
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
