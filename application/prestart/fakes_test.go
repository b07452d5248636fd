package prestart_test

import (
	"context"
	"encoding/json"
	"errors"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var files = domain.ServerID{Toolbox: "dev", Server: "files"}

// fetchedServer returns a server whose launcher fetches a package.
func fetchedServer(spec string) domain.Server {
	return domain.Server{
		ID: files, Settings: json.RawMessage(`{"fetch":"` + spec + `"}`),
		Secrets: domain.Secrets{{Value: "hunter2hunter2", Shown: "***"}},
	}
}

// fakePackages knows launchers by a setting of their own, and installs nothing.
type fakePackages struct {
	ports.Packages // for the methods that no spec uses
	installed      map[string]bool
	failure        error // of installing
	broken         error // of what was installed
	asked          []string
}

func (p *fakePackages) Request(server domain.Server) (domain.PackageRequest, bool, error) {
	p.asked = append(p.asked, "request")
	var settings struct{ Fetch string }
	_ = json.Unmarshal(server.Settings, &settings)
	if settings.Fetch == "image" {
		return domain.PackageRequest{}, true, errors.New("images are not pinned here")
	}
	return domain.PackageRequest{Kind: domain.PackageNPM, Name: "a", Spec: settings.Fetch}, settings.Fetch != "", nil
}

func (p *fakePackages) IsInstalled(pin domain.PackagePin) bool { return p.installed[pin.LockDigest] }

func (p *fakePackages) Install(_ context.Context, _ domain.Server, pin domain.PackagePin, lockFile []byte) error {
	p.asked = append(p.asked, "install "+string(lockFile))
	if p.failure == nil {
		p.installed[pin.LockDigest] = true
	}
	return p.failure
}

func (p *fakePackages) Pinned(server domain.Server, pin domain.PackagePin) (domain.Server, error) {
	server.Settings = json.RawMessage(`{"pinned":"` + pin.Version + `"}`)
	return server, p.broken
}

// fakeLocks holds one lock file.
type fakeLocks struct {
	ports.PackageLocks
	text   string
	broken error
}

func (l fakeLocks) PackageLock(domain.ServerID, domain.PackagePin) ([]byte, error) {
	return []byte(l.text), l.broken
}

// fakeServers records the settings that servers are started with.
type fakeServers struct {
	started []string
	failure error
}

func (f *fakeServers) Connect(_ context.Context, server domain.Server, _ ports.Host, _ ports.ServerPolicy) (ports.Session, error) {
	f.started = append(f.started, string(server.Settings))
	if f.failure != nil {
		return nil, f.failure
	}
	return &fakeSession{list: domain.ToolList{Warnings: []domain.Warning{{Kind: domain.ListCut}}}}, nil
}

// fakeSession lists tools.
type fakeSession struct {
	ports.Session
	list    domain.ToolList
	failure error
}

func (s *fakeSession) ListTools(context.Context) (domain.ToolList, error) { return s.list, s.failure }

// fakeHost is told how starts go.
type fakeHost struct {
	ports.Host
	starts []ports.Start
}

func (h *fakeHost) Starting(start ports.Start) { h.starts = append(h.starts, start) }
