package jsonrpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/tests/spec"
)

// gate is a target that blocks writes until it is opened.
type gate struct {
	opened chan struct{}
	mu     sync.Mutex
	text   bytes.Buffer
	err    error
}

func newGate() *gate { return &gate{opened: make(chan struct{})} }

func (g *gate) open() { close(g.opened) }

func (g *gate) Write(p []byte) (int, error) {
	<-g.opened
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err != nil {
		return 0, g.err
	}
	return g.text.Write(p)
}

func (g *gate) written() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.String()
}

// givenUp is a context that ends when a sender begins to wait for it, after what happens first.
type givenUp struct {
	context.Context //nolint:containedctx // the type is a context itself
	first           func()
	ended           bool
}

func (c *givenUp) Done() <-chan struct{} {
	c.first()
	c.ended = true
	ended := make(chan struct{})
	close(ended)
	return ended
}

func (c *givenUp) Err() error {
	if c.ended {
		return context.Canceled
	}
	return nil
}

var _ = Describe("Writing frames", func() {
	ctx := context.Background()

	Context("to a reader that does not read", func() {
		var target *gate
		var writer *jsonrpc.Writer

		BeforeEach(func() {
			target = newGate()
			writer = jsonrpc.NewWriter(target, nil)
			unused := writer
			DeferCleanup(func() { _ = unused.Close(ctx) }) // most specs have closed it
		})

		It("accepts about a MiB and then no more, without ever waiting", func() {
			taken := 0
			for ; taken < 1000; taken++ {
				if err := writer.TryWrite(frame(taken, 10_000)); err != nil {
					Expect(err).To(MatchError(jsonrpc.ErrQueueFull))
					break
				}
			}
			Expect(taken).To(BeNumerically("~", 1<<20/10_000, 3))
			Expect(writer.TryWrite(frame(-1, 1))).To(MatchError(jsonrpc.ErrQueueFull))

			target.open()

			Expect(writer.Close(ctx)).To(Succeed())
			Expect(idsOf(target.written())).To(Equal(numbers(taken)))
		})

		It("also accepts a large frame without waiting", func() {
			Expect(writer.TryWrite(frame(0, 5<<20))).To(Succeed())
			Expect(writer.TryWrite(frame(1, 1))).To(MatchError(jsonrpc.ErrQueueFull))

			target.open()

			Expect(writer.Close(ctx)).To(Succeed())
			Expect(idsOf(target.written())).To(Equal(numbers(1)))
		})

		It("copies the frames that it queues", func() {
			body := json.RawMessage(`"` + strings.Repeat("x", 50_000) + `"`)
			Expect(writer.TryWrite(jsonrpc.Result(json.RawMessage("0"), body))).To(Succeed())
			clear(body)

			target.open()

			Expect(writer.Close(ctx)).To(Succeed())
			Expect(idsOf(target.written())).To(Equal(numbers(1)))
		})

		It("lets callers wait until there is room", func() {
			spec.Bubble(func(*testing.T) {
				target := newGate()
				writer := jsonrpc.NewWriter(target, nil)
				Expect(writer.TryWrite(frame(0, 2<<20))).To(Succeed())
				waited := make(chan error, 1)
				go func() { waited <- writer.Write(ctx, frame(1, 1)) }()
				synctest.Wait()
				Expect(waited).NotTo(Receive())

				target.open()

				Expect(<-waited).To(Succeed())
				Expect(writer.Close(ctx)).To(Succeed())
				Expect(idsOf(target.written())).To(Equal(numbers(2)))
			})
		})

		It("writes nothing of a frame whose sender gave up", func() {
			Expect(writer.TryWrite(frame(0, 2<<20))).To(Succeed())
			given, giveUp := context.WithCancel(ctx)
			giveUp()

			Expect(writer.Write(given, frame(1, 1))).To(MatchError(context.Canceled))

			target.open()
			Expect(writer.Close(ctx)).To(Succeed())
			Expect(idsOf(target.written())).To(Equal(numbers(1)))
		})

		It("writes nothing of a frame whose sender gave up before, though there is room", func() {
			given, giveUp := context.WithCancel(ctx)
			giveUp()

			Expect(writer.Write(given, frame(0, 1))).To(MatchError(context.Canceled))

			target.open()
			Expect(writer.Close(ctx)).To(Succeed())
			Expect(target.written()).To(BeEmpty())
		})

		It("writes nothing of a frame whose sender gives up when there is room at last", func() {
			for range 32 { // either could be noticed first
				spec.Bubble(func(*testing.T) {
					target := newGate()
					writer := jsonrpc.NewWriter(target, nil)
					Expect(writer.TryWrite(frame(0, 2<<20))).To(Succeed())
					endsWithRoom := &givenUp{Context: ctx, first: func() {
						target.open()
						synctest.Wait()
					}}

					given := writer.Write(endsWithRoom, frame(1, 1))

					Expect(writer.Close(ctx)).To(Succeed())
					Expect(given).To(MatchError(context.Canceled))
					Expect(idsOf(target.written())).To(Equal(numbers(1)))
				})
			}
		})

		It("closes when the context ends at the latest", func() {
			Expect(writer.TryWrite(frame(0, 1))).To(Succeed())
			ended, end := context.WithCancel(ctx)
			end()

			Expect(writer.Close(ended)).To(MatchError(context.Canceled))
			Expect(writer.Stopped()).NotTo(BeClosed())

			target.open()
			Eventually(writer.Stopped()).WithTimeout(patience).Should(BeClosed())
		})
	})

	Context("when writing fails", func() {
		broken := errors.New("broken")

		It("reports that to later callers and to waiting ones", func() {
			target := newGate()
			target.err = broken
			writer := jsonrpc.NewWriter(target, nil)
			Expect(writer.TryWrite(frame(0, 2<<20))).To(Succeed())
			waited := make(chan error)
			for i := range 3 {
				go func() { waited <- writer.Write(ctx, frame(i, 1)) }()
			}

			target.open()

			for range 3 {
				Eventually(waited).WithTimeout(patience).Should(Receive(MatchError(broken)))
			}
			Eventually(writer.Stopped()).WithTimeout(patience).Should(BeClosed())
			Expect(writer.TryWrite(frame(4, 1))).To(MatchError(broken))
			Expect(writer.Write(ctx, frame(5, 1))).To(MatchError(broken))
			Expect(writer.Close(ctx)).To(MatchError(broken))
		})

		It("reports that to the sender of a large frame", func() {
			target := newGate()
			target.err = broken
			target.open()
			writer := jsonrpc.NewWriter(target, nil)

			Expect(writer.Write(ctx, frame(0, 2<<20))).To(MatchError(broken))

			Eventually(writer.Stopped()).WithTimeout(patience).Should(BeClosed())
			Expect(writer.Close(ctx)).To(MatchError(broken))
		})
	})
})
