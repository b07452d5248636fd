package application_test

import (
	"encoding/json"
	"strings"
	"sync"

	. "github.com/onsi/gomega"

	"mcp-workbench/application/pinning"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakePins is a lock in memory.
type fakePins struct {
	mu    sync.Mutex
	lock  *domain.Lock
	err   error
	saved []domain.Lock
	// approval is the id of the last approval, and approved its lock.
	approval string
	approved *domain.Lock
}

// approve puts a lock that the user approved.
func (p *fakePins) approve(lock *domain.Lock) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lock, p.err, p.approved = lock, nil, lock
	p.approval += "+"
}

func (p *fakePins) Approval() (id string, ofLock bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.approval, p.approved != nil && p.approved == p.lock
}

func (p *fakePins) Lock() (*domain.Lock, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lock, p.err
}

func (p *fakePins) Save(lock domain.Lock) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saved = append(p.saved, lock)
	return p.err
}

// put replaces the lock.
func (p *fakePins) put(lock *domain.Lock, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lock, p.err = lock, err
}

// fakeDefinitions ignores white space in definitions.
type fakeDefinitions struct{}

func (fakeDefinitions) Pin(tool domain.ToolInfo, scope domain.PinScope) domain.Pin {
	text := strings.ReplaceAll(string(tool.Definition), " ", "")
	if scope == domain.PinSchema || scope == domain.PinOlderSchema {
		text = tool.Name
	}
	return domain.Pin{Digest: text, Definition: json.RawMessage(text)}
}

func (fakeDefinitions) Reduce(definition json.RawMessage, _ domain.PinScope) json.RawMessage {
	return definition
}

// Hints counts a definition with the word "harmless" as one of a tool that only reads, too.
func (fakeDefinitions) Hints(pin domain.Pin) domain.Hints {
	says := func(text string) bool { return strings.Contains(string(pin.Definition), text) }
	return domain.Hints{ReadOnly: says("harmless") || says(`"readOnlyHint":true`), NotDestructive: says(`"destructiveHint":false`)}
}

func (fakeDefinitions) Changes(before, after domain.Pin) []domain.DefinitionChange {
	if before.Digest == after.Digest {
		return nil
	}
	return []domain.DefinitionChange{{Member: "description"}, {Member: "inputSchema"}}
}

// usePins makes a workbench use a lock.
func usePins(w *workbench, policy domain.PinPolicy, pins ports.Pins) {
	w.wire(pinning.New(policy, pins, fakeDefinitions{}), nil)
}

// lockOf returns a lock with tools of the server "files" in the toolbox "dev", in the
// form of describedTool.
func lockOf(tools ...string) *domain.Lock {
	files := domain.LockedServer{ID: domain.ServerID{Toolbox: "dev", Server: "files"}, Instructions: []string{""}}
	for _, tool := range tools {
		files.Tools = append(files.Tools, lockedAs(tool))
	}
	domain.SortTools(files.Tools)
	return &domain.Lock{Servers: []domain.LockedServer{files}}
}

// lockedAs returns a locked tool with one or two definitions: "name: description".
func lockedAs(definitions ...string) domain.LockedTool {
	locked := domain.LockedTool{Name: describedTool(definitions[0]).Name}
	for _, definition := range definitions {
		locked.Pins = append(locked.Pins, fakeDefinitions{}.Pin(describedTool(definition), domain.PinDefinition))
	}
	return locked
}

// describedTool returns the tool that "name" or "name: description" describes.
func describedTool(tool string) domain.ToolInfo {
	name, description, _ := strings.Cut(tool, ": ")
	definition, err := json.Marshal(map[string]string{"name": name, "description": description})
	Expect(err).NotTo(HaveOccurred())
	return domain.ToolInfo{Name: name, Shown: domain.ShownText(name), Definition: definition}
}

// lists makes the server list such tools.
func (f *fakeServer) lists(tools ...string) {
	f.list.Tools = nil
	for _, tool := range tools {
		f.list.Tools = append(f.list.Tools, describedTool(tool))
	}
}

// shown opens the toolbox and returns the tools and warnings of the server "files".
func (w *workbench) shown() (names []string, warnings []domain.Warning) {
	opened := w.opens("dev")
	return domain.ToolList{Tools: opened.Servers[0].Tools}.Names(), append(opened.Warnings, opened.Servers[0].Warnings...)
}
