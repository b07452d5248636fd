package ports

import (
	"context"
	"time"

	"mcp-workbench/domain"
)

// ToolboxOpener opens toolboxes.
type ToolboxOpener interface {
	// OpenToolbox connects to all servers of the toolbox that are not up, in parallel, and returns
	// what each offers. The context bounds the wait, not the connecting: a server that is still
	// starting when the wait ends, or when the toolbox's reply is due, is in the answer with its
	// failure and continues to start. A toolbox whose servers wait for a login is open, though none
	// is connected. A server that is started lazily is not waited for when the tools that it listed last
	// are known and a lock that is in force confirms them. The result is the caller's; the raw JSON in it must not be changed.
	// Safe for concurrent use: callers of one toolbox share every attempt.
	//
	// Failures: domain.ErrToolboxNotFound; domain.ErrLockBroken, when the policy blocks
	// tools that differ from the lock; domain.ErrAllServersFailed, with a result that
	// holds the reasons; domain.ErrShuttingDown; the context's.
	OpenToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.OpenedToolbox, error)
}

// ToolSpeller finds what names mean that hosts write in another normal form of Unicode.
type ToolSpeller interface {
	// Spelled returns the names of an existing toolbox, server and tool that can only be meant by names with the same
	// characters in another normal form. Other names stay as they are. It never waits. Safe for concurrent use.
	Spelled(tool domain.ToolIdentifier) domain.ToolIdentifier
}

// InstructionsBuilder builds what hosts are told before they open a toolbox.
type InstructionsBuilder interface {
	// BuildInstructions returns what the configuration in force has to tell: the toolboxes that can be
	// opened, and the problems because of which others cannot. It never waits and starts nothing. The same
	// configuration gives the same value. The result must not be changed. Safe for concurrent use.
	BuildInstructions() domain.Instructions
}

// ServerStarter starts servers before their toolboxes are opened.
type ServerStarter interface {
	// StartServers begins to connect to the servers that should be up before the host opens
	// their toolboxes. It never waits, opens no toolbox, and prompts for no login. Safe to call
	// more than once.
	StartServers()
}

// ToolLister lists tools for the user at a terminal.
type ToolLister interface {
	// ListTools connects to one server of the toolbox, or to all of them in parallel when
	// no server is named, and returns what each offers. Unlike OpenToolbox it waits until
	// every attempt has ended, which the connect limit of each server bounds, and servers
	// that failed are part of the result, even if all of them did. ListTools calls each
	// as soon as the outcome for a server is known, on any goroutine, never twice for one
	// server. Warnings name the tools that the lock blocks. The context bounds the wait.
	// Safe for concurrent use.
	//
	// Failures: domain.ErrToolboxNotFound; domain.ErrServerNotFound; the context's.
	ListTools(ctx context.Context, toolbox domain.ToolboxName, server domain.ServerName, each func(domain.OpenedServer)) (domain.OpenedToolbox, error)
}

// ToolFinder finds tools by words.
type ToolFinder interface {
	// FindTools returns the tools that match a query best, including the known tools of closed toolboxes. It
	// starts nothing. The same query over the same tools returns the same result. It may read files. Safe for
	// concurrent use.
	FindTools(query string) domain.Findings
}

// ToolboxCloser closes toolboxes, so that they can be opened again.
type ToolboxCloser interface {
	// CloseToolbox removes the toolbox's tools from the host, ends the connections to
	// its servers and returns when nothing is left of them. Openings and closings of a
	// toolbox take place one after the other, in the order of the calls. A call that is
	// under way ends with its answer or a failure. The context bounds the wait, not the
	// closing. Safe for concurrent use.
	//
	// Failures: domain.ErrToolboxNotFound; domain.ErrToolboxNotOpen; the context's.
	CloseToolbox(ctx context.Context, toolbox domain.ToolboxName) (domain.ClosedToolbox, error)
}

// ToolRegistry holds the tools of servers that the host can call by a name of their own: those of
// open toolboxes in dynamic mode, and those with a page (MCP Apps, SEP-1865) if the host renders
// pages. Safe for concurrent use.
type ToolRegistry interface {
	// Registered returns the tools that are registered now. It never waits.
	Registered() *domain.RegisteredTools
	// RendersPages reports whether pages are passed on and the host declares that it renders them.
	RendersPages() bool
	// Refresh also registers the known tools with pages of closed toolboxes, for a host whose list of tools
	// does not depend on which toolboxes it opened. It may read files.
	Refresh()
	// FindForPage returns the tool that a page means by the name that the tool has at its server. Of the
	// servers that have such a tool, a page of exactly one must be shown (PageRead, ResultShown). While
	// pages of several servers are shown, the call needs a yes of the user; without a way to ask,
	// only tools of the server that was shown last are found.
	//
	// Failures: domain.ErrToolNotFound; *domain.PageToolError.
	FindForPage(name string, canAsk bool) (tool domain.ToolIdentifier, needsYes bool, err error)
	// PageRead notes that the host read a page of the server.
	PageRead(server domain.ServerID)
	// ResultShown notes that a model called a tool of the server whose results a page shows. With PageRead,
	// in any order, the page of the server is shown.
	ResultShown(server domain.ServerID)
}

