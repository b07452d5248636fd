package ports

import (
	"context"
	"encoding/json"
	"time"

	"mcp-workbench/domain"
)

// Catalog is the configuration as the use cases see it. It may be replaced as a whole, so
// a use case reads it once for each request; its results never change. Safe for
// concurrent use.
type Catalog interface {
	// Toolboxes returns all toolboxes in the order of the configuration. The
	// result must not be changed.
	Toolboxes() []domain.Toolbox
	// Disabled returns the toolboxes that Toolboxes leaves out since the configuration disables all their servers. They
	// have only names. The result must not be changed.
	Disabled() []domain.Toolbox
	// Toolbox returns the toolbox of that name.
	//
	// Failures: domain.ErrToolboxNotFound, with the names that exist.
	Toolbox(name domain.ToolboxName) (domain.Toolbox, error)
	// Problems returns the problems of the configuration, in its order. Toolboxes
	// leaves out toolboxes and servers with problems.
	Problems() []domain.ConfigurationProblem
}

// Selector finds parts of results. Models write the programs that it runs over data from servers,
// so their time and memory are bounded, and they reach neither files nor the environment. Safe for
// concurrent use.
type Selector interface {
	// Turn waits for a turn among all callers to look into a result, since that takes several times its size.
	// Callers call end when they have done that; further calls have no effect.
	//
	// Failures: a *domain.SelectionError if too many wait already; the context's.
	Turn(ctx context.Context) (end func(), err error)
	// Select runs a jq program over the JSON of a result: over a single value itself, over several as an array.
	// The output is the JSON values that the program outputs, one per line. Callers have a turn.
	//
	// Failures: *domain.SelectionError; the context's.
	Select(ctx context.Context, program string, result json.RawMessage) (domain.Selection, error)
	// Grep returns the lines of a result that match a regular expression (RE2), with their numbers and one line
	// around each. Callers have a turn.
	//
	// Failures: those of Select.
	Grep(ctx context.Context, expression string, result json.RawMessage) (domain.Selection, error)
}

// Connector connects to servers of any kind.
type Connector interface {
	// Connect starts or reaches the server and shakes hands with it, declaring what the
	// host can do. The context bounds the attempt only: the session lives until it is
	// closed or lost. The server's own notifications and requests go to the host, from
	// the handshake on, and the policy decides what failures show of its words. A failure
	// leaves nothing running. Safe for concurrent use; two calls make two sessions.
	//
	// Failures: domain.ErrServerUnavailable with a reason fit for a model; the
	// context's.
	Connect(ctx context.Context, server domain.Server, host Host, policy ServerPolicy) (Session, error)
}

// ServerPolicy is what those who connect to a server decide about it, and need to know of it, beside what
// the host gets. Safe for concurrent use.
type ServerPolicy interface {
	// Withholds reports whether messages must not show words of the server other than a result, such as
	// the end of its standard error or the reason of a refusal. The words contain no secret.
	Withholds(words string) bool
	// LoginRefused is called whenever the server refuses the login in its settings. It must not wait.
	LoginRefused()
}

// Transport connects to servers of one kind. Implement it
// to let the workbench reach a new kind of server; every implementation
// passes the specs of tests/contract.
type Transport interface {
	Connector
	// Settings returns the zero value of the struct of a server's settings. The tags of its fields are those of package
	// adapters/config/keys: the names that settings may hold, and from which come their reading, their schema, the
	// masks and the review of `trust`. A key without a trait, such as "code" or "address", is shown to the user as it
	// is written.
	Settings() any
	// Check inspects the settings without I/O and returns every
	// domain.SettingError and domain.SettingWarningError about them, joined, or nil. Variables may be unexpanded. Missing keys, and
	// values of other kinds than fields of texts, booleans, lists and objects of texts, and structs of these, are reported
	// already: Check ignores them.
	Check(settings json.RawMessage) error
	// Traits describes settings that Check accepts: what they start or reach, and which of the
	// user's protections they weaken. It does no I/O. Variables may be unexpanded.
	Traits(settings json.RawMessage) domain.Traits
}

// Session is a live connection to one server. Safe for concurrent use.
//
// CallTool and Request return at once and call reply exactly once, possibly before
// that, on any goroutine. The bytes of the answer are valid until reply returns, and
// nothing more is read from the server until then. Bytes that are handed in are needed
// until the method returns. When the context ends or a limit runs out, the server is
// told, a late answer is dropped and the session stays usable. When the session is
// lost, everything pending ends within a second. When as many requests are under way as
// the server's limit allows, more fail at once. Failures: domain.ErrServerUnavailable;
// domain.ErrTimedOut; the context's.
type Session interface {
	Requests
	// CallTool calls a tool and hands the server's answer to reply in the server's
	// own bytes. Progress, if it is wanted, comes before the reply.
	CallTool(ctx context.Context, call ToolCall, reply Reply)
	// Done is closed once the session is lost or closed: no later call can succeed. A
	// loss is noticed at the next request at the latest, and earlier if the transport
	// keeps a connection open.
	Done() <-chan struct{}
	// Err says why the session was lost or closed, fit for a model; nil before Done is
	// closed.
	Err() error
}

