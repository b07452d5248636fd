package mcpserver

import (
	"slices"
	"sync"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// openAnswers holds the last answer of open_toolbox for each toolbox of a host, so that an answer is made once for
// each change and not for each open. Safe for concurrent use.
type openAnswers struct {
	byToolbox sync.Map // of domain.ToolboxName to *wording.OpenAnswer
	// told are the instructions that the host was shown.
	told sync.Map // of domain.ServerID to string
}

// noteInstructions notes that an answer shows the instructions of the servers.
func (o *openAnswers) noteInstructions(opened domain.OpenedToolbox) {
	for _, server := range opened.Servers {
		if server.Failure == nil {
			o.told.Store(server.ID, server.Instructions)
		}
	}
}

// withoutTold returns an opened toolbox without the instructions that the host was shown before, which a model would
// read again with each definition that it asks for.
func (o *openAnswers) withoutTold(opened domain.OpenedToolbox) domain.OpenedToolbox {
	opened.Servers = slices.Clone(opened.Servers)
	for i := range opened.Servers {
		server := &opened.Servers[i]
		if told, known := o.told.Load(server.ID); known && told == server.Instructions {
			server.Instructions = ""
		}
	}
	return opened
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
func (o *openAnswers) drop(name domain.ToolboxName) {
	o.byToolbox.Delete(name)
	o.told.Range(func(id, _ any) bool {
		if id.(domain.ServerID).Toolbox == name {
			o.told.Delete(id)
		}
		return true
	})
}
