package domain

import "time"

// ActivityKind says what happened.
type ActivityKind string

// The kinds of activity.
const (
	// ActivityCall is a call of a tool that ended.
	ActivityCall ActivityKind = "call"
	// ActivityOpen is an opening of a toolbox that ended.
	ActivityOpen ActivityKind = "open"
	// ActivityStart is an attempt to start a server, or to connect to it, that ended.
	ActivityStart ActivityKind = "start"
	// ActivityRestart is an ActivityStart of a server that was lost.
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
	// OutcomeToolError is a result of a tool that says that the tool failed.
	OutcomeToolError Outcome = "tool_error"
	// OutcomeError is an error of the server, or a server that could not be reached.
	OutcomeError Outcome = "error"
	// OutcomeRefused is a call that the workbench did not make.
	OutcomeRefused Outcome = "refused"
	// OutcomeCancelled is a call that the host does not wait for.
	OutcomeCancelled Outcome = "cancelled"
	// OutcomeTimeout is a call that took longer than its limit.
	OutcomeTimeout Outcome = "timeout"
)

// Outcomes returns every outcome, the good one first.
func Outcomes() []Outcome {
	return []Outcome{OutcomeOK, OutcomeToolError, OutcomeError, OutcomeRefused, OutcomeCancelled, OutcomeTimeout}
}

// Activity is something that happened between a host and the servers. It has no argument, no result and no
// text of a server.
type Activity struct {
	Kind ActivityKind
	// Time is when it ended.
	Time time.Time
	// Tool is the subject. Server and Tool are "" for a toolbox, Tool is "" for a server. If Unknown is
	// set, these are names that a caller made up.
	Tool    ToolIdentifier
	Unknown bool
	Outcome Outcome
	// Code is the code of the JSON-RPC error that the server answered with, 0 for none.
	Code int
	// Took is the duration. An end has the duration of the whole session.
	Took time.Duration
	// Sent and Received are the sizes of the arguments and of the server's answer, in bytes.
	Sent, Received int
	// Shown is how much of the answer the host was sent, in bytes.
	Shown int
}
