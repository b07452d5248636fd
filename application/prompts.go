package application

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"mcp-workbench/application/sessions"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// PromptReader is the use case of listing and getting prompts. It remembers the prompts
// that each server listed last: a prompt keeps its name, and can be fetched, as long as
// its server is up or would be started again by a use. Safe for concurrent use.
//
// Decision: servers that are up are asked at each listing, as for resources, since not every
// server reports changes of its prompts. A server that was stopped as idle is not started
// again for a list that is known.
type PromptReader struct {
	catalog   ports.Catalog
	sessions  *sessions.Sessions
	known     *sessions.KnownTools
	resources *ResourceOwners
	log       *slog.Logger

	slow slowLists

	mu         sync.Mutex // guards the fields below; nothing blocks under it
	lists      map[domain.ServerID]domain.PromptList
	registered *domain.RegisteredPrompts
}

// NewPromptReader returns the use case over the sessions of a host. The sessions keep
// known up to date. It adds the resources that prompts point at to resources.
func NewPromptReader(
	catalog ports.Catalog, sessions *sessions.Sessions, known *sessions.KnownTools, resources *ResourceOwners, log *slog.Logger,
) *PromptReader {
	return &PromptReader{
		catalog: catalog, sessions: sessions, known: known, resources: resources, log: log,
		lists: map[domain.ServerID]domain.PromptList{}, registered: domain.RegisterPrompts(nil, nil),
	}
}

