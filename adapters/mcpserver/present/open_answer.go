package present

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"mcp-workbench/domain"
)

// OpenAnswer is the result of open_toolbox for an opened toolbox. It never changes,
// so it is safe for concurrent use.
type OpenAnswer struct {
	opened   domain.OpenedToolbox
	failures []string
	tooLong  string
	size     int
	result   json.RawMessage
}

// NewOpenAnswer makes the answer for a host. The raw JSON in opened must not change.
func NewOpenAnswer(opened domain.OpenedToolbox, host Host) *OpenAnswer {
	answer := &OpenAnswer{opened: opened, failures: connectFailures(opened)}
	text := openedToolbox(opened)
	if host.MaxResult > 0 && len(text) > host.MaxResult {
		answer.tooLong = tooLongText(host, len(text))
		text = openedToolbox(opened, answer.tooLong)
	}
	answer.size, answer.result = len(text), TextResult(string(text))
	return answer
}

// TooLong says that the answer is longer than what the host passes on to its model, and
// which setting helps; "" when it is not.
func (a *OpenAnswer) TooLong() string { return a.tooLong }

// Result returns the raw result of the tool. It must not be changed.
func (a *OpenAnswer) Result() json.RawMessage { return a.result }

// Size returns how many bytes a model reads.
func (a *OpenAnswer) Size() int { return a.size }

// Fits reports whether the answer is also the one for another opened toolbox: nothing
// that it shows differs. That is much cheaper than making it again.
func (a *OpenAnswer) Fits(opened domain.OpenedToolbox) bool {
	return a.opened.Toolbox.Name == opened.Toolbox.Name &&
		a.opened.Toolbox.Description == opened.Toolbox.Description &&
		slices.Equal(a.opened.Warnings, opened.Warnings) &&
		slices.EqualFunc(a.opened.Servers, opened.Servers, sameServer) &&
		slices.Equal(a.failures, connectFailures(opened))
}

// sameServer reports whether an answer shows the same of two servers, failures apart.
func sameServer(a, b domain.OpenedServer) bool {
	return a.ID == b.ID && (a.Failure == nil) == (b.Failure == nil) && a.Instructions == b.Instructions &&
		slices.Equal(a.Warnings, b.Warnings) &&
		maps.Equal(a.Registered, b.Registered) &&
		slices.EqualFunc(a.Tools, b.Tools, func(a, b domain.ToolInfo) bool {
			return a.Name == b.Name && bytes.Equal(a.Definition, b.Definition)
		})
}
