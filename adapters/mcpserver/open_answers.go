package mcpserver

import (
	"sync"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// openAnswers holds the last answer of open_toolbox for each toolbox of a host, so that an answer is made once for
// each change and not for each open. Safe for concurrent use.
type openAnswers struct {
	byToolbox sync.Map // of domain.ToolboxName to *wording.OpenAnswer
}

// answer returns the answer for an opened toolbox, and reports whether it differs from the last one. shared holds the
// answers that hosts share.
func (o *openAnswers) answer(shared *programAnswers, opened domain.OpenedToolbox, showing wording.Showing) (answer *wording.OpenAnswer, isNew bool) {
	last, _ := o.byToolbox.Load(opened.Toolbox.Name)
	if answer, known := last.(*wording.OpenAnswer); known && answer.Fits(opened, showing) {
		return answer, false
	}
	answer = shared.answer(opened, showing)
	o.byToolbox.Store(opened.Toolbox.Name, answer)
	return answer, true
}

// haveShort reports whether one of the answers shows tools in a short form, so that the host can
// ask for their definitions.
func (o *openAnswers) haveShort() (short bool) {
	o.byToolbox.Range(func(_, answer any) bool {
		short = answer.(*wording.OpenAnswer).Form().Short()
		return !short
	})
	return short
}

// drop forgets the answer for a closed toolbox.
func (o *openAnswers) drop(name domain.ToolboxName) { o.byToolbox.Delete(name) }
