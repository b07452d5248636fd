package mcpserver

import (
	"runtime"
	"sync"
	"weak"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// programAnswers are the last answers of open_toolbox of all hosts of a program, as long as a host keeps them, so
// that hosts which are shown the same hold one answer. Safe for concurrent use.
type programAnswers struct {
	byKey sync.Map // of answerKey to weak.Pointer[wording.OpenAnswer]
}

// answerKey tells apart answers that hosts use in turns.
type answerKey struct {
	toolbox domain.ToolboxName
	showing wording.Showing
}

// answer returns the answer for an opened toolbox.
func (s *programAnswers) answer(opened domain.OpenedToolbox, showing wording.Showing) *wording.OpenAnswer {
	key := answerKey{opened.Toolbox.Name, showing}
	if last, known := s.byKey.Load(key); known {
		if answer := last.(weak.Pointer[wording.OpenAnswer]).Value(); answer != nil && answer.Fits(opened, showing) {
			return answer
		}
	}
	answer := wording.NewOpenAnswer(opened, showing)
	pointer := weak.Make(answer)
	s.byKey.Store(key, pointer)
	runtime.AddCleanup(answer, func(key answerKey) { s.byKey.CompareAndDelete(key, pointer) }, key)
	return answer
}
