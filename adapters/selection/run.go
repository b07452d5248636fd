package selection

import (
	"encoding/json"
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/domain"
)

const (
	// maxTime is the processor time for compiling and running a program or an expression.
	maxTime = scale * 3 * time.Second
	// maxDecodeTime is the processor time for reading and decoding its input.
	maxDecodeTime = scale * 5 * time.Second
	// maxRunMemory is the memory that a run may use besides its decoded input, in bytes.
	maxRunMemory = 64 << 20
	// maxDecoded is the memory that a decoded result may use, in bytes.
	maxDecoded = 512 << 20
	// measureInterval is the time between two measurements of the memory.
	measureInterval = time.Millisecond
	// timeInterval is the time between two measurements of the processor time.
	timeInterval = 20 * time.Millisecond
)

// Run answers one question. It needs a process of its own, which must end when Run returns: it bounds
// the memory of the whole process, and does not stop goroutines that are still running.
func Run(in io.Reader, out io.Writer) {
	answers := make(chan answer, 1)
	fail := func(kind domain.SelectionFailure) func() {
		return func() { offer(answers, answer{Error: &domain.SelectionError{Kind: kind}}) }
	}
	bounds := watchMemory(fail(domain.SelectionMemory))
	processor := newTimer(func() time.Duration { return ownprocess.Read().Processor })
	go processor.watch(fail(domain.SelectionTime))
	go func() {
		answered := answerQuestion(in, bounds, processor.beginRun)
		if bounds.wereExceeded() {
			answered = answer{Error: &domain.SelectionError{Kind: domain.SelectionMemory}}
		}
		offer(answers, answered)
	}()
	_ = json.NewEncoder(out).Encode(<-answers) // if the write fails, the workbench has ended
}

// offer sends an answer, unless one was sent already.
func offer(answers chan<- answer, answered answer) {
	select {
	case answers <- answered:
	default:
	}
}

// answerQuestion reads a question and answers it. It calls begin before the program or
// expression is compiled.
func answerQuestion(in io.Reader, bounds *bounds, begin func()) answer {
	asked, input, failure := readQuestion(in)
	if failure != nil {
		return answer{Error: failure}
	}
	bounds.tighten()
	begin()
	if text, isText := input.(string); isText && asked.Expression != "" {
		return runExpression(asked.Expression, text)
	}
	code, failure := compile(asked.Program)
	if failure != nil {
		return answer{Error: failure}
	}
	return runProgram(code, input)
}

// timer bounds the processor time of the process. Safe for concurrent use.
//
// Decision: it is not the time that passes, since on a busy machine that says nothing about a program. The workbench ends
// a process that takes too long all the same.
type timer struct {
	spent func() time.Duration
	limit atomic.Int64
}

func newTimer(spent func() time.Duration) *timer {
	t := &timer{spent: spent}
	t.limit.Store(int64(spent() + maxDecodeTime + maxTime))
	return t
}

// beginRun allows maxTime from now on.
func (t *timer) beginRun() { t.limit.Store(int64(t.spent() + maxTime)) }

// watch returns after it called exceeded.
func (t *timer) watch(exceeded func()) {
	for int64(t.spent()) <= t.limit.Load() {
		time.Sleep(timeInterval)
	}
	exceeded()
}

// bounds are the limits for the memory of the process, in bytes.
type bounds struct {
	// max is the limit for the objects on the heap.
	max atomic.Int64
	// maxReserved is the limit for the memory that the heap takes from the system. Only the goroutine
	// that runs the program uses it.
	maxReserved int64
}

// watchMemory calls exceeded at each measurement in which the heap exceeds the bounds. At first the
// bounds are those for decoding.
func watchMemory(exceeded func()) *bounds {
	b := &bounds{}
	b.set(maxDecoded, 0)
	go func() {
		for {
			if size, _ := heapSize(); size > b.max.Load() {
				exceeded()
			}
			time.Sleep(measureInterval)
		}
	}()
	return b
}

// tighten sets the bounds to the present memory and maxRunMemory.
func (b *bounds) tighten() {
	runtime.GC()
	size, reserved := heapSize()
	b.set(size+maxRunMemory, reserved)
}

// wereExceeded reports whether the heap ever took so much memory from the system that its objects
// exceeded the bounds. Where the system does not end the process, one large object can come and go
// between two measurements.
func (b *bounds) wereExceeded() bool {
	_, reserved := heapSize()
	return reserved > b.maxReserved
}

// heapSize returns the size of all objects on the heap, and the most memory that the heap took from
// the system, in bytes.
func heapSize() (size, reserved int64) {
	samples := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	for _, sample := range samples {
		reserved += int64(sample.Value.Uint64())
	}
	return int64(samples[0].Value.Uint64()), reserved
}

// set sets the bounds. The argument reserved is the memory that the heap has already taken from the
// system, which enforces a higher limit between two measurements.
func (b *bounds) set(limit, reserved int64) {
	b.max.Store(limit)
	b.maxReserved = max(reserved, limit+spareHeap)
	debug.SetMemoryLimit(limit - maxRunMemory/4) // so that garbage is collected before it exceeds the limit
	limitData(limit + spareData)
}

const (
	// spareHeap is room for the memory that the heap reserves besides its objects, in bytes.
	spareHeap = 192 << 20
	// spareData is spareHeap and room for the memory besides the heap.
	spareData = scale * spareHeap
)
