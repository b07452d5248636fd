package selection

import (
	"io"
	"time"

	"mcp-workbench/domain/excerpts"
)

// AppendLines is appendLines, and InLines is inLines of a result.
var (
	AppendLines = appendLines
	InLines     = func(result []byte) string { return inLines(excerpts.NewPayload(result)) }
)

// Fails reports whether answerQuestion fails. It limits the memory of the process.
func Fails(in io.Reader, begin func()) bool {
	return answerQuestion(in, watchMemory(func() {}), begin).Error != nil
}

// WatchTime calls exceeded when a run that begins at once spent too much processor time.
func WatchTime(spent func() time.Duration, exceeded func()) {
	t := newTimer(spent)
	t.beginRun()
	t.watch(exceeded)
}

// MaxTime is maxTime.
const MaxTime = maxTime
