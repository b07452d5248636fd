package domain

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The closed list of failures. Errors that carry data match the sentinel of
// their kind with errors.Is.
var (
	// ErrToolboxNotFound: no toolbox of that name is configured.
	ErrToolboxNotFound = errors.New("toolbox not found")
	// ErrToolboxNotOpen: the toolbox is configured, nobody opened it.
	ErrToolboxNotOpen = errors.New("toolbox not open")
	// ErrServerNotFound: the toolbox has no server of that name.
	ErrServerNotFound = errors.New("server not found")
	// ErrToolNotFound: the server lists no such tool, or a filter hides it.
	ErrToolNotFound = errors.New("tool not found")
	// ErrToolBlocked: the tool is not as it was locked, and the policy forbids its use.
	ErrToolBlocked = errors.New("tool blocked")
	// ErrNotConfirmed: the call needs a yes of a person, who did not give one.
	ErrNotConfirmed = errors.New("not confirmed")
	// ErrNotReadOnly: the call is for tools that only read, and the tool is not known to, or
	// needs a yes.
	ErrNotReadOnly = errors.New("tool not read-only")
	// ErrInvalidArguments: arguments break the input schema of their tool.
	ErrInvalidArguments = errors.New("invalid arguments")
	// ErrLockBroken: there is a lock that cannot be used.
	ErrLockBroken = errors.New("lock broken")
	// ErrResourceNotFound: no connected server has resources.
	ErrResourceNotFound = errors.New("resource not found")
	// ErrPromptNotFound: no connected server has a prompt of that name.
	ErrPromptNotFound = errors.New("prompt not found")
	// ErrTaskNotFound: no call made a task of that id.
	ErrTaskNotFound = errors.New("task not found")
	// ErrNoTasks: the server cannot make tasks of calls.
	ErrNoTasks = errors.New("the server does not support tasks")
	// ErrServerUnavailable: the server cannot be reached, or went away.
	ErrServerUnavailable = errors.New("server unavailable")
	// ErrLoginRequired: a person has to log in at the server first.
	ErrLoginRequired = errors.New("login required")
	// ErrAllServersFailed: none of a toolbox's servers could be reached, and none waits for
	// a login.
	ErrAllServersFailed = errors.New("no server of the toolbox could be reached")
	// ErrTimedOut: the limit on a call ran out.
	ErrTimedOut = errors.New("timed out")
	// ErrShuttingDown: the workbench is ending and starts nothing more.
	ErrShuttingDown = errors.New("the workbench is shutting down")
	// ErrInvalidSetting: a server's settings do not fit its transport.
	ErrInvalidSetting = errors.New("invalid setting")
)

// ToolboxNotFoundError says which toolbox was asked for and which exist.
type ToolboxNotFoundError struct {
	Toolbox   ToolboxName
	Available []string
	// Problems are why the toolbox does not exist, when it is configured, but wrongly.
	Problems []ConfigurationProblem
}

func (e *ToolboxNotFoundError) Error() string {
	return fmt.Sprintf("toolbox %q not found", e.Toolbox)
}

// Is reports whether target is ErrToolboxNotFound.
func (e *ToolboxNotFoundError) Is(target error) bool { return target == ErrToolboxNotFound }

// ToolboxNotOpenError says which toolbox has to be opened first.
type ToolboxNotOpenError struct{ Toolbox ToolboxName }

func (e *ToolboxNotOpenError) Error() string {
	return fmt.Sprintf("toolbox %q not open", e.Toolbox)
}

// Is reports whether target is ErrToolboxNotOpen.
func (e *ToolboxNotOpenError) Is(target error) bool { return target == ErrToolboxNotOpen }

// ServerNotFoundError says which server was asked for and which exist.
type ServerNotFoundError struct {
	ID        ServerID
	Available []string
	// Problems are those for which the configuration's server of that name is left out.
	Problems []ConfigurationProblem
}

func (e *ServerNotFoundError) Error() string {
	return fmt.Sprintf("server %q not found in toolbox %q", e.ID.Server, e.ID.Toolbox)
}

// Is reports whether target is ErrServerNotFound.
func (e *ServerNotFoundError) Is(target error) bool { return target == ErrServerNotFound }

// ToolNotFoundError says which tool was asked for and which exist.
type ToolNotFoundError struct {
	Tool      ToolIdentifier
	Available []string
}

