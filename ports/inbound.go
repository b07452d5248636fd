package ports

import (
	"context"

	"mcp-workbench/domain"
)

// ToolboxOpener opens toolboxes.
type ToolboxOpener interface {
	// OpenToolbox connects to all servers of the toolbox that are not up, in
	// parallel, and returns what each offers. The context bounds the wait, not the
	// connecting: a server that is still starting when the wait ends, or when the
	// toolbox's reply is due, is in the answer with its failure and goes on
	// starting. A toolbox whose servers wait for a login is open, though none is connected. A server
	// that is started lazily is not waited for when the lock confirms the tools that it listed
	// last.
	// The result is the caller's; the raw JSON in it must not be changed.
	// Safe for concurrent use: callers of one toolbox share every attempt.
	//
	// Failures: domain.ErrToolboxNotFound; domain.ErrLockBroken, when the policy
	// blocks tools that are not as they were locked; domain.ErrAllServersFailed, with
	// a result that holds the reasons; domain.ErrShuttingDown; the context's.
	OpenToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error)
}

// ServerStarter starts servers before their toolboxes are opened.
type ServerStarter interface {
	// StartServers begins to connect to the servers that are to be up when the host opens their
	// toolboxes. It never waits, opens no toolbox, and prompts for no login. Safe to call more
	// than once.
	StartServers()
}

// ToolLister lists tools for the user at a terminal.
type ToolLister interface {
	// ListTools connects to one server of the toolbox, or to all of them in parallel when
	// no server is named, and returns what each offers. Unlike OpenToolbox it waits until
	// every attempt has ended, which the connect limit of each server bounds, and a
	// server that failed is part of the result however many there are. Each is called as
	// soon as a server is known, on any goroutine, never twice for one server. Warnings
	// name the tools that the lock blocks. The context bounds the wait. Safe for
	// concurrent use.
	//
	// Failures: domain.ErrToolboxNotFound; domain.ErrServerNotFound; the context's.
	ListTools(ctx context.Context, toolbox domain.ToolboxName, server domain.ServerName, each func(domain.OpenedServer)) (domain.OpenedToolbox, error)
}

// ToolFinder finds tools by words.
type ToolFinder interface {
	// FindTools returns the tools that match a query best, those of closed toolboxes too as far as they are
	// known. It starts nothing. The same query over the same tools finds the same. It may read files. Safe for
	// concurrent use.
	FindTools(query string) domain.Findings
}

// ToolboxCloser closes toolboxes, so that they can be opened again.
type ToolboxCloser interface {
	// CloseToolbox takes the toolbox's tools away from the host, ends the connections
	// of its servers and returns when nothing is left of them. Openings and closings of
	// a toolbox take place one after the other, in the order in which they were asked
	// for. A call that is under way ends with its answer or a failure. The context
	// bounds the wait, not the closing. Safe for concurrent use.
	//
	// Failures: domain.ErrToolboxNotFound; domain.ErrToolboxNotOpen; the context's.
	CloseToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.ClosedToolbox, error)
}

// ToolRegistry is which tools of servers the host can call by a name of their own: those of open
// toolboxes in dynamic mode, and those with a page (MCP Apps, SEP-1865) if the host renders pages.
// Safe for concurrent use.
type ToolRegistry interface {
	// Registered returns the tools that are registered now. It never waits.
	Registered() *domain.RegisteredTools
	// RendersPages reports whether pages are passed on and the host declares that it renders them.
	RendersPages() bool
	// Refresh registers tools with pages of closed toolboxes too, as far as they are known, for a host whose
	// list of tools does not depend on what it opened. It may read files.
	Refresh()
	// FindForPage returns the tool that a page means by a name of its server: the one of the only server with
	// such a tool of which the host read a page.
	//
	// Failures: domain.ErrToolNotFound; *domain.PageToolError.
	FindForPage(name string) (domain.ToolIdentifier, error)
	// PageShown notes that the host read a page of the server.
	PageShown(server domain.ServerID)
}

// ShownDefinitions remembers which definitions the host was shown. Safe for
// concurrent use.
type ShownDefinitions interface {
	// RecordShown notes that the host was shown the whole definitions of tools of a
	// server, so that their calls need no check.
	RecordShown(server domain.ServerID, tools []domain.ToolInfo)
}