// Requests are the uses of a session other than calls of tools. Safe for concurrent use.
type Requests interface {
	// ListTools returns every tool of the server, all pages, in the server's order,
	// each name once, with its definition in the server's bytes. The list's warnings
	// name what had to be left out. A server without tools has an empty list. The
	// context bounds the listing.
	//
	// Failures: domain.ErrServerUnavailable; the context's.
	ListTools(ctx context.Context) (domain.ToolList, error)
	// ListResources returns every resource or every template of the server, all
	// pages up to a bound, in the server's order and bytes. The context bounds the
	// listing. Failures are those of ListTools.
	ListResources(ctx context.Context, kind domain.ResourceKind) ([]domain.Resource, error)
	// ListPrompts returns every prompt of the server, all pages up to a bound, in the
	// server's order and bytes, each name once. The context bounds the listing. Failures are
	// those of ListTools.
	ListPrompts(ctx context.Context) (domain.PromptList, error)
	// Request sends any other request. Progress, if it is wanted, comes before the reply.
	Request(ctx context.Context, request Request, reply Reply)
	// Subscribe asks the server to report changes of the resource with the URI in the
	// parameters, and Unsubscribe asks it to stop. The request needs no method: it is sent
	// in the form of the server's protocol version. Its answer has the form of older
	// versions.
	Subscribe(ctx context.Context, request Request, reply Reply)
	Unsubscribe(ctx context.Context, request Request, reply Reply)
	// Ping asks the server to answer within the limit. The reply gets no error if the
	// server answered, even if it answered with an error: not every version has pings.
	Ping(ctx context.Context, limit time.Duration, reply func(err error))
	// AnnounceRootsChanged tells the server that the host's roots changed. It never waits: a
	// server that does not read, or whose protocol version has no such notification, is not told.
	AnnounceRootsChanged()
	// SetLogLevel says which log messages of the server the host wants. It never
	// waits, and does nothing for a server without log messages.
	SetLogLevel(level string)
	// Declares reports whether the server declared a capability, named by its path:
	// "resources", "subscribe".
	Declares(capability ...string) bool
	// Close ends the session, releases every caller and leaves nothing running, however
	// the server behaves: the server is asked to end, then told to, and killed when the
	// context ends. Safe to call at any time, more than once; it returns when
	// everything is gone. A server that had to be killed is not an error.
	Close(ctx context.Context) error
}

// Host is the host, as servers reach it. Safe for concurrent use.
type Host interface {
	// Capabilities returns what the host last declared that it can do, a raw object
	// in its own bytes.
	Capabilities() json.RawMessage
	// Notify passes on what a server says on its own: log messages, changes. It is
	// called for one message of a server at a time, in order, and may wait for a host
	// that reads slowly; nothing more is read from the server meanwhile. The bytes are
	// needed until it returns.
	Notify(server domain.ServerID, notification Notification)
	// Request passes a request of a server to the host, and hands the host's answer to
	// reply. It returns at once; reply is called exactly once, possibly before that, on
	// any goroutine, and must not wait. The bytes of the request are needed until
	// Request returns, those of the answer are valid until reply does. When the context
	// ends, the host is told and reply gets the context's error. A host that cannot be
	// asked replies with *UnsupportedError.
	Request(ctx context.Context, server domain.ServerID, request Message, reply Reply)
}

// UnsupportedError refuses a request of a server that the host does not answer. The server is told that the
// method is unknown, and the reason.
type UnsupportedError struct{ Reason string }

// Error returns the reason.
func (e *UnsupportedError) Error() string { return e.Reason }

// Logins are the logins of users at servers. Safe for concurrent use.
type Logins interface {
	// MayBeNeeded reports whether the server may need a login, by its configuration.
	MayBeNeeded(server domain.Server) bool
	// Begin returns the pending login at a server, even if another caller began it, and begins
	// one if there is none. The context bounds only the beginning.
	//
	// Failures: a text for a model that says why no login can be begun; the context's.
	Begin(ctx context.Context, server domain.Server) (PendingLogin, error)
}

// PendingLogin is a login that the user has not finished.
type PendingLogin struct {
	// ID identifies the login. Servers that need the same login share it.
	ID string
	// URL is where the user logs in, Link a short address on this machine that leads
	// there.
	URL, Link string
	// Done is closed when the login has succeeded, here or elsewhere, or has failed.
	Done <-chan struct{}
	// Err returns why the login failed, once Done is closed; nil if it succeeded.
	Err func() error
}

