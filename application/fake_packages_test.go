package application_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// fakePackages is a registry in memory, with the packages that are installed from it. A
// server's launcher fetches the package in its setting "fetch": "a@^1".
type fakePackages struct {
	mu        sync.Mutex
	newest    map[string]string // by the request
	scripted  []string
	changes   []domain.PackageChange // of every two lock files
	failures  map[string]error       // of resolving and installing, by "resolve" and "install"
	installed map[string]bool        // by digest
	asked     []string
}

func newFakePackages() *fakePackages {
	return &fakePackages{newest: map[string]string{}, failures: map[string]error{}, installed: map[string]bool{}}
}

func (p *fakePackages) note(what string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, what)
	slices.Sort(p.asked)
	kind, _, _ := strings.Cut(what, " ")
	return p.failures[kind]
}

func (p *fakePackages) Request(server domain.Server) (domain.PackageRequest, bool, error) {
	var settings struct {
		Fetch   string
		Scripts bool
	}
	_ = json.Unmarshal(server.Settings, &settings) // the settings of other specs are no objects
	name, _, _ := strings.Cut(settings.Fetch, "@")
	if name == "image" {
		return domain.PackageRequest{}, true, errors.New("images are not pinned here")
	}
	return domain.PackageRequest{Kind: domain.PackageNPM, Name: name, Spec: settings.Fetch, InstallScripts: settings.Scripts}, name != "", nil
}

func (p *fakePackages) Resolve(_ context.Context, _ domain.Server, request domain.PackageRequest) (domain.ResolvedPackage, error) {
	if err := p.note("resolve " + request.Spec); err != nil {
		return domain.ResolvedPackage{}, err
	}
	pin := pinOf(request.Spec, p.newest[request.Spec])
	return domain.ResolvedPackage{Version: pin.Version, LockFile: []byte("lock of " + pin.String()), Digest: pin.LockDigest, Scripted: p.scripted}, nil
}

func (p *fakePackages) Changes(before, after []byte) []domain.PackageChange {
	if string(before) == string(after) {
		return nil
	}
	return p.changes
}

func (p *fakePackages) IsInstalled(pin domain.PackagePin) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.installed[pin.LockDigest]
}

func (p *fakePackages) Install(_ context.Context, _ domain.Server, pin domain.PackagePin, lockFile []byte) error {
	if want := "lock of " + pin.String(); string(lockFile) != want {
		return fmt.Errorf("the lock file is %q and not %q", lockFile, want)
	}
	if err := p.note("install " + pin.String()); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.installed[pin.LockDigest] = true
	return nil
}

func (p *fakePackages) Pinned(server domain.Server, pin domain.PackagePin) (domain.Server, error) {
	server.Settings = json.RawMessage(`{"pinned":"` + pin.String() + `"}`)
	return server, nil
}

// pinOf returns the pin of a version for a request.
func pinOf(spec, version string) domain.PackagePin {
	name, _, _ := strings.Cut(spec, "@")
	return domain.PackagePin{
		PackageRequest: domain.PackageRequest{Kind: domain.PackageNPM, Name: name, Spec: spec},
		Version:        version, LockDigest: "digest of " + name + "@" + version,
	}
}

// fakePackageLocks are lock files in memory.
type fakePackageLocks struct {
	mu      sync.Mutex
	files   map[domain.ServerID]string
	failure error // of storing
}

func newFakePackageLocks() *fakePackageLocks {
	return &fakePackageLocks{files: map[domain.ServerID]string{}}
}

func (l *fakePackageLocks) PackageLock(server domain.ServerID, _ domain.PackagePin) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	text, ok := l.files[server]
	if !ok {
		return nil, &domain.LockBrokenError{Path: "p", Reason: "it does not exist"}
	}
	return []byte(text), nil
}

func (l *fakePackageLocks) SavePackageLock(server domain.ServerID, lockFile []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure == nil {
		l.files[server] = string(lockFile)
	}
	return l.failure
}

func (l *fakePackageLocks) RemovePackageLocks(lock domain.Lock) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.files {
		if _, isPinned := lock.Package(id); !isPinned {
			delete(l.files, id)
		}
	}
	return nil
}

// versions is a connector to servers that differ by version. It has a change of the
// server before its start, by its settings.
type versions struct {
	fakeServers
	become map[string]func(*fakeServer)
}

func (v versions) Connect(ctx context.Context, server domain.Server, host ports.Host, policy ports.ServerPolicy) (ports.Session, error) {
	if become := v.become[string(server.Settings)]; become != nil {
		become(v.fakeServers[server.ID])
	}
	return v.fakeServers.Connect(ctx, server, host, policy)
}