func (e *ToolNotFoundError) Error() string {
	return fmt.Sprintf("tool %q not found in server %q of toolbox %q", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrToolNotFound.
func (e *ToolNotFoundError) Is(target error) bool { return target == ErrToolNotFound }

// ToolBlockedError says why a tool that its server lists must not be used. It
// matches ErrToolBlocked.
type ToolBlockedError struct {
	Tool ToolIdentifier
	// Why is ChangedToolBlocked, UnknownToolBlocked or UncheckedToolBlocked.
	Why WarningKind
	// Detail is that of the warning.
	Detail string
}

func (e *ToolBlockedError) Error() string {
	return fmt.Sprintf("tool %q of server %q of toolbox %q is not as it was locked", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrToolBlocked.
func (e *ToolBlockedError) Is(target error) bool { return target == ErrToolBlocked }

// InvalidArgumentsError says what is wrong with arguments. It matches
// ErrInvalidArguments.
type InvalidArgumentsError struct {
	Tool ToolIdentifier
	// Problems says what is wrong at which path, in one line for a model.
	Problems string
	// Definition is the tool's, in the server's bytes.
	Definition json.RawMessage
}

func (e *InvalidArgumentsError) Error() string {
	return fmt.Sprintf("invalid arguments for tool %q of server %q of toolbox %q", e.Tool.Tool, e.Tool.Server, e.Tool.Toolbox)
}

// Is reports whether target is ErrInvalidArguments.
func (e *InvalidArgumentsError) Is(target error) bool { return target == ErrInvalidArguments }

// LockBrokenError says why a lock cannot be used. It matches ErrLockBroken.
type LockBrokenError struct {
	// Path is the file.
	Path string
	// Reason is what is wrong with it; it reads on after a colon and shows nothing of
	// what is in the file but names.
	Reason string
}

func (e *LockBrokenError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Reason) }

// Is reports whether target is ErrLockBroken.
func (e *LockBrokenError) Is(target error) bool { return target == ErrLockBroken }

// ServerUnavailableError says why a server cannot be reached.
type ServerUnavailableError struct {
	ID ServerID
	// Reason is one of the errors in reasons.go, or the words of an adapter. Its text can be shown
	// to a model: it has no secret and follows a colon.
	Reason error
	// Cause is the end of a context that Reason adds to, nil for none.
	Cause error
}

func (e *ServerUnavailableError) Error() string {
	return fmt.Sprintf("server %q of toolbox %q: %v", e.ID.Server, e.ID.Toolbox, e.Reason)
}

// Is reports whether target is ErrServerUnavailable.
func (e *ServerUnavailableError) Is(target error) bool { return target == ErrServerUnavailable }

// Unwrap returns the cause.
func (e *ServerUnavailableError) Unwrap() error { return e.Cause }

// LoginRequiredError says that a person has to log in at a server first. Nothing was
// carried out, so what was tried can be tried again after the login. It matches
// ErrLoginRequired.
type LoginRequiredError struct {
	ID ServerID
	// Origin is where the server is: scheme, host and port.
	Origin string
	// Why reads on after the name of the server: "it asks for a login". It is fit to be
	// shown to a model.
	Why string
	// Wanted continues Why: what the server wants of the login, in its own words, "" for
	// nothing.
	Wanted string
	// Link is a short address of this machine that leads to the login, "" for none.
	Link string
	// Hosts are those of the page behind Link and of the server.
	Hosts LoginHosts
	// ByOperator says that logins belong to whoever runs the workbench, who may be somewhere
	// else than the user of the host.
	ByOperator bool
}

func (e *LoginRequiredError) Error() string {
	return fmt.Sprintf("server %q of toolbox %q at %s needs a login: %s", e.ID.Server, e.ID.Toolbox, e.Origin, e.Why+e.Wanted)
}

// Is reports whether target is ErrLoginRequired.
func (e *LoginRequiredError) Is(target error) bool { return target == ErrLoginRequired }

// TimedOutError says which limit ran out. It matches ErrTimedOut.
type TimedOutError struct {
	ID ServerID
	// Waited is how long the caller waited.
	Waited time.Duration
	// Limit is the configuration's name of the limit that ran out.
	Limit string
}

func (e *TimedOutError) Error() string {
	return fmt.Sprintf("server %q of toolbox %q: no answer within %s", e.ID.Server, e.ID.Toolbox, e.Waited)
}

// Is reports whether target is ErrTimedOut.
func (e *TimedOutError) Is(target error) bool { return target == ErrTimedOut }

// SettingError is one thing wrong with a server's settings.
type SettingError struct {
	// Key leads to the value within the settings, for example {"args", "1"}.
	Key []string
	// Found says what is there, without showing a secret.
	Found string
	// Wanted says what should be there.
	Wanted string
}

func (e *SettingError) Error() string {
	return fmt.Sprintf("%v: found %s, want %s", e.Key, e.Found, e.Wanted)
}

// Is reports whether target is ErrInvalidSetting.
func (e *SettingError) Is(target error) bool { return target == ErrInvalidSetting }

// Reason returns the bare fact of why a server cannot be used, to follow a colon: what it
// failed for, or the text of the error.
func Reason(err error) string {
	if unavailable, ok := errors.AsType[*ServerUnavailableError](err); ok {
		return unavailable.Reason.Error()
	}
	if required, ok := errors.AsType[*LoginRequiredError](err); ok {
		return required.Why + required.Wanted
	}
	return err.Error()
}
