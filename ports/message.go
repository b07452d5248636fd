package ports

import (
	"encoding/json"
	"time"
)

// Message is a request that is passed on: its method and its parameters in the sender's
// bytes, nil for none. Use cases pass the method on, and decide nothing by it.
type Message struct {
	Method string
	Params json.RawMessage
}

// Notification is what a server says on its own.
type Notification struct {
	// Kind says what happened. Use cases decide by it.
	Kind NotificationKind
	// Method is the server's name for the notification, "" if the workbench makes it.
	Method string
	// Subject is the URI of the resource or the id of the task that the notification is about, "" if it is
	// about neither, or if readers could disagree about which one it names.
	Subject string
	// Params are the parameters in the sender's bytes, nil for none.
	Params json.RawMessage
}

// NotificationKind is what a notification reports.
type NotificationKind int

const (
	// UnknownNotification is any notification that no other kind stands for.
	UnknownNotification NotificationKind = iota
	// LogMessage is a message for the host's log.
	LogMessage
	// ToolsChanged, PromptsChanged and ResourcesChanged mean that the server has another list.
	ToolsChanged
	PromptsChanged
	ResourcesChanged
	// ResourceUpdated means that the resource that is the subject changed, or one in it.
	ResourceUpdated
	// TaskStatus is the status of the task that is the subject.
	TaskStatus
	// ElicitationComplete means that the user is done with a page that the server led to.
	ElicitationComplete
)

// String returns the kind in words.
func (k NotificationKind) String() string {
	switch k {
	case LogMessage:
		return "log message"
	case ToolsChanged:
		return "tools changed"
	case PromptsChanged:
		return "prompts changed"
	case ResourcesChanged:
		return "resources changed"
	case ResourceUpdated:
		return "resource updated"
	case TaskStatus:
		return "task status"
	case ElicitationComplete:
		return "elicitation complete"
	}
	return "unknown notification"
}

// Request is a request to a server other than a call of a tool.
type Request struct {
	Message
	// Limit is the longest time the server may be silent, as SilenceLimit of a ToolCall, 0 for no
	// limit.
	Limit time.Duration
	// Task is the id of the task that the request is about, "" for none.
	Task string
	// The fields below are those of a ToolCall, and may be left out.

	TotalLimit time.Duration
	LogLevel   string
	Progress   func(Progress)
	Input      func(wanted json.RawMessage, supply func(more json.RawMessage, err error))
}

// Answer is the answer to a request, in the bytes of its sender. Exactly one of
// Result and Error is set.
type Answer struct {
	// Result is the value of the response's "result". A tool that ran and failed
	// is a result.
	Result json.RawMessage
	// Error is the value of the response's "error".
	Error json.RawMessage
	// Reading tells what the reader of Result noticed.
	Reading Reading
	// FlushGroup may hold back the write of the answer until more answers have come. It
	// may be used until the reply returns. Nil writes at once.
	FlushGroup FlushGroup
	// Resources are the URIs of the resources that the result of a tool, or a prompt, points at.
	Resources []string
	// Task is the id of the task that the server made of a call, "" if it made none.
	Task string
	// Shown, if it is not nil, is called once with the number of bytes of the result that the host is sent.
	// It is set only for results of calls with Fitted.
	Shown func(size int)
}

// Reply takes the outcome of a request: the answer, or why there is none.
type Reply func(Answer, error)

// FlushGroup coalesces writes. A function that is handed one adds the writer it writes
// to, which may then keep its bytes back until the group is flushed. A function that is
// handed none writes at once. Only the goroutine that hands it over may use it.
//
// It is a port, although only adapters write, since the calls and answers that share a write pass
// through the application. Measured with 64 calls in flight, the workbench makes 0.49 of the calls
// per second of a plain relay with it, and 0.36 without it.
type FlushGroup interface {
	Add(writer interface{ Flush() })
}
