package selection

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
)

const (
	// maxTime bounds the run of a program or an expression.
	maxTime = scale * time.Second
	// maxDecodeTime bounds the time until it can run.
	maxDecodeTime = scale * 5 * time.Second
	// maxMade bounds the memory that a program makes, in bytes.
	maxMade = 64 << 20
	// maxDecoded bounds the memory of a result that was decoded, in bytes.
	maxDecoded = 512 << 20
	// watchPause is how often the memory is measured.
	watchPause = time.Millisecond
)

// Run answers one question. It is for a process of its own, which ends when Run returns: it bounds
// the memory of the whole process, and what is still running then is not stopped otherwise.
func Run(in io.Reader, out io.Writer) {
	answers := make(chan answer, 1)
	fail := func(kind domain.SelectionFailure) func() {
		return func() { offer(answers, answer{Error: &domain.SelectionError{Kind: kind}}) }
	}
	bounds := watchMemory(fail(domain.SelectionMemory))
	time.AfterFunc(maxDecodeTime+maxTime, fail(domain.SelectionTime))
	go func() {
		answered, err := find(in, bounds, func() { time.AfterFunc(maxTime, fail(domain.SelectionTime)) })
		if failure, ok := errors.AsType[*domain.SelectionError](err); ok {
			answered = answer{Error: failure}
		} else if err != nil {
			answered = answer{Error: &domain.SelectionError{Kind: domain.SelectionRuntime, Message: err.Error()}}
		}
		if bounds.wereExceeded() {
			answered = answer{Error: &domain.SelectionError{Kind: domain.SelectionMemory}}
		}
		offer(answers, answered)
	}()
	_ = json.NewEncoder(out).Encode(<-answers) // the workbench is gone if it does not read
}

// offer sends an answer, unless there is one already.
func offer(answers chan<- answer, answered answer) {
	select {
	case answers <- answered:
	default:
	}
}

// find reads a question and answers it. It calls begin when the time of the program begins.
func find(in io.Reader, bounds *bounds, begin func()) (answer, error) {
	asked, texts, err := readQuestion(in)
	if err != nil {
		return answer{}, err
	}
	if asked.Expression != "" {
		begin()
		bounds.tighten()
		text := ""
		if len(texts) > 0 {
			text = string(texts[0])
		}
		return runExpression(context.Background(), asked.Expression, text, asked.MaxOutput)
	}
	code, err := compile(asked.Program)
	if err != nil {
		return answer{}, err
	}
	value, err := decode(texts)
	if err != nil {
		return answer{}, err
	}
	bounds.tighten()
	begin()
	return runProgram(context.Background(), code, value, asked.MaxOutput)
}

// bounds are the memory that the process may have, in bytes.
type bounds struct {
	// max is for the objects on the heap.
	max atomic.Int64
	// maxReserved is for what the heap takes of the system. Only the goroutine that runs the program
	// uses it.
	maxReserved int64
}

// watchMemory calls exceeded, once, when the heap grows beyond the bounds, which are those of
// decoding first.
func watchMemory(exceeded func()) *bounds {
	b := &bounds{}
	b.set(maxDecoded, 0)
	go func() {
		for {
			if size, _ := heapSize(); size > b.max.Load() {
				exceeded()
			}
			time.Sleep(watchPause)
		}
	}()
	return b
}

// tighten bounds the memory to what there is now, and what a program may make.
func (b *bounds) tighten() {
	runtime.GC()
	size, reserved := heapSize()
	b.set(size+maxMade, reserved)
}

// wereExceeded tells whether the heap ever took so much of the system that its objects were beyond
// the bounds. Where the system does not stop the process, one large object can come and go between
// two measurements.
func (b *bounds) wereExceeded() bool {
	_, reserved := heapSize()
	return reserved > b.maxReserved
}

// heapSize returns the bytes of all objects on the heap, and the most that the heap took of the
// system for them. The package runtime/metrics would tell it for less, but costs each start of the program
// 0.1 ms.
func heapSize() (size, reserved int64) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc), int64(stats.HeapSys)
}

// set bounds the heap, which has reserved so much by now. The system stops what would grow beyond it
// between two measurements.
func (b *bounds) set(limit, reserved int64) {
	b.max.Store(limit)
	b.maxReserved = max(reserved, limit+spareHeap)
	debug.SetMemoryLimit(limit - maxMade/4) // garbage is collected before it counts
	limitData(limit + spareData)
}

const (
	// spareHeap is room for what the heap reserves beside its objects, in bytes.
	spareHeap = 192 << 20
	// spareData is the same with the memory beside the heap.
	spareData = scale * spareHeap
)
