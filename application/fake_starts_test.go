package application_test

import (
	"context"
	"encoding/json"
	"errors"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

var fetchedID = domain.ServerID{Toolbox: "dev", Server: "files"}

// fetchedServer returns a server whose launcher fetches a package.
func fetchedServer(spec string) domain.Server {
	return domain.Server{
		ID: fetchedID, Settings: json.RawMessage(`{"fetch":"` + spec + `"}`),
		Secrets: domain.Secrets{{Value: "hunter2hunter2", Shown: "***"}},
	}
}

// fetchingPackages knows launchers by a setting of their own, and installs nothing.
type fetchingPackages struct {
	ports.Packages // for the methods that no spec uses
	installed      map[string]bool
	failure        error // of installing
	broken         error // of what was installed
	asked          []string
}

func (p *fetchingPackages) Request(server domain.Server) (domain.PackageRequest, bool, error) {
	p.asked = append(p.asked, "request")
	var settings struct{ Fetch string }
	_ = json.Unmarshal(server.Settings, &settings)
	if settings.Fetch == "image" {
		return domain.PackageRequest{}, true, errors.New("images are not pinned here")
	}
	return domain.PackageRequest{Kind: domain.PackageNPM, Name: "a", Spec: settings.Fetch}, settings.Fetch != "", nil
}

func (p *fetchingPackages) IsInstalled(pin domain.PackagePin) bool {
	return p.installed[pin.LockDigest]
}

func (p *fetchingPackages) Install(_ context.Context, _ domain.Server, pin domain.PackagePin, lockFile []byte) error {
	p.asked = append(p.asked, "install "+string(lockFile))
	if p.failure == nil {
		p.installed[pin.LockDigest] = true
	}
	return p.failure
}

func (p *fetchingPackages) Pinned(server domain.Server, pin domain.PackagePin) (domain.Server, error) {
	server.Settings = json.RawMessage(`{"pinned":"` + pin.Version + `"}`)
	return server, p.broken
}

// lockFile holds one lock file.
type lockFile struct {
	ports.PackageLocks
	text   string
	broken error
}

func (l lockFile) PackageLock(domain.ServerID, domain.PackagePin) ([]byte, error) {
	return []byte(l.text), l.broken
}

// startedServers records the settings that servers are started with.
type startedServers struct {
	started []string
	failure error
}

func (f *startedServers) Connect(_ context.Context, server domain.Server, _ ports.Host, _ ports.ServerPolicy) (ports.Session, error) {
	f.started = append(f.started, string(server.Settings))
	if f.failure != nil {
		return nil, f.failure
	}
	return &listingSession{list: domain.ToolList{Warnings: []domain.Warning{{Kind: domain.ListCut}}}}, nil
}

// listingSession lists tools.
type listingSession struct {
	ports.Session
	list    domain.ToolList
	failure error
}

func (s *listingSession) ListTools(context.Context) (domain.ToolList, error) {
	return s.list, s.failure
}

// startedHost is told how starts go.
type startedHost struct {
	ports.Host
	starts []ports.Start
}

func (h *startedHost) Starting(start ports.Start) { h.starts = append(h.starts, start) }
