package ports

import (
	"encoding/json"
	"time"
)

// Intent says for whom a call is made, and on which conditions. The zero value has none.
type Intent struct {
	// AsTask says that ExtraParams asks the server to make a task of the call.
	AsTask bool
	// OnlyReads says that the tool may be called only if the configuration counts it as one
	// that only reads, and it needs no yes.
	OnlyReads bool
	// ForModel says that the host keeps models and pages apart and calls for its model, so that a call of a
	// tool that is only for pages fails (tests/acceptance/CONTRACT.md section 25).
	ForModel bool
	// NeedsYes says that the call needs a yes of the user, whatever the configuration says, since it comes
	// from a page and it is not known from which.
	NeedsYes bool
	// Fitted says that only a part of the result may be shown, so the answer's Shown is told the size of
	// that part.
	Fitted bool
	// Opens says that the call opens the toolbox of its tool, if that is not open.
	Opens bool
	// Waits says that the caller waits for a server however long it takes to start. Other calls are answered before
	// hosts give up.
	Waits bool
}

// ToolCall is a call of one tool. Its raw JSON is in the host's bytes.
type ToolCall struct {
	Intent

	// Name is the tool's exact name.
	Name string
	// Arguments is a JSON object.
	Arguments json.RawMessage
	// Reading tells what the reader of Arguments noticed.
	Reading Reading
	// ExtraParams holds further members of the call's parameters, written as in an
	// object but without its braces; nil for none.
	ExtraParams json.RawMessage
	// Meta holds the members of the call's _meta in the same way.
	Meta json.RawMessage
	// LogLevel is the lowest level of log messages that the caller wants during the
	// call, "" to leave the level as it is.
	LogLevel string
	// Progress takes the progress that the server reports, in order and before the
	// reply; nil asks for none.
	Progress func(Progress)
	// Input supplies what a server has to know before it can give a result. It is
	// handed the result that asks for input ("input_required" of protocol version
	// 2026-07-28) and calls supply once, with the members of the parameters to continue
	// the call with, or with the reason why there are none. If Input is nil, such a
	// result goes to the reply.
	Input func(wanted json.RawMessage, supply func(more json.RawMessage, err error))
	// Confirmer asks the user behind the call when the configuration requires a yes. If
	// it is nil or cannot ask, such a call is refused.
	Confirmer Confirmer
	// FlushGroup may hold back the write of the call until more calls are written. It may
	// be used until UseTool or CallTool returns. Nil writes at once.
	FlushGroup FlushGroup
	// SilenceLimit is the longest time the server may be silent, 0 for no limit. The time
	// starts again with every progress notification, and when a request of the server to
	// the host is answered.
	SilenceLimit time.Duration
	// TotalLimit is the longest time the server may take in all, 0 for no limit.
	TotalLimit time.Duration
}

// Progress is the parameters of a progress notification without the token, which goes
// between Before and After. The bytes are valid until the function that takes them
// returns.
type Progress struct {
	Before, After json.RawMessage
	// FlushGroup may hold back the resulting write until more was read. It may be used
	// until the function that takes the progress returns. Nil writes at once.
	FlushGroup FlushGroup
}

// Reading tells what the reader of a JSON text noticed, so that the text need not be read again. It
// applies to the bytes that were read and not to copies of them, so nothing is known about a text
// that was replaced. A kept Reading keeps those bytes. The zero value knows nothing.
//
// It is in ports since it goes with a text through the application. It saves a second walk over the
// bytes of results and arguments, which would be the only decoding of what passes through.
type Reading struct {
	text   json.RawMessage
	clean  bool
	result ResultType
	failed bool
}

// ResultType is the resultType of a result in protocol version 2026-07-28.
type ResultType int

const (
	// UnknownResult can be anything.
	UnknownResult ResultType = iota
	// UntypedResult is an object without resultType that asks for no input.
	UntypedResult
	// CompleteResult is an object with the resultType "complete" that asks for no input.
	CompleteResult
)

// NewReading returns a Reading of a text. A clean text is UTF-8 without line ends.
func NewReading(text json.RawMessage, clean bool) Reading {
	return Reading{text: text, clean: clean}
}

// NewResultReading is NewReading for a result of that type. Failed says that the result has isError.
func NewResultReading(text json.RawMessage, clean bool, result ResultType, failed bool) Reading {
	return Reading{text: text, clean: clean, result: result, failed: failed}
}

// Clean reports whether text is known to be UTF-8 without line ends.
func (r Reading) Clean(text json.RawMessage) bool { return r.clean && r.covers(text) }

// ResultType returns the type of text as a result.
func (r Reading) ResultType(text json.RawMessage) ResultType {
	if !r.covers(text) {
		return UnknownResult
	}
	return r.result
}

// Failed reports whether text is the result of a tool that failed. Known is false if nothing was noticed
// about text.
func (r Reading) Failed(text json.RawMessage) (failed, known bool) { return r.failed, r.covers(text) }

// covers reports whether text is the slice that was read.
func (r Reading) covers(text json.RawMessage) bool {
	return len(text) > 0 && len(text) == len(r.text) && &text[0] == &r.text[0]
}