// ShownDefinitions remembers which definitions the host was shown. Safe for
// concurrent use.
type ShownDefinitions interface {
	// RecordShown records that the host was shown the whole definitions of these tools
	// of a server, so that their calls need no check.
	RecordShown(server domain.ServerID, tools []domain.ToolInfo)
}

// ToolUser uses tools of opened toolboxes.
type ToolUser interface {
	// UseTool makes one call of one tool and hands the server's answer to reply, in the
	// server's own bytes. The call's name and limits need not be set: they are the
	// tool's. UseTool returns at once and never waits. Reply is called exactly once,
	// possibly before UseTool returns, on any goroutine; the bytes of the answer are
	// valid until reply returns, and the server's other answers wait until then. The
	// bytes of the call are needed until UseTool returns.
	//
	// The context bounds the call; when it ends the server is told. A server that died since
	// the toolbox was opened is started again first. A call that may have reached a server
	// is never repeated. Where calls are checked, one whose arguments break the tool's input
	// schema does not reach the server, and the definition that goes with the failure counts
	// as shown. Where the configuration requires a yes from the user, the call's Confirmer
	// is asked first, for up to domain.ConfirmationTime. Safe for concurrent use.
	//
	// Failures, the first that applies; only the last three occur after the server was
	// contacted: domain.ErrToolboxNotFound,
	// domain.ErrToolboxNotOpen, domain.ErrServerNotFound, domain.ErrToolNotFound,
	// domain.ErrToolBlocked, domain.ErrNotReadOnly, domain.ErrDefinitionChanged, domain.ErrInvalidArguments,
	// domain.ErrNoTasks, domain.ErrNotConfirmed,
	// domain.ErrServerUnavailable, domain.ErrTimedOut, the context's.
	// Where a use opens its toolbox, domain.ErrLockBroken takes the place of domain.ErrToolboxNotOpen.
	UseTool(ctx context.Context, tool domain.ToolIdentifier, call ToolCall, reply Reply)
}

// ResultKeeper shows a model only as much of a long result as hosts pass on, and keeps the whole
// result in memory for the host that made the call. Safe for concurrent use.
type ResultKeeper interface {
	// Limit returns how many bytes of the text of a result from the server are shown to a model, 0 if
	// results from that server are passed on whole.
	Limit(server domain.ServerID) int
	// Fit hands a result to reply unchanged, at once, if its text is within the limit of the request and
	// the request selects nothing from it. Otherwise it copies the result, keeps it, and hands the part to
	// show to reply on another goroutine, with a view that describes that part. The first part of a long
	// result is a fifth of the limit, but at least 8,000 bytes unless the limit is less. The result of a
	// failed tool is cut, but nothing is selected from it. If the view has a query, its text takes the
	// place of the result. The context bounds the selection. If too many bytes of results are already
	// waiting to be cut, the result is handed to reply unchanged, at once: Fit never waits.
	Fit(ctx context.Context, request ResultRequest, answer Answer, reply func(Answer, *domain.ResultView))
	// ReadResult answers a question about a kept result and hands the answer to reply, on another
	// goroutine. The limit is that of the host, with 0 bytes if the host has none; the limit that the
	// server had for this result applies as well. The context bounds the search.
	//
	// Failures: *domain.ResultNotKeptError; the context's.
	ReadResult(ctx context.Context, query domain.ResultQuery, limit domain.ResultLimit, reply func(domain.ResultView, error))
}

// ResultRequest says how much of the result of a call is wanted.
type ResultRequest struct {
	// Tool is the tool that was called. Its Tool is "" for the result of a task.
	Tool domain.ToolIdentifier
	// Limit is the size up to which a text is passed on whole.
	Limit domain.ResultLimit
	// Select is a jq program whose output is the answer, "" for none.
	Select string
}

// ResourceReader reads the resources that tools point at: those of servers that are
// connected or were stopped as idle. It connects to no others. Safe for concurrent use.
type ResourceReader interface {
	// ListResources returns the resources, or the templates, of every server that
	// has any, in the order of the configuration. A server that fails to list them
	// is left out. The context bounds the wait.
	ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error)
	// RequestResource makes a request about one resource to the server that has it, and hands
	// its answer to reply, as ToolUser does. A request that answers a question from a server
	// names that server, and goes to no other. Otherwise servers that list the resource come
	// before those with a matching template, and these before a server whose result merely
	// pointed at it; if no owner is known, all servers are asked in turn. A resource that a
	// server answered for stays in the toolbox of that server while a server there lists it.
	//
	// A subscription outlives a restart of its server: once the server is up again, the
	// subscription is made again and the host is told that the resource may have
	// changed. A subscription whose server is down can be ended without it.
	//
	// The subscriptions of a host are bounded, and so are those of all hosts together: then the
	// caller with most of them loses its newest ones.
	//
	// Failures: domain.ErrTooManySubscriptions; domain.ErrResourceNotFound; those of ToolUser.
	RequestResource(ctx context.Context, uri string, request ResourceRequest, to domain.ServerID, reply ServerReply)
}

