package application

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"mcp-workbench/application/pinning"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolLocker is the use case of comparing tools and packages with the lock and locking
// them.
type ToolLocker struct {
	catalog      ports.Catalog
	pins         ports.Pins
	definitions  ports.Definitions
	packages     ports.Packages
	packageLocks ports.PackageLocks
	// pinned has the packages at whose versions servers are started.
	pinned atomic.Pointer[domain.Lock]
	// trial and full have the sessions of a host with all capabilities, bare those of a host
	// with none.
	trial, full, bare *sessions.Sessions
}

// InspectingHosts are the hosts as which servers are asked for their tools. They have no user: one
// declares all capabilities, the other none.
type InspectingHosts struct{ Full, Bare ports.Host }

// NewToolLocker returns the use case. Unpinned starts servers as they are
// configured. No lock is applied to the tools: every tool that exists for a host
// counts.
func NewToolLocker(
	catalog ports.Catalog, unpinned *PreparingConnector, pins ports.Pins, definitions ports.Definitions,
	fetched ports.Packages, packageLocks ports.PackageLocks, hosts InspectingHosts, log *slog.Logger,
) *ToolLocker {
	l := &ToolLocker{catalog: catalog, pins: pins, definitions: definitions, packages: fetched, packageLocks: packageLocks}
	// No package is pinned before packages are compared, nor if servers are compared as configured.
	state := func() pinning.PackageState { return pinning.AsLocked(l.pinned.Load()) }
	connector := unpinned.AtPins(fetched, packageLocks, state, log)
	lookAs := func(host ports.Host) *sessions.Sessions {
		return sessions.New(connector, host, nil, nil, sessions.NewKnownTools(), sessions.NewOwnership(sessions.Share{}), nil, nil, log)
	}
	l.trial, l.full, l.bare = lookAs(hosts.Full), lookAs(hosts.Full), lookAs(hosts.Bare)
	return l
}

// CompareTools implements ports.ToolLocker.
func (l *ToolLocker) CompareTools(ctx context.Context, request domain.LockRequest) (domain.LockComparison, error) {
	var found domain.LockComparison
	found.Lock, found.Broken = l.pins.Lock()
	var lock domain.Lock
	if found.Lock != nil {
		lock = *found.Lock
	}
	l.comparePackages(ctx, lock, request, &found)
	seen := l.look(ctx, request)
	for _, server := range seen {
		l.compareServer(server, lock, &found)
	}
	for _, locked := range lock.Servers {
		switch {
		case slices.ContainsFunc(seen, func(server *seenServer) bool { return server.ID == locked.ID }):
		case len(request.Servers) > 0:
			found.Live.Servers = append(found.Live.Servers, locked)
		default:
			found.Differences = append(found.Differences, locked.Compare(nil)...)
		}
	}
	return found, ctx.Err()
}

// compareServer adds to the comparison how the tools of a configured server differ from the lock. A
// server whose tools were not listed keeps its entry in the lock.
func (l *ToolLocker) compareServer(server *seenServer, lock domain.Lock, found *domain.LockComparison) {
	locked, isLocked := lock.Server(server.ID)
	locked.ID = server.ID
	if server.failure != nil {
		found.Unreachable = append(found.Unreachable, domain.UnreachableServer{ID: locked.ID, Failure: server.failure})
	}
	if server.failure != nil || !server.isRequested {
		if isLocked {
			found.Live.Servers = append(found.Live.Servers, locked)
		}
		return
	}
	live := l.lockedNow(server)
	found.Varying = append(found.Varying, l.varying(server, live)...)
	differences := locked.Compare(live.Tools)
	found.Live.Servers = append(found.Live.Servers, live)
	found.Differences = append(found.Differences, differences...)
	found.Revealing = append(found.Revealing, revealing(server.Server, live)...)
	switch {
	case isLocked && !slices.Equal(locked.Instructions, live.Instructions), !isLocked && live.Instructions[0] != "":
		found.Instructions = append(found.Instructions, domain.InstructionsDifference{ID: server.ID, Locked: locked.Instructions, Live: live.Instructions})
	}
	switch {
	case server.Pinned == domain.PinSchema:
		found.Unguarded = append(found.Unguarded, server.ID)
	case server.Pinned == domain.PinNoDefaults:
		found.NoDefaults = append(found.NoDefaults, server.ID)
	case l.onlyDescriptions(differences):
		found.OnlyDescriptions = append(found.OnlyDescriptions, server.ID)
	}
}

// LockTools implements ports.ToolLocker. The lock is written after everything that it names.
func (l *ToolLocker) LockTools(found domain.LockComparison) error {
	return l.pins.ChangeFrom(found.Lock, found.Broken, func() error { return l.lockTools(found) })
}

func (l *ToolLocker) lockTools(found domain.LockComparison) error {
	for id, lockFile := range found.PackageLocks {
		if err := l.packageLocks.SavePackageLock(id, lockFile); err != nil {
			return err
		}
	}
	if err := l.pins.Save(found.Live); err != nil {
		return err
	}
	if found.Broken == nil && found.Lock != nil { // otherwise nothing tells which lock files there were
		return l.packageLocks.RemovePackageLocks(*found.Lock, found.Live)
	}
	return nil
}

// Close implements ports.ToolLocker.
func (l *ToolLocker) Close(ctx context.Context) {
	eachOf([]*sessions.Sessions{l.trial, l.full, l.bare}, func(_ int, live *sessions.Sessions) { live.Close(ctx) })
}

