package mcpserver

import (
	"slices"
	"sync"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// openAnswers notes what the answers of open_toolbox showed to a host. Safe for concurrent use.
type openAnswers struct {
	shown sync.Map // of domain.ToolboxName to shownAnswer
	// told are the instructions that the host was shown.
	told sync.Map // of domain.ServerID to string
}

// shownAnswer describes the last answer for a toolbox.
type shownAnswer struct {
	isShort bool   // tools are shown in a short form
	tooLong string // wording.OpenAnswer.TooLong
}

// note notes an answer, and reports whether it is too long in another way than the last one.
func (o *openAnswers) note(toolbox domain.ToolboxName, answer *wording.OpenAnswer) (isTooLong bool) {
	last, _ := o.shown.Swap(toolbox, shownAnswer{answer.Form().Short(), answer.TooLong()})
	before, _ := last.(shownAnswer)
	return answer.TooLong() != "" && answer.TooLong() != before.tooLong
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

// haveShort reports whether one of the answers shows tools in a short form, so that the host can
// ask for their definitions.
func (o *openAnswers) haveShort() (short bool) {
	o.shown.Range(func(_, shown any) bool {
		short = shown.(shownAnswer).isShort
		return !short
	})
	return short
}

// drop forgets what was shown of a closed toolbox.
func (o *openAnswers) drop(name domain.ToolboxName) {
	o.shown.Delete(name)
	o.told.Range(func(id, _ any) bool {
		if id.(domain.ServerID).Toolbox == name {
			o.told.Delete(id)
		}
		return true
	})
}
