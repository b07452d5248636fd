package ports

import "encoding/json"

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