// ResourceRequest is a request about one resource.
type ResourceRequest struct {
	Message
	// Purpose says what the host wants.
	Purpose ResourcePurpose
}

// ResourcePurpose is what a request about a resource is for.
type ResourcePurpose int

const (
	// ReadResource reads the resource.
	ReadResource ResourcePurpose = iota
	// ReadSkill reads a skill or lists a folder of one. Only servers with skills are asked.
	ReadSkill
	// SubscribeResource subscribes the host to changes of the resource.
	SubscribeResource
	// UnsubscribeResource ends the subscription.
	UnsubscribeResource
)

// ServerReply is a Reply that says which server answered, the zero value for none.
type ServerReply func(server domain.ServerID, answer Answer, err error)

// PromptReader reads the prompts of the servers that are connected, were stopped as
// idle, or would be started again by a use. Listing connects to no others. Safe for
// concurrent use.
type PromptReader interface {
	// ListPrompts returns the prompts of every server that has any, in the order of the
	// configuration, each under the name that the host gets it by. If a server fails to
	// list its prompts, the result has those that it listed before, if any. The context
	// bounds the wait. The result must not be changed.
	//
	// Failures: the context's.
	ListPrompts(ctx context.Context) ([]domain.RegisteredPrompt, error)
	// FindPrompt returns the prompt with that name. If no known prompt has it, the
	// prompts are listed, which the context bounds.
	//
	// Failures: domain.ErrPromptNotFound; the context's.
	FindPrompt(ctx context.Context, name string) (domain.PromptIdentifier, error)
	// GetPrompt makes a request for a prompt to its server, as ToolUser makes calls: a
	// server that died is started again first. The limits of the request need not be set:
	// they are the server's.
	//
	// Failures: domain.ErrPromptNotFound when the configuration no longer has the server;
	// those of ToolUser that occur after a server was contacted.
	GetPrompt(ctx context.Context, prompt domain.PromptIdentifier, request Request, reply Reply)
}

// Completer completes what the user types for an argument. Safe for concurrent use.
type Completer interface {
	// CompletePrompt makes a request about an argument of a prompt to the prompt's server,
	// as PromptReader does. For a server without completions the result has no values, and
	// the server is not asked.
	CompletePrompt(ctx context.Context, prompt domain.PromptIdentifier, request Message, reply Reply)
	// CompleteTemplate makes a request about a variable of a URI template to the server that
	// listed the template, as ResourceReader does. If that server is not known, the
	// templates are listed. For a server without completions the result has no values, and
	// the server is not asked.
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
	RequestTask(ctx context.Context, task string, request TaskRequest, reply ServerReply)
}

// TaskRequest is a request about one task.
type TaskRequest struct {
	Message
	// Ends says that the host needs the task no longer once the request was answered.
	Ends bool
}

// Announcer passes on messages of the host to all servers.
type Announcer interface {
	// AnnounceRootsChanged tells every live server that the host's roots changed.
	AnnounceRootsChanged()
	// SetLogLevel tells every server with log messages, now or once it is connected,
	// which of them the host wants.
	SetLogLevel(level string)
}

// ToolLocker compares tools with the lock, and locks them.
type ToolLocker interface {
	// CompareTools connects to every server that the request is about, in parallel: first
	// as a host with all capabilities, and when that is over as one with none. It compares
	// the tools that exist for either with the lock. Servers that cannot be reached and a
	// lock that cannot be used are part of what it returns. Servers with a pinned package
	// are started at its version, after the packages were resolved and installed as the
	// request demands. Sessions may be left when it returns. The context bounds the wait.
	// It is called once.
	CompareTools(ctx context.Context, request domain.LockRequest) (domain.LockComparison, error)
	// LockTools saves the live tools and packages of a comparison as the lock.
	LockTools(found domain.LockComparison) error
	// Close ends every session. The context bounds the time that servers have: when it
	// ends they are killed.
	Close(ctx context.Context)
}

// Opening says what a host allows the opening of a toolbox. The zero value says nothing.
type Opening struct {
	// Patience is the time for which the host waits for the answer, or 0 if it is unknown.
	Patience time.Duration
	// NoLaterRoots is set if servers get no roots after the opening until one of them is used: a host of 2026-07-28 can be
	// asked during a request only.
	NoLaterRoots bool
}

// openingKey is the key of an Opening in a context.
type openingKey struct{}

// WithOpening returns a context for the opening of a toolbox.
func WithOpening(ctx context.Context, opening Opening) context.Context {
	return context.WithValue(ctx, openingKey{}, opening)
}

// OpeningOf returns what the host allows the opening with that context.
func OpeningOf(ctx context.Context) Opening {
	opening, _ := ctx.Value(openingKey{}).(Opening)
	return opening
}