// onlyDescriptions reports whether there are differences and all of them are in
// descriptions of tools.
func (l *ToolLocker) onlyDescriptions(differences []domain.Difference) bool {
	for _, difference := range differences {
		if difference.Locked == nil || difference.Live == nil || difference.Locked.Optional != difference.Live.Optional {
			return false
		}
		for _, live := range difference.Live.Pins {
			before := difference.Locked.Nearest(live, l.definitions.Changes)
			if members := pinning.ChangedMembers(l.definitions, before, live); members != "" && members != "description" {
				return false
			}
		}
	}
	return len(differences) > 0
}

// seenServer is a server and its tools, or why they are not known.
type seenServer struct {
	domain.Server
	isRequested bool
	list        domain.ToolList // for a host with all capabilities
	bare        domain.ToolList // for a host without capabilities
	failure     error
}

// servers returns every server of the configuration, in its order.
func (l *ToolLocker) servers(request domain.LockRequest) []*seenServer {
	var servers []*seenServer
	for server := range domain.ServersOf(l.catalog.Toolboxes()) {
		isRequested := len(request.Servers) == 0 || slices.Contains(request.Servers, server.ID)
		servers = append(servers, &seenServer{Server: server, isRequested: isRequested})
	}
	return servers
}

// look lists the tools of the requested servers, in the order of the configuration. The servers
// are stopped between the two listings, so that no server ever has two processes.
func (l *ToolLocker) look(ctx context.Context, request domain.LockRequest) []*seenServer {
	seen := l.servers(request)
	eachOf(seen, func(_ int, s *seenServer) {
		if s.isRequested {
			s.list, s.failure = listTools(ctx, l.full, s.Server)
		}
	})
	if !closeUntil(ctx, l.full) {
		return seen
	}
	eachOf(seen, func(_ int, s *seenServer) {
		if s.isRequested && s.failure == nil {
			s.bare, s.failure = listTools(ctx, l.bare, s.Server)
		}
	})
	return seen
}

// closeUntil closes the sessions and reports whether that was done before the context
// ended. Servers still have their usual time to end.
func closeUntil(ctx context.Context, sessions *sessions.Sessions) bool {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		sessions.Close(context.WithoutCancel(ctx))
	}()
	select {
	case <-closed:
		return true
	case <-ctx.Done():
		return false
	}
}

// lockedNow returns the server as a new lock would have it.
func (l *ToolLocker) lockedNow(server *seenServer) domain.LockedServer {
	now := domain.LockedServer{ID: server.ID, Tools: l.toolsOf(server, server.Pinned), Instructions: []string{""}}
	if server.Pinned != domain.PinSchema {
		now.Instructions = slices.Compact([]string{server.list.Instructions, server.bare.Instructions})
	}
	return now
}

// toolsOf returns the tools of a server in both listings, as a lock would have them.
func (l *ToolLocker) toolsOf(server *seenServer, scope domain.PinScope) []domain.LockedTool {
	return domain.MergeLooks(
		pinning.ToolsOf(l.definitions, scope, server.list.Tools), pinning.ToolsOf(l.definitions, scope, server.bare.Tools))
}

// varying returns the tools of a server that were not the same in its two starts, but are without their defaults.
func (l *ToolLocker) varying(server *seenServer, live domain.LockedServer) (tools []domain.ToolIdentifier) {
	stable := l.toolsOf(server, domain.PinNoDefaults)
	for i, tool := range live.Tools {
		if len(tool.Pins) > len(stable[i].Pins) {
			tools = append(tools, domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server, Tool: tool.Name})
		}
	}
	return tools
}

// listTools returns the tools of one server. A partial list is a failure.
func listTools(ctx context.Context, sessions *sessions.Sessions, server domain.Server) (domain.ToolList, error) {
	connection, err := sessions.Connect(ctx, server)
	if err != nil {
		return domain.ToolList{}, err
	}
	connection.Refresh(ctx)
	list := connection.Tools()
	incomplete := func(w domain.Warning) bool { return w.Kind == domain.ListBroken || w.Kind == domain.ListNotRefreshed }
	if i := slices.IndexFunc(list.Warnings, incomplete); i >= 0 {
		cause := list.Warnings[i].Detail
		if failure := list.Warnings[i].Reason; failure != nil {
			cause = domain.Reason(failure)
		}
		reason := fmt.Errorf("its tool list broke off: %s", cause)
		return domain.ToolList{}, &domain.ServerUnavailableError{ID: server.ID, Reason: reason}
	}
	return list, nil
}

// revealing returns the tools whose definitions contain a secret of the server, and the server
// itself if its instructions do.
func revealing(server domain.Server, live domain.LockedServer) []domain.ToolIdentifier {
	redact := server.Secrets.Redactor()
	reveals := func(text string) bool { return redact(text) != text }
	var tools []domain.ToolIdentifier
	if slices.ContainsFunc(live.Instructions, reveals) {
		tools = append(tools, domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server})
	}
	for _, tool := range live.Tools {
		if slices.ContainsFunc(tool.Pins, func(pin domain.Pin) bool { return reveals(string(pin.Definition)) }) {
			tools = append(tools, domain.ToolIdentifier{Toolbox: server.ID.Toolbox, Server: server.ID.Server, Tool: tool.Name})
		}
	}
	return tools
}