// ToolUser uses tools of opened toolboxes.
type ToolUser interface {
	// UseTool makes one call of one tool and hands the server's answer to reply, in
	// the server's own bytes. The call's name and limits need not be set: they are
	// the tool's. UseTool returns at once: whatever has to wait, waits elsewhere.
	// Reply is called exactly once, possibly before UseTool returns, on any
	// goroutine; the bytes of the answer are valid until it returns, and while it
	// does not, the server's other answers wait. The bytes of the call are needed
	// until UseTool returns.
	//
	// The context bounds the call; when it ends the server is told. A server that
	// died since the toolbox was opened is started again first. A call that may
	// have reached a server is never repeated. Where calls are checked, one whose
	// arguments break the tool's input schema does not reach the server, and the
	// definition that goes with the failure counts as shown. Where the configuration wants a
	// yes of the user, the call's Confirmer is asked first, for up to
	// domain.ConfirmationTime. Safe for concurrent use.
	//
	// Failures, the first that applies; only the last three occur after the server was
	// contacted: domain.ErrToolboxNotFound,
	// domain.ErrToolboxNotOpen, domain.ErrServerNotFound, domain.ErrToolNotFound,
	// domain.ErrToolBlocked, domain.ErrNotReadOnly, domain.ErrInvalidArguments,
	// domain.ErrNotConfirmed, domain.ErrNoTasks,
	// domain.ErrServerUnavailable, domain.ErrTimedOut, the context's.
	// Where a use opens its toolbox, domain.ErrLockBroken takes the place of domain.ErrToolboxNotOpen.
	UseTool(ctx context.Context, tool domain.ToolIdentifier, call ToolCall, reply Reply)
}

// ResultKeeper shows a model as much of long results as hosts pass on, and keeps the whole in memory,
// for the host that made the calls. Safe for concurrent use.
type ResultKeeper interface {
	// Limit returns how many bytes of text of a result of the server a model is shown, 0 if results of
	// that server are passed on whole.
	Limit(server domain.ServerID) int
	// Fit hands a result to reply as it is, at once, if its text is within the limit of the request and
	// nothing is to be selected of it. Otherwise it copies the result, keeps it, and hands what is shown of
	// it to reply on another goroutine, with a view that says what that is: of a long result at first a
	// fifth of the limit, at least 8,000 bytes or the limit. The result of a failed tool is cut, but
	// nothing is selected of it. Where the view has a query, its text takes the place of the
	// result. The context bounds the selection. When too many bytes of results wait to be
	// cut already, the result is handed to reply as it is, at once: Fit never waits.
	Fit(ctx context.Context, request ResultRequest, answer Answer, reply func(Answer, *domain.ResultView))
	// ReadResult looks into a result that is kept and hands what it found to reply, on another
	// goroutine. The limit is that of the host, without bytes if it has none; at most as much is shown
	// as the limit of the server allowed. The context bounds the search.
	//
	// Failures: *domain.ResultNotKeptError; the context's.
	ReadResult(ctx context.Context, query domain.ResultQuery, limit domain.ResultLimit, reply func(domain.ResultView, error))
}

// ResultRequest is how much is wanted of the result of a call.
type ResultRequest struct {
	// Tool is the tool that was called. Its Tool is "" for the result of a task.
	Tool domain.ToolIdentifier
	// Limit is how much text passes whole, and how much of it is shown at once.
	Limit domain.ResultLimit
	// Select is a jq program that makes the answer, "" for none.
	Select string
}

