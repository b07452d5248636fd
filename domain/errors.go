package domain

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The closed list of failures. Errors with data match the sentinel of their kind
// with errors.Is.
var (
	// ErrToolboxNotFound: no toolbox of that name is configured.
	ErrToolboxNotFound = errors.New("toolbox not found")
	// ErrToolboxNotOpen: the toolbox is configured, but not open.
	ErrToolboxNotOpen = errors.New("toolbox not open")
	// ErrServerNotFound: the toolbox has no server of that name.
	ErrServerNotFound = errors.New("server not found")
	// ErrToolNotFound: the server lists no such tool, or a filter hides it.
	ErrToolNotFound = errors.New("tool not found")
	// ErrToolBlocked: the tool is not as it was locked, and the policy forbids its use.
	ErrToolBlocked = errors.New("tool blocked")
	// ErrNotConfirmed: the call needs the user's yes and did not get it.
	ErrNotConfirmed = errors.New("not confirmed")
	// ErrNotReadOnly: the call is only for read-only tools, and the tool is not known to be one, or
	// its calls need a yes.
	ErrNotReadOnly = errors.New("tool not read-only")
	// ErrInvalidArguments: arguments break the input schema of their tool.
	ErrInvalidArguments = errors.New("invalid arguments")
	// ErrDefinitionChanged: the tool is not as the host was shown it.
	ErrDefinitionChanged = errors.New("definition changed")
	// ErrLockBroken: there is a lock that cannot be used.
	ErrLockBroken = errors.New("lock broken")
	// ErrResourceNotFound: no connected server has resources.
	ErrResourceNotFound = errors.New("resource not found")
	// ErrTooManySubscriptions: the host subscribed to too many resources.
	ErrTooManySubscriptions = errors.New("too many subscriptions")
	// ErrPromptNotFound: no connected server has a prompt of that name.
	ErrPromptNotFound = errors.New("prompt not found")
	// ErrTaskNotFound: no call created a task with that id.
	ErrTaskNotFound = errors.New("task not found")
	// ErrNoTasks: the server does not support tasks.
	ErrNoTasks = errors.New("the server does not support tasks")
	// ErrServerUnavailable: the server cannot be reached, or went away.
	ErrServerUnavailable = errors.New("server unavailable")
	// ErrAnswerTooLarge: the server's answer is over the limit on messages.
	ErrAnswerTooLarge = errors.New("the answer is too large")
	// ErrLoginRequired: the user must log in at the server first.
	ErrLoginRequired = errors.New("login required")
	// ErrAllServersFailed: no server of the toolbox could be reached, and none waits for a
	// login.
	ErrAllServersFailed = errors.New("no server of the toolbox could be reached")
	// ErrTimedOut: the limit on a call ran out.
	ErrTimedOut = errors.New("timed out")
	// ErrShuttingDown: the workbench is exiting and starts nothing.
	ErrShuttingDown = errors.New("the workbench is shutting down")
	// ErrInvalidSetting: a server's settings do not fit its transport.
	ErrInvalidSetting = errors.New("invalid setting")
)

// ToolboxNotFoundError names a toolbox that does not exist, and those that do.
type ToolboxNotFoundError struct {
	Toolbox   ToolboxName
	Available []string
	// Problems are the mistakes in the configuration because of which the toolbox does not exist.
	Problems []ConfigurationProblem
}

func (e *ToolboxNotFoundError) Error() string {
	return fmt.Sprintf("toolbox %q not found", e.Toolbox)
}

// Is reports whether target is ErrToolboxNotFound.
func (e *ToolboxNotFoundError) Is(target error) bool { return target == ErrToolboxNotFound }

// ToolboxNotOpenError names a toolbox that must be opened first.
type ToolboxNotOpenError struct {
	Toolbox ToolboxName
	// IsFirst is set if the host opened no toolbox before, nor asked for it.
	IsFirst bool
}

func (e *ToolboxNotOpenError) Error() string {
	return fmt.Sprintf("toolbox %q not open", e.Toolbox)
}

// Is reports whether target is ErrToolboxNotOpen.
func (e *ToolboxNotOpenError) Is(target error) bool { return target == ErrToolboxNotOpen }

// ServerNotFoundError names a server that does not exist, and those that do.
type ServerNotFoundError struct {
	ID        ServerID
	Available []string
	// Problems are the mistakes in the configuration because of which the server does not exist.
	Problems []ConfigurationProblem
}

func (e *ServerNotFoundError) Error() string {
	return fmt.Sprintf("server %q not found in toolbox %q", e.ID.Server, e.ID.Toolbox)
}

// Is reports whether target is ErrServerNotFound.
func (e *ServerNotFoundError) Is(target error) bool { return target == ErrServerNotFound }

// ToolNotFoundError names a tool that does not exist, and those that do.
type ToolNotFoundError struct {
	Tool      ToolIdentifier
	Available []string
	// ForPages is set when the server has the tool, but only for its pages.
	ForPages bool
	// Gone is set when the host was shown the tool before the server was up, and the server has it no more.
	Gone bool
}

