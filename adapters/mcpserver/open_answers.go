package mcpserver

import (
	"sync"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// openAnswers are the last answers of open_toolbox, so that an answer is made once
// for each change and not for each open. Safe for concurrent use.
type openAnswers struct {
	mu        sync.Mutex
	byToolbox map[domain.ToolboxName]*wording.OpenAnswer
}

func newOpenAnswers() *openAnswers {
	return &openAnswers{byToolbox: map[domain.ToolboxName]*wording.OpenAnswer{}}
}

// answer returns the answer for an opened toolbox that is shown like that, and whether
// it was made for this.
func (o *openAnswers) answer(opened domain.OpenedToolbox, showing wording.Showing) (answer *wording.OpenAnswer, isNew bool) {
	name := opened.Toolbox.Name
	if last := o.last(name); last != nil && last.Fits(opened, showing) {
		return last, false
	}
	answer = wording.NewOpenAnswer(opened, showing)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.byToolbox[name] = answer
	return answer, true
}

func (o *openAnswers) last(name domain.ToolboxName) *wording.OpenAnswer {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byToolbox[name]
}

// haveShort reports whether one of the answers shows tools in a short form, whatever is configured,
// so that the host may ask for more of them.
func (o *openAnswers) haveShort() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, answer := range o.byToolbox {
		if answer.Form().Short() {
			return true
		}
	}
	return false
}

// drop forgets the answer for a toolbox that was closed.
func (o *openAnswers) drop(name domain.ToolboxName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.byToolbox, name)
}