// ResourceReader reads what tools point at: the resources of the servers that are
// connected or were stopped because they were idle. It connects to no others. Safe
// for concurrent use.
type ResourceReader interface {
	// ListResources returns the resources, or the templates, of every server that
	// has any, in the order of the configuration. A server that fails to list them
	// is left out. The context bounds the wait.
	ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error)
	// RequestResource makes a request about one resource to the server that has it, and hands
	// its answer to reply, as ToolUser does. A request that continues a question of a server
	// names it, and goes to no other. Otherwise servers that list the resource come before
	// those with a template that fits, and these before one whose result merely pointed at it;
	// if it is not known which has it, they are asked in turn. A resource that a server answered
	// for stays in the toolbox of that server while a server there lists it.
	//
	// A subscription outlives a restart of its server: once the server is up again, it
	// is made again and the host is told that the resource may have changed. A
	// subscription whose server is down can be ended without it.
	//
	// Failures: domain.ErrResourceNotFound; those of ToolUser.
	RequestResource(ctx context.Context, uri string, request Message, to domain.ServerID, reply ServerReply)
}

// ServerReply is a Reply that says which server answered, the zero value for none.
type ServerReply func(server domain.ServerID, answer Answer, err error)

// PromptReader reads the prompts of the servers that are connected, were stopped because
// they were idle, or would be started again by a use. Listing connects to no others.
// Safe for concurrent use.
type PromptReader interface {
	// ListPrompts returns the prompts of every server that has any, in the order of the
	// configuration, each under the name that the host gets it by. A server that fails to
	// list them is in the result with what it listed before, if it did. The context bounds
	// the wait. The result must not be changed.
	//
	// Failures: the context's.
	ListPrompts(ctx context.Context) ([]domain.RegisteredPrompt, error)
	// FindPrompt returns the prompt that has a name. The prompts are listed if it is not
	// known to have one, which the context bounds.
	//
	// Failures: domain.ErrPromptNotFound; the context's.
	FindPrompt(ctx context.Context, name string) (domain.PromptIdentifier, error)
	// GetPrompt makes a request for a prompt to its server, as ToolUser makes calls: a
	// server that died is started again first. The limits of the request need not be set:
	// they are the server's.
	//
	// Failures: domain.ErrPromptNotFound when the configuration does not have the server any
	// more; those of ToolUser that occur after a server was contacted.
	GetPrompt(ctx context.Context, prompt domain.PromptIdentifier, request Request, reply Reply)
}

// Completer completes what the user types for an argument. Safe for concurrent use.
type Completer interface {
	// CompletePrompt makes a request about an argument of a prompt to the prompt's server,
	// as PromptReader does. The result of a server without completions is one without
	// values; the server is not asked.
	CompletePrompt(ctx context.Context, prompt domain.PromptIdentifier, request Message, reply Reply)
	// CompleteTemplate makes a request about a variable of a URI template to the server that
	// listed the template, as ResourceReader does. If that server is not known, the
	// templates are listed. The result of a server without completions is one without
	// values; the server is not asked.
	//
	// Failures: domain.ErrResourceNotFound; those of ResourceReader.
	CompleteTemplate(ctx context.Context, template string, request Message, reply ServerReply)
}

// TaskFollower follows tasks that servers made of calls.
type TaskFollower interface {
	// RequestTask makes a request about one task to the server that has it and hands
	// its answer to reply, as ToolUser does.
	//
	// Failures: domain.ErrTaskNotFound; those of ToolUser.
	RequestTask(ctx context.Context, task string, request Message, reply ServerReply)
}

// Announcer passes on what the host says to all servers.
type Announcer interface {
	// AnnounceRootsChanged tells every live server that the host's roots changed.
	AnnounceRootsChanged()
	// SetLogLevel tells every server that logs, now or once it is connected, which
	// log messages the host wants.
	SetLogLevel(level string)
}

// ToolLocker compares tools with the lock, and locks them.
type ToolLocker interface {
	// CompareTools connects to every server that the request is about, in parallel: first
	// as a host with all capabilities, and when that is over as one with none. It compares
	// the tools that exist for either with the lock. Servers that cannot be reached and a
	// lock that cannot be used are part of what it returns. Servers with a pinned package
	// are started at its version; what the request wants of packages was done before.
	// Sessions may be left when it returns. The context bounds the wait. It is called once.
	CompareTools(ctx context.Context, request domain.LockRequest) (domain.LockComparison, error)
	// LockTools saves the live tools and packages of a comparison as the lock.
	LockTools(found domain.LockComparison) error
	// Close ends every session. The context bounds the patience with servers: when it
	// ends they are killed.
	Close(ctx context.Context)
}