// LoginPrompter asks the user at a host to log in somewhere. Safe for concurrent use.
type LoginPrompter interface {
	// CanPromptLogin reports whether the host last declared that it can show URLs to its user.
	CanPromptLogin() bool
	// PromptLogin shows the user a prompt, since a server needs a login, and hands the
	// outcome to reply. Some hosts can only be asked during a call to the server or
	// while its toolbox is being opened. PromptLogin returns at once; reply is called
	// exactly once, possibly before that, on any goroutine, and must not wait. When the
	// context ends, the host is told and reply gets domain.PromptWithdrawn.
	PromptLogin(ctx context.Context, server domain.ServerID, prompt domain.LoginPrompt, reply func(domain.PromptAnswer))
	// ReportLogin tells the host that the login of an accepted prompt with that ID is over.
	// It does nothing for a host that was not prompted or does not take such reports. It
	// never waits.
	ReportLogin(id string)
}

// Confirmer asks the user behind one call whether it may be made. Safe for concurrent use.
type Confirmer interface {
	// CanConfirm reports whether there is a way to ask: whether the host last declared that
	// it can show forms to its user, or whether there is a terminal.
	CanConfirm() bool
	// Confirm asks the question and hands the outcome to reply. Only the user's own choice counts as
	// a yes: an answer that is late, comes twice, belongs to something else or cannot be read does
	// not count. Confirm returns at once; reply is called exactly once, possibly before that, on any
	// goroutine, and must not wait. When the context ends, the question is withdrawn and reply gets
	// domain.ConfirmationWithdrawn.
	Confirm(ctx context.Context, question domain.ConfirmationQuestion, reply func(domain.ConfirmationAnswer))
}

// RequestTaker is a Host that may take requests of servers at any time, and not only in answers to its own. A server that
// can make such requests in one version only is spoken to in that one.
type RequestTaker interface {
	TakesRequests() bool
}

// TakesRequests reports whether a host takes requests of servers at any time.
func TakesRequests(host Host) bool {
	taker, isTaker := host.(RequestTaker)
	return isTaker && taker.TakesRequests()
}

// StartWatcher is a Host that also wants to know how the start of a server goes.
type StartWatcher interface {
	// Starting is called by a transport during Connect once it knows something about
	// the start, and again whenever it knows more. It never waits.
	Starting(start Start)
}

// RestartWatcher is a Host that also wants to know when a server was restarted.
type RestartWatcher interface {
	// Restarted is called once a server runs again, with the reason why the session before it
	// ended. Everything that the server kept in memory is lost. Like Notify, it can wait for a
	// host that reads slowly.
	Restarted(server domain.ServerID, why error)
}

// Start describes the start of a server that is under way.
type Start struct {
	// MayDownload says that the server may have to be downloaded before it runs, which
	// explains a slow start.
	MayDownload bool
	// Installing is the package that is being installed before the server runs, with its
	// version, "" for none.
	Installing string
	// Stderr returns the end of the server's standard error so far, fit for a model and
	// without secrets, "" for nothing. Nil when the server has none. Safe for
	// concurrent use.
	Stderr func() string
	// Output returns a quote of what the server wrote to its standard output and that is no
	// message, in the same way.
	Output func() string
	// Process is the program of the server, nil before it runs and for a server elsewhere.
	Process ServerProcess
}

// ToolWatcher is told when registered tools change. Safe for concurrent use.
type ToolWatcher interface {
	// ToolsChanged is called once after each change that a host can see; the toolbox is
	// the one that caused it. It may wait for a host that reads slowly.
	ToolsChanged(toolbox domain.ToolboxName)
}

// Pins stores the lock: the tools that the user approved, with their definitions. Safe for concurrent use.
type Pins interface {
	// Lock returns the current lock, or nil. It returns the same
	// pointer or the same error until the lock changes. Calls are cheap.
	//
	// Failures: *domain.LockBrokenError.
	Lock() (*domain.Lock, error)
	// Approval returns the id of the last approval by the user in a terminal, "" for none, and
	// whether it is for the lock that Lock returned last.
	Approval() (id string, ofLock bool)
	// ChangeFrom calls change while no other process changes the lock. It takes what Lock returned before, and fails
	// unless Lock still returns that. Change must not call it again.
	//
	// Failures: the lock changed; those of change.
	ChangeFrom(lock *domain.Lock, broken error, change func() error) error
	// Save replaces the lock, whole or not at all. The tools of each server are
	// sorted by name.
	//
	// Failures: storage errors, with the path.
	Save(lock domain.Lock) error
}

// Definitions reads the definitions of tools, which are raw JSON everywhere else.
// Safe for concurrent use.
type Definitions interface {
	// Pin returns the pin of a tool. Two definitions have the same pin if they mean the
	// same within the scope, even if they are written differently.
	Pin(tool domain.ToolInfo, scope domain.PinScope) domain.Pin
	// Reduce returns a definition with only the members of the scope, in its own bytes:
	// the same slice if it has no other members.
	Reduce(definition json.RawMessage, scope domain.PinScope) json.RawMessage
	// Hints returns the annotations of a definition that are exactly true or false. A
	// repeated annotation is ignored.
	Hints(pin domain.Pin) domain.Hints
	// Changes returns every place in which the definitions of two pins differ, in a
	// stable order; none for equal pins.
	Changes(before, after domain.Pin) []domain.DefinitionChange
}
