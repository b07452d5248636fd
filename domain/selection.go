package domain

// Selection is the output of a jq program or a regular expression over a result.
type Selection struct {
	// Output consists of lines, each with its line end.
	Output string
	// More is set if there was more output than there is room for.
	More bool
}

// MaxProgram is the maximum length of a jq program or a regular expression, in bytes. Programs that
// models write have less than one in a hundred of it.
const MaxProgram = 64 << 10

// SelectionFailure is a reason why a selection has no output.
type SelectionFailure string

// The reasons.
const (
	SelectionSyntax  SelectionFailure = "syntax"
	SelectionRuntime SelectionFailure = "runtime"
	SelectionTime    SelectionFailure = "time"
	SelectionMemory  SelectionFailure = "memory"
	SelectionBusy    SelectionFailure = "busy" // too many wait already; it can be made again
	SelectionGone    SelectionFailure = "gone" // the program was updated or removed while it runs
)

// NoJSON is the reason why a jq program has nothing to run over.
const NoJSON = "the result is text, not JSON"

// SelectionError means that a program or an expression is wrong, does not fit the data, takes too
// much time or memory, or could not be run yet.
type SelectionError struct {
	Kind SelectionFailure
	// Message says what is wrong, "" if Kind says it all.
	Message string
	// Position is the byte of the program where a syntax error is, counted from 1; 0 if it is not known.
	Position int
}

func (e *SelectionError) Error() string {
	if e.Message == "" {
		return "the selection failed: " + string(e.Kind)
	}
	return e.Message
}
