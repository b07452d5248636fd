package mcpserver

import (
	"runtime"
	"sync"
	"weak"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// programAnswers holds the last answers of open_toolbox to all hosts of a program, each as long as a host keeps
// it, so that hosts that are shown the same share one answer. Safe for concurrent use.
type programAnswers struct {
	byKey sync.Map // of answerKey to weak.Pointer[wording.OpenAnswer]
}

// answerKey distinguishes answers that different hosts use at the same time.
type answerKey struct {
	toolbox domain.ToolboxName
	showing wording.Showing
}

// answer returns the answer for an opened toolbox.
func (p *programAnswers) answer(opened domain.OpenedToolbox, showing wording.Showing) *wording.OpenAnswer {
	key := answerKey{opened.Toolbox.Name, showing}
	if last, known := p.byKey.Load(key); known {
		if answer := last.(weak.Pointer[wording.OpenAnswer]).Value(); answer != nil && answer.Fits(opened, showing) {
			return answer
		}
	}
	answer := wording.NewOpenAnswer(opened, showing)
	pointer := weak.Make(answer)
	p.byKey.Store(key, pointer)
	runtime.AddCleanup(answer, func(key answerKey) { p.byKey.CompareAndDelete(key, pointer) }, key)
	return answer
}
