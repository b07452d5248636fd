package domain

import "time"

// ActivityKind says what happened.
type ActivityKind string

// The kinds of activity.
const (
	// ActivityCall is a finished tool call.
	ActivityCall ActivityKind = "call"
	// ActivityOpen is a finished opening of a toolbox.
	ActivityOpen ActivityKind = "open"
	// ActivityStart is a finished attempt to start a server or to connect to it.
	ActivityStart ActivityKind = "start"
	// ActivityRestart is an ActivityStart of a server that was lost before.
	ActivityRestart ActivityKind = "restart"
	// ActivityEnd is the end of a session with a server.
	ActivityEnd ActivityKind = "end"
)

// Outcome says how something ended.
type Outcome string

// The outcomes of an activity.
const (
	// OutcomeOK is a success.
	OutcomeOK Outcome = "ok"
	// OutcomeToolError is a tool result that reports a failure of the tool.
	OutcomeToolError Outcome = "tool_error"
	// OutcomeError is an error of the server, or a server that could not be reached.
	OutcomeError Outcome = "error"
	// OutcomeRefused is a call that the workbench did not make.
	OutcomeRefused Outcome = "refused"
	// OutcomeDeclined is a call that the user was asked about and did not allow.
	OutcomeDeclined Outcome = "declined"
	// OutcomeCancelled is a call that the host no longer waits for.
	OutcomeCancelled Outcome = "cancelled"
	// OutcomeTimeout is a call that took longer than its limit.
	OutcomeTimeout Outcome = "timeout"
)

// HasFailed reports whether the server or its tool failed. Calls that the workbench refused, or that the user or the host
// stopped, have not failed.
func (o Outcome) HasFailed() bool {
	return o != OutcomeOK && o != OutcomeRefused && o != OutcomeDeclined && o != OutcomeCancelled
}

// IsTimed reports whether the duration of calls with the outcome counts for latency. Calls that were refused or
// stopped did not take as long as their tools do.
func (o Outcome) IsTimed() bool { return o == OutcomeOK || o.HasFailed() }

// Outcomes returns every outcome, OutcomeOK first.
func Outcomes() []Outcome {
	return []Outcome{OutcomeOK, OutcomeToolError, OutcomeError, OutcomeRefused, OutcomeDeclined, OutcomeCancelled, OutcomeTimeout}
}

// Activity is something that happened between a host and the servers. It contains no arguments, no results and
// no other texts of servers.
type Activity struct {
	Kind ActivityKind
	// Time is when it ended.
	Time time.Time
	// Tool names the tool, server or toolbox: Server and Tool are "" for a toolbox, Tool is "" for a server.
	// Unknown is set if the caller named something that does not exist or is not open.
	Tool    ToolIdentifier
	Unknown bool
	Outcome Outcome
	// Code is the code of the JSON-RPC error that the server answered with, 0 for none.
	Code int
	// Duration is the time that it took; for ActivityEnd that of the whole session.
	Duration time.Duration
	// Sent and Received are the sizes of the arguments and of the server's answer, in bytes.
	Sent, Received int
	// Shown is the number of bytes of the answer that the host was sent.
	Shown int
}
