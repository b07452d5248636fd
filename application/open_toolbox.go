package application

import (
	"context"
	"slices"
	"sync"
	"time"

	"mcp-workbench/application/pinning"
	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// ToolboxOpener is the use case OpenToolbox.
type ToolboxOpener struct {
	catalog       ports.Catalog
	servers       *Servers
	opened        *Opened
	pins          *pinning.Pinning
	registrations *Registrations // nil when no tools are registered
	notes         []OpeningNote
	observers     *Observers
}

// NewToolboxOpener returns the use case. It adds the toolboxes that it opens to opened, and
// their tools to registrations, which may be nil. Closing a toolbox waits for its openings.
// Pins, which may be nil, can refuse every opening. Each answer is passed through the notes, in their order. The
// observers are told of each opening.
func NewToolboxOpener(
	catalog ports.Catalog, servers *Servers, opened *Opened, pins *pinning.Pinning,
	registrations *Registrations, notes []OpeningNote, observers *Observers,
) *ToolboxOpener {
	return &ToolboxOpener{
		catalog: catalog, servers: servers, opened: opened, pins: pins, registrations: registrations,
		notes: notes, observers: observers,
	}
}

// OpenToolbox implements ports.ToolboxOpener. Callers that arrive while the toolbox is
// being opened share the answer, including a failure.
func (o *ToolboxOpener) OpenToolbox(ctx context.Context, name domain.ToolboxName) (opened domain.OpenedToolbox, err error) {
	ctx, end := o.observers.Opening(ctx, name)
	defer func() { end(opened, err) }()
	opened, err = o.share(ctx, name)
	o.registrations.update(name) // the lock may have changed, however the opening ended
	if err != nil {
		return opened, err
	}
	for _, note := range o.notes {
		note(&opened)
	}
	return opened, nil
}

// share waits for the opening of the toolbox that is under way, or begins one, unless
// the lock forbids openings. It tells a host that wants progress which servers are starting.
func (o *ToolboxOpener) share(ctx context.Context, name domain.ToolboxName) (domain.OpenedToolbox, error) {
	toolbox, err := o.toolbox(name)
	if err != nil {
		return domain.OpenedToolbox{}, err
	}
	limit := time.Duration(0)
	for _, server := range toolbox.Servers {
		limit = max(limit, server.Limits.Connect)
	}
	end := sessions.ReportStarts(ctx, limit, func() []domain.ServerID { return o.servers.Starting(name) })
	defer end()
	return o.opened.open(ctx, name, func() { o.servers.AllowToolbox(name) }, func(ctx context.Context) (domain.OpenedToolbox, error) {
		return o.open(ctx, toolbox)
	})
}

// toolbox returns a toolbox, unless the lock forbids openings.
func (o *ToolboxOpener) toolbox(name domain.ToolboxName) (domain.Toolbox, error) {
	toolbox, err := o.catalog.Toolbox(name)
	if err != nil {
		return domain.Toolbox{}, err
	}
	if broken := o.pins.BlocksAll(o.pins.State()); broken != nil {
		o.servers.ReapplyPins() // tools that were shown before are refused as well
		return domain.Toolbox{}, broken
	}
	return toolbox, nil
}

// openForCall lets a call connect to the server of its tool, and opens the toolbox unless that is under way. It starts
// nothing and waits for no server.
//
// Decision: a call starts its own server only. The others start when the host opens the toolbox to see their tools.
//
// Failures: those of OpenToolbox but domain.ErrAllServersFailed; domain.ErrServerNotFound.
func (o *ToolboxOpener) openForCall(ctx context.Context, tool domain.ToolIdentifier) error {
	toolbox, err := o.toolbox(tool.Toolbox)
	if err != nil {
		return err
	}
	server := toolbox.Find(tool.Server)
	if server == nil {
		return toolbox.ServerNotFound(tool.Server)
	}
	return o.opened.admit(ctx, toolbox.Name, func() {
		o.servers.AllowToolbox(toolbox.Name)
		o.servers.ShowUnstarted(*server, o.servers.FindKept(*server)) // so that a call which its list forbids starts nothing
		o.opened.Add(toolbox.Name)
		o.registrations.update(toolbox.Name)
	})
}

func (o *ToolboxOpener) open(ctx context.Context, toolbox domain.Toolbox) (domain.OpenedToolbox, error) {
	starts := o.start(ctx, toolbox)
	result := domain.OpenedToolbox{Toolbox: toolbox, Servers: make([]domain.OpenedServer, len(starts.servers))}
	var shown sync.WaitGroup
	for i, server := range starts.servers {
		shown.Go(func() {
			<-server.settled
			result.Servers[i] = o.show(ctx, server, starts.begun)
		})
	}
	starts.await(ctx)
	shown.Wait()
	if result.HasFailed() {
		return result, domain.ErrAllServersFailed
	}
	o.opened.Add(toolbox.Name)
	o.registrations.update(toolbox.Name)
	return result, nil
}

// start starts the servers of a toolbox that are not up, unless they are started when they are used.
func (o *ToolboxOpener) start(ctx context.Context, toolbox domain.Toolbox) *serverStarts {
	starts := &serverStarts{begun: time.Now()}
	kept := o.findKept(ctx, toolbox)
	for i, server := range toolbox.Servers {
		start := &serverStart{server: server, settled: make(chan struct{}), reply: startReply(ctx, server.Limits)}
		starts.servers = append(starts.servers, start)
		if list, isShown := o.servers.ShowUnstarted(server, kept[i]); isShown {
			start.kept = list
			start.settle(nil, nil)
			continue
		}
		var err error
		if start.starting, err = o.servers.StartInTurn(ctx, server); err != nil {
			start.settle(nil, err)
			continue
		}
		if start.kept, start.isKept = o.servers.ShowKept(start.starting, kept[i]); !start.isKept {
			start.starting.Hurry()
		}
	}
	return starts
}

// openReply returns how long the opening of a toolbox may take to answer: as long as the host waits, unless the
// configuration says otherwise.
func openReply(ctx context.Context, limits domain.Limits) time.Duration {
	if patience := ports.OpeningOf(ctx).Patience; patience > 0 && limits.OpenReply == domain.DefaultLimits().OpenReply {
		return patience
	}
	return limits.OpenReply
}

// startReply returns how long after the start of a server an opening answers without it: longer than openReply if the
// host is told what it waits for.
func startReply(ctx context.Context, limits domain.Limits) time.Duration {
	reply := openReply(ctx, limits)
	if ports.StartReportsOf(ctx) != nil && limits.OpenReply == domain.DefaultLimits().OpenReply {
		reply = max(reply, limits.Connect+limits.OpenGrace) // so that the start fails first
	}
	return reply
}

// findKept returns the tools that each server of the toolbox listed in an earlier run, nil
// if they are not known. It is called before any server is started, since a start keeps the
// processor busy for a while.
//
// Decision: an opening waits for a server that is started with it and could not ask for the roots later. Many servers
// ask for them as soon as they are up, and never again.
func (o *ToolboxOpener) findKept(ctx context.Context, toolbox domain.Toolbox) []*sessions.KeptTools {
	kept := make([]*sessions.KeptTools, len(toolbox.Servers))
	if !toolbox.IsLazy() {
		return kept
	}
	eachOf(toolbox.Servers, func(i int, server domain.Server) {
		if server.Start != domain.StartLazily || !ports.OpeningOf(ctx).NoLaterRoots {
			kept[i] = o.servers.FindKept(server)
		}
	})
	return kept
}

// show returns what a settled server offers. It waits for logins and repeated listings until
// the reply is due.
func (o *ToolboxOpener) show(ctx context.Context, start *serverStart, begun time.Time) domain.OpenedServer {
	limits := start.server.Limits
	due := begun.Add(openReply(ctx, limits))
	if ports.StartReportsOf(ctx) != nil {
		due = later(due, time.Now().Add(limits.OpenGrace))
	}
	ctx, cancel := context.WithDeadline(ctx, due)
	defer cancel()
	opened := o.showSettled(ctx, start, begun)
	opened.Warnings = slices.Concat(o.servers.TakeNews(opened.ID, opened.Failure == nil && !opened.Starting), opened.Warnings)
	return opened
}

func (o *ToolboxOpener) showSettled(ctx context.Context, start *serverStart, begun time.Time) domain.OpenedServer {
	connection, err := start.connection, start.err
	if err != nil {
		connection, err = o.servers.connectedAfterLogin(ctx, start.server, err)
	}
	switch {
	case err != nil:
		return domain.OpenedServer{ID: start.server.ID, Failure: err}
	case connection == nil:
		return o.showKept(start)
	}
	return o.showConnected(ctx, connection, begun)
}

// showKept returns the tools that a server that is still starting, or is started when it is used, listed last.
func (o *ToolboxOpener) showKept(start *serverStart) domain.OpenedServer {
	opened := openedServer(start.server.ID, start.kept)
	opened.Starting, opened.AtUse = true, start.starting == nil
	opened.OnlyRead, opened.AllOnlyRead = o.servers.OnlyReading(opened.ID, opened.Tools)
	return opened
}

// showConnected returns what a server that is up offers.
func (o *ToolboxOpener) showConnected(ctx context.Context, connection *sessions.Connection, begun time.Time) domain.OpenedServer {
	connection.RetryListing(begun)
	connection.Refresh(ctx)
	opened := openedServer(connection.Server.ID, connection.Tools())
	opened.OnlyRead, opened.AllOnlyRead = o.servers.OnlyReading(opened.ID, opened.Tools)
	connection.ShowsNow()
	return opened
}

func openedServer(id domain.ServerID, list domain.ToolList) domain.OpenedServer {
	return domain.OpenedServer{ID: id, Tools: list.Tools, Instructions: list.Instructions, Title: list.Title, Warnings: list.Warnings}
}

// OpeningNote adds to the answer of an opening that succeeded. Callers that shared the opening
// each have a copy of the answer, with servers of its own.
type OpeningNote func(opened *domain.OpenedToolbox)

// NewOpeningNotes returns the notes of one host, in the order of the warnings that they add.
// Registrations may be nil.
func NewOpeningNotes(
	current *Current, pins *pinning.Pinning, definitions ports.Definitions, prompts *PromptReader, known *sessions.KnownTools,
	registrations *Registrations,
) []OpeningNote {
	changed := &shownTools{definitions: definitions, last: map[domain.ServerID]showing{}}
	notes := []OpeningNote{
		current.noteReload,
		noteLock(pins),
		noteUnmatched(current, known),
		changed.note,
		prompts.noteWarnings,
	}
	if registrations != nil {
		notes = append(notes, registrations.noteNames, registrations.pages.noteModelTools)
	}
	return notes
}

// noteLock warns of problems with the lock as a whole.
func noteLock(pins *pinning.Pinning) OpeningNote {
	return func(opened *domain.OpenedToolbox) {
		opened.Warnings = append(opened.Warnings, pins.Warnings(pins.State())...)
	}
}

// warn adds warnings about a server. It copies the slice, which may be shared.
func warn(server *domain.OpenedServer, warnings []domain.Warning) {
	if len(warnings) > 0 {
		server.Warnings = slices.Concat(server.Warnings, warnings)
	}
}
