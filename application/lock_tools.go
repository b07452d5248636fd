package application

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"mcp-workbench/application/pinning"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolLocker is the use case of comparing tools with the lock and locking them.
type ToolLocker struct {
	catalog     ports.Catalog
	sessions    *sessions.Sessions
	pins        ports.Pins
	definitions ports.Definitions
}

// NewToolLocker returns the use case. The sessions must apply no lock: every tool
// that exists for the host counts.
func NewToolLocker(catalog ports.Catalog, sessions *sessions.Sessions, pins ports.Pins, definitions ports.Definitions) *ToolLocker {
	return &ToolLocker{catalog: catalog, sessions: sessions, pins: pins, definitions: definitions}
}

// CompareTools implements ports.ToolLocker.
func (l *ToolLocker) CompareTools(ctx context.Context) (domain.LockComparison, error) {
	var found domain.LockComparison
	found.Lock, found.Broken = l.pins.Lock()
	var lock domain.Lock
	if found.Lock != nil {
		lock = *found.Lock
	}
	for _, seen := range l.look(ctx) {
		locked, isLocked := lock.Server(seen.server.ID)
		locked.ID = seen.server.ID
		if seen.failure != nil {
			found.Unreachable = append(found.Unreachable, domain.UnreachableServer{ID: locked.ID, Failure: seen.failure})
			if isLocked {
				found.Live.Servers = append(found.Live.Servers, locked)
			}
			continue
		}
		found.Live.Servers = append(found.Live.Servers, domain.LockedServer{ID: locked.ID, Tools: seen.pins})
		found.Differences = append(found.Differences, locked.Compare(seen.pins)...)
		found.Revealing = append(found.Revealing, seen.revealing()...)
	}
	for _, locked := range lock.Servers {
		if !l.configured(locked.ID) {
			found.Differences = append(found.Differences, locked.Compare(nil)...)
		}
	}
	return found, ctx.Err()
}

// LockTools implements ports.ToolLocker.
func (l *ToolLocker) LockTools(found domain.LockComparison) error { return l.pins.Save(found.Live) }

func (l *ToolLocker) configured(id domain.ServerID) bool {
	toolbox, err := l.catalog.Toolbox(id.Toolbox)
	if err != nil {
		return false
	}
	_, ok := toolbox.Server(id.Server)
	return ok
}

// seenServer is a server and its tools, or why they are not known.
type seenServer struct {
	server  domain.Server
	pins    []domain.Pin
	failure error
}

// look looks at every server of the configuration, in its order.
func (l *ToolLocker) look(ctx context.Context) []seenServer {
	var seen []seenServer
	for _, toolbox := range l.catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			seen = append(seen, seenServer{server: server})
		}
	}
	var all sync.WaitGroup
	for i := range seen {
		all.Go(func() { seen[i].pins, seen[i].failure = l.lookAt(ctx, seen[i].server) })
	}
	all.Wait()
	return seen
}

// lookAt returns the pins of one server's tools. A part of a list does not count as
// the list.
func (l *ToolLocker) lookAt(ctx context.Context, server domain.Server) ([]domain.Pin, error) {
	connection, err := l.sessions.Connect(ctx, server)
	if err != nil {
		return nil, err
	}
	list := connection.Tools()
	broken := slices.IndexFunc(list.Warnings, func(w domain.Warning) bool { return w.Kind == domain.ListBroken })
	if broken >= 0 {
		reason := fmt.Sprintf("its tool list broke off: %s", list.Warnings[broken].Detail)
		return nil, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	return pinning.PinsOf(l.definitions, list.Tools), nil
}

// revealing returns the tools whose definitions hold a secret of the server.
func (s seenServer) revealing() []domain.ToolIdentifier {
	redact := s.server.Secrets.Redactor()
	var tools []domain.ToolIdentifier
	for _, pin := range s.pins {
		if text := string(pin.Definition); redact(text) != text {
			tools = append(tools, domain.ToolIdentifier{Toolbox: s.server.ID.Toolbox, Server: s.server.ID.Server, Tool: pin.Tool})
		}
	}
	return tools
}