func (e *ToolNotFoundError) Error() string {
	if e.ForPages {
		return fmt.Sprintf("tool %q of server %q of toolbox %q is for pages only", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
	}
	return fmt.Sprintf("tool %q not found in server %q of toolbox %q", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrToolNotFound.
func (e *ToolNotFoundError) Is(target error) bool { return target == ErrToolNotFound }

// PageToolError says why a page cannot call a tool by its server's own name for it. Hosts do not say which page
// makes a call, so pages of exactly one server with a tool of that name must be shown and, if the user cannot be
// asked, no page of another server after it. It matches ErrToolNotFound.
type PageToolError struct {
	Name string
	// Shown is the number of servers with such a tool whose pages are shown.
	Shown int
}

func (e *PageToolError) Error() string {
	return fmt.Sprintf("tool %q of a page: pages of %d servers that have it are shown", e.Name, e.Shown)
}

// Is reports whether target is ErrToolNotFound.
func (e *PageToolError) Is(target error) bool { return target == ErrToolNotFound }

// ToolBlockedError says why a tool that its server lists must not be used. It
// matches ErrToolBlocked.
type ToolBlockedError struct {
	Tool ToolIdentifier
	// Why is ChangedToolBlocked, UnknownToolBlocked or UncheckedToolBlocked.
	Why WarningKind
	// Detail is the Detail of that warning.
	Detail string
}

func (e *ToolBlockedError) Error() string {
	return fmt.Sprintf("tool %q of server %q of toolbox %q is not as it was locked", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrToolBlocked.
func (e *ToolBlockedError) Is(target error) bool { return target == ErrToolBlocked }

// DefinitionChangedError refuses a call of a tool that is not as the host was shown it before the server was up. It
// matches ErrDefinitionChanged.
type DefinitionChangedError struct {
	Tool ToolIdentifier
	// Changed names the members of the definition that differ.
	Changed string
	// Definition is the definition of the tool as it is now, in the server's bytes.
	Definition json.RawMessage
}

func (e *DefinitionChangedError) Error() string {
	return fmt.Sprintf("tool %q of server %q of toolbox %q is not as it was shown", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrDefinitionChanged.
func (e *DefinitionChangedError) Is(target error) bool { return target == ErrDefinitionChanged }

// InvalidArgumentsError says what is wrong with the arguments of a call. It matches
// ErrInvalidArguments.
type InvalidArgumentsError struct {
	Tool ToolIdentifier
	// Problems is one line for a model.
	Problems string
	// Definition is the definition of the tool, in the server's bytes.
	Definition json.RawMessage
}

func (e *InvalidArgumentsError) Error() string {
	return fmt.Sprintf("invalid arguments for tool %q of server %q of toolbox %q", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrInvalidArguments.
func (e *InvalidArgumentsError) Is(target error) bool { return target == ErrInvalidArguments }

// LockBrokenError says why a lock cannot be used. It matches ErrLockBroken.
type LockBrokenError struct {
	// Path is the path of the lock.
	Path string
	// Reason is written after a colon. It quotes nothing from the file except names.
	Reason string
}

func (e *LockBrokenError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Reason) }

// Is reports whether target is ErrLockBroken.
func (e *LockBrokenError) Is(target error) bool { return target == ErrLockBroken }

// ServerUnavailableError says why a server cannot be reached. It matches ErrServerUnavailable.
type ServerUnavailableError struct {
	ID ServerID
	// Reason is one of the errors in reasons.go, or an adapter's. Its text can be shown to a
	// model, after a colon: it contains no secrets.
	Reason error
	// Cause is the error of the context that ended, or ErrAnswerTooLarge; nil for none.
	Cause error
}

func (e *ServerUnavailableError) Error() string {
	return fmt.Sprintf("server %q of toolbox %q: %v", e.ID.Server, e.ID.Toolbox, e.Reason)
}

// Is reports whether target is ErrServerUnavailable.
func (e *ServerUnavailableError) Is(target error) bool { return target == ErrServerUnavailable }

// Unwrap returns the cause.
func (e *ServerUnavailableError) Unwrap() error { return e.Cause }

// LoginRequiredError means that the user must log in at a server first. Nothing was executed, so
// the call can be repeated after the login. It matches ErrLoginRequired.
type LoginRequiredError struct {
	ID ServerID
	// Origin is the scheme, host and port of the server.
	Origin string
	// Why is the reason, such as "it asks for a login". It can be shown to a model.
	Why string
	// Wanted continues Why with the server's own words about the login, "" for none.
	Wanted string
	// Link is a short address on this machine that redirects to the login, "" for none.
	Link string
	// Hosts are the hosts of the page behind Link and of the server.
	Hosts LoginHosts
	// ByOperator is set when the operator of the workbench must log in, who need not be the user of
	// the host.
	ByOperator bool
}

func (e *LoginRequiredError) Error() string {
	return fmt.Sprintf("server %q of toolbox %q at %s needs a login: %s", e.ID.Server, e.ID.Toolbox, e.Origin, e.Why+e.Wanted)
}

// Is reports whether target is ErrLoginRequired.
func (e *LoginRequiredError) Is(target error) bool { return target == ErrLoginRequired }

// TimedOutError means that a limit ran out. It matches ErrTimedOut.
type TimedOutError struct {
	ID ServerID
	// Waited is how long the caller waited.
	Waited time.Duration
	// Limit is the name of the limit in the configuration.
	Limit string
	// Output quotes what the server wrote meanwhile that is not MCP, "" for nothing. It is a likelier
	// reason than the limit.
	Output string
}

func (e *TimedOutError) Error() string {
	text := fmt.Sprintf("server %q of toolbox %q: no answer within %s", e.ID.Server, e.ID.Toolbox, e.Waited)
	if e.Output != "" {
		text += "; what it wrote meanwhile is not MCP: " + e.Output
	}
	return text
}

// Is reports whether target is ErrTimedOut.
func (e *TimedOutError) Is(target error) bool { return target == ErrTimedOut }

// Reason returns why a server cannot be used, for use after a colon. It does not say what to do
// about it.
func Reason(err error) string {
	if unavailable, ok := errors.AsType[*ServerUnavailableError](err); ok {
		return unavailable.Reason.Error()
	}
	if required, ok := errors.AsType[*LoginRequiredError](err); ok {
		return required.Why + required.Wanted
	}
	return err.Error()
}