// ListPrompts implements ports.PromptReader. Prompts of a slow server are those that it listed before; the host is told when
// others come.
func (p *PromptReader) ListPrompts(ctx context.Context) ([]domain.RegisteredPrompt, error) {
	_ = startAtUse(ctx, p.sessions, p.sessions.UnstartedWithPrompts()) // the others are listed
	p.slow.ask(ctx, p.toList(), func(ctx context.Context, connection *sessions.Connection, isLate func() bool) error {
		changed, err := p.list(ctx, connection)
		if changed && isLate() {
			p.sessions.ReportPrompts(connection.Server.ID)
		}
		return err
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p.update().Prompts, nil
}

// toList returns the connections to list prompts over.
func (p *PromptReader) toList() []*sessions.Connection {
	var connections []*sessions.Connection
	for server := range domain.ServersOf(p.catalog.Toolboxes()) {
		connection, live := p.sessions.Last(server.ID)
		if connection == nil || !connection.Session.Declares("prompts") {
			continue
		}
		if live || connection.IsAsleep() && !p.isListed(server.ID) {
			connections = append(connections, connection)
		}
	}
	return connections
}

func (p *PromptReader) isListed(server domain.ServerID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, listed := p.lists[server]
	return listed
}

// list lists the prompts of one server, and reports whether they differ from those before. If it fails, the prompts listed
// before stay.
func (p *PromptReader) list(ctx context.Context, last *sessions.Connection) (changed bool, err error) {
	id := last.Server.ID
	connection, err := p.sessions.Acquire(ctx, last)
	var list domain.PromptList
	if err == nil {
		list, err = connection.Session.ListPrompts(ctx)
		connection.Leave()
	}
	if err != nil {
		if ctx.Err() == nil { // otherwise the request was cancelled
			p.log.Warn("could not list the prompts", "toolbox", id.Toolbox, "server", id.Server, "error", err)
		}
		return false, err
	}
	p.mu.Lock()
	before := p.lists[id]
	p.lists[id] = list
	p.mu.Unlock()
	if !slices.Equal(before.LeftOut, list.LeftOut) {
		for _, why := range list.LeftOut {
			p.log.Warn("left something out of the list of prompts", "toolbox", id.Toolbox, "server", id.Server, "why", why)
		}
	}
	return !slices.EqualFunc(before.Prompts, list.Prompts, func(a, b domain.Prompt) bool {
		return a.Name == b.Name && string(a.Definition) == string(b.Definition)
	}), nil
}

// update registers the prompts of the servers that are up or would be started again, and
// forgets all others.
func (p *PromptReader) update() *domain.RegisteredPrompts {
	p.mu.Lock()
	before := p.registered
	lists := map[domain.ServerID]domain.PromptList{}
	var candidates []domain.RegisteredPrompt
	for server := range domain.ServersOf(p.catalog.Toolboxes()) {
		list, listed := p.lists[server.ID]
		if !listed || !p.mayHavePrompts(server.ID) {
			continue
		}
		lists[server.ID] = list
		for _, prompt := range list.Prompts {
			candidates = append(candidates, domain.RegisteredPrompt{
				Name:   domain.RegisteredPromptName(server.ID, prompt.Name),
				Prompt: domain.PromptIdentifier{Server: server.ID, Prompt: prompt.Name}, Definition: prompt.Definition,
			})
		}
	}
	now := domain.RegisterPrompts(candidates, before)
	p.lists, p.registered = lists, now
	p.mu.Unlock()
	for prompt, name := range now.Taken {
		if before.Taken[prompt] != name {
			p.log.Warn("a prompt is not available, since another one has its name", "toolbox", prompt.Server.Toolbox,
				"server", prompt.Server.Server, "prompt", domain.ShownText(prompt.Prompt), "name", name)
		}
	}
	return now
}

// mayHavePrompts reports whether a server that listed prompts may still have some: it is
// up with prompts, or would be started again by a use.
func (p *PromptReader) mayHavePrompts(server domain.ServerID) bool {
	connection, live := p.sessions.Last(server)
	return p.known.Contains(server) && (!live || connection.Session.Declares("prompts"))
}

// FindPrompt implements ports.PromptReader.
func (p *PromptReader) FindPrompt(ctx context.Context, name string) (domain.PromptIdentifier, error) {
	if prompt, ok := p.find(name); ok {
		return prompt, nil
	}
	if _, err := p.ListPrompts(ctx); err != nil {
		return domain.PromptIdentifier{}, err
	}
	if prompt, ok := p.find(name); ok {
		return prompt, nil
	}
	return domain.PromptIdentifier{}, domain.ErrPromptNotFound
}

// find returns the prompt that was registered under a name last, if its server still
// exists.
func (p *PromptReader) find(name string) (domain.PromptIdentifier, bool) {
	p.mu.Lock()
	prompt, ok := p.registered.Find(name)
	p.mu.Unlock()
	if !ok || !p.mayHavePrompts(prompt.Server) {
		return domain.PromptIdentifier{}, false
	}
	_, ok = p.server(prompt.Server)
	return prompt, ok
}

// GetPrompt implements ports.PromptReader.
func (p *PromptReader) GetPrompt(ctx context.Context, prompt domain.PromptIdentifier, request ports.Request, reply ports.Reply) {
	server, ok := p.server(prompt.Server)
	if !ok {
		reply(ports.Answer{}, domain.ErrPromptNotFound)
		return
	}
	if connection, live := p.sessions.Last(server.ID); live && connection.Enter() {
		p.send(ctx, connection, request, reply)
		return
	}
	request.Params = slices.Clone(request.Params)
	go func() {
		connection, err := p.enter(ctx, server)
		if err != nil {
			reply(ports.Answer{}, err)
			return
		}
		p.send(ctx, connection, request, reply)
	}()
}

// server returns a server of the configuration that is in force.
func (p *PromptReader) server(id domain.ServerID) (domain.Server, bool) {
	toolbox, err := p.catalog.Toolbox(id.Toolbox)
	if err != nil {
		return domain.Server{}, false
	}
	return toolbox.Server(id.Server)
}

// enter connects to a server if it is not connected, and returns the connection after a successful
// Enter.
func (p *PromptReader) enter(ctx context.Context, server domain.Server) (*sessions.Connection, error) {
	connection, err := p.sessions.ConnectInTime(ctx, server)
	if err != nil {
		return nil, err
	}
	return p.sessions.Acquire(ctx, connection)
}

// send makes a request over a connection that was entered for it, within the limits on
// calls.
func (p *PromptReader) send(ctx context.Context, connection *sessions.Connection, request ports.Request, reply ports.Reply) {
	request.Limit, request.TotalLimit = connection.Server.Limits.Call, connection.Server.Limits.CallTotal
	connection.Session.Request(ctx, request, func(answer ports.Answer, err error) {
		err = connection.RecordOutcome(err)
		if answer.Resources != nil {
			p.resources.Add(connection.Server.ID, answer.Resources)
		}
		connection.Leave()
		reply(answer, err)
	})
}

// noteWarnings warns of listed prompts whose name is taken by another prompt, or whose
// text is suspicious.
func (p *PromptReader) noteWarnings(opened *domain.OpenedToolbox) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range opened.Servers {
		server := &opened.Servers[i]
		list := p.lists[server.ID]
		warn(server, list.Suspicious)
		for _, prompt := range list.Prompts {
			if name, ok := p.registered.Taken[domain.PromptIdentifier{Server: server.ID, Prompt: prompt.Name}]; ok {
				warn(server, []domain.Warning{{Kind: domain.PromptNameTaken, Tool: domain.ShownText(prompt.Name), Detail: name}})
			}
		}
	}
}
