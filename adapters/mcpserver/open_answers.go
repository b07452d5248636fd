package mcpserver

import (
	"encoding/json"
	"sync"

	"mcp-workbench/adapters/mcpserver/present"
	"mcp-workbench/domain"
)

// openAnswers are the last answers of open_toolbox, so that an answer is made once
// for each change and not for each open. Safe for concurrent use.
type openAnswers struct {
	mu        sync.Mutex
	byToolbox map[domain.ToolboxName]*present.OpenAnswer
}

func newOpenAnswers() *openAnswers {
	return &openAnswers{byToolbox: map[domain.ToolboxName]*present.OpenAnswer{}}
}

// result returns the raw result for an opened toolbox and, with an answer that was made
// for it, whether that is too long for the host. It must not be changed.
func (o *openAnswers) result(opened domain.OpenedToolbox, to present.Host) (result json.RawMessage, tooLong string) {
	name := opened.Toolbox.Name
	if last := o.last(name); last != nil && last.Fits(opened) {
		return last.Result(), ""
	}
	answer := present.NewOpenAnswer(opened, to)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.byToolbox[name] = answer
	return answer.Result(), answer.TooLong()
}

func (o *openAnswers) last(name domain.ToolboxName) *present.OpenAnswer {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byToolbox[name]
}

// drop forgets the answer for a toolbox that was closed.
func (o *openAnswers) drop(name domain.ToolboxName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.byToolbox, name)
}
