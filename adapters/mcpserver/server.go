package mcpserver

import (
	"mcp-workbench/adapters/mcpserver/host"
	"mcp-workbench/ports"
)

// UseCases are what one host can do. They share the toolboxes that it opened.
type UseCases struct {
	Opener    ports.ToolboxOpener
	User      ports.ToolUser
	Resources ports.ResourceReader
	Prompts   ports.PromptReader
	Completer ports.Completer
	Tasks     ports.TaskFollower
	Results   ports.ResultKeeper
	Announcer ports.Announcer
	Starter   ports.ServerStarter
	Finder    ports.ToolFinder // nil without find_tool
	Speller   ports.ToolSpeller
	Shown     ports.ShownDefinitions
}

// Server answers one host. Its parts answer the requests. Use Serve or Receiver, once.
type Server struct {
	*session
	handshake
	toolLists
	calls
	resources
	prompts
	notifications
}

// New returns a server for one host. Registered can be nil.
func New(program *Program, useCases UseCases, registered *Registered, h *host.Host) *Server {
	s := &session{
		program: program, host: h, registered: registered, finds: useCases.Finder != nil, starter: useCases.Starter, states: newStateSeal(), reading: make(chan struct{}, 1),
	}
	return &Server{
		session: s, handshake: handshake{s}, toolLists: toolLists{s},
		calls: calls{
			session: s, opener: useCases.Opener, user: useCases.User, speller: useCases.Speller, shown: useCases.Shown,
			results: useCases.Results, tasks: useCases.Tasks, finder: useCases.Finder,
		},
		resources:     resources{session: s, reader: useCases.Resources, opener: useCases.Opener},
		prompts:       prompts{session: s, reader: useCases.Prompts, completer: useCases.Completer},
		notifications: notifications{session: s, announcer: useCases.Announcer, subscriptions: host.NewResourceSubscriptions(useCases.Resources)},
	}
}
