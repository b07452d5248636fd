package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The end of a conversation", func() {
	var (
		w      *workbench
		server *slowServer
	)
	BeforeEach(func() {
		w, server = newWorkbench(), &slowServer{}
		w.use = server.use
	})

	It("allows a second for answers to requests in flight", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(useTool("1", read))
		begun := time.Now()
		time.AfterFunc(900*time.Millisecond, func() { server.answer(0, `"in time"`) })

		c.end()

		Expect(c.lines()).To(Equal([]string{resultLine("1", `"in time"`)}))
		Expect(c.err).NotTo(HaveOccurred())
		Expect(c.ended).To(Equal(begun), "the time to exit counts from the end of the input")
		Expect(time.Since(begun)).To(Equal(900 * time.Millisecond))
	}))

	It("stops the remaining requests, each with an answer that says so", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(useTool("1", read))
		begun := time.Now()

		c.end()

		Expect(c.lines()).To(Equal([]string{
			failedLine("1", "Error executing tool 'read' in server 'files' (toolbox 'dev'): the workbench is shutting down"),
		}))
		Expect(time.Since(begun)).To(Equal(time.Second))
	}))

	It("waits until given answers are written", spec.InBubble(func(t *testing.T) {
		const size = 2 << 20
		c := w.begin(t)
		c.send(useTool("0", read), useTool("1", read), useTool("2", read))
		c.hold()
		for i := range 3 {
			go server.answer(i, `"`+strings.Repeat("x", size)+`"`)
		}
		synctest.Wait() // one is being written, one waits in the queue, one for a place there
		time.AfterFunc(500*time.Millisecond, func() { c.release(nil) })

		c.end()

		Expect(c.lines()).To(HaveLen(3))
	}))

	It("does not wait for a silent server", spec.InBubble(func(t *testing.T) {
		w.use = func(context.Context, domain.ToolIdentifier, ports.ToolCall, ports.Reply) {}
		c := w.begin(t)
		c.send(useTool("1", read))
		begun := time.Now()

		c.end()

		Expect(c.lines()).To(BeEmpty())
		Expect(time.Since(begun)).To(BeNumerically("<", 2*time.Second))
	}))

	It("comes immediately without requests in flight", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		begun := time.Now()

		c.end()

		Expect(time.Since(begun)).To(BeZero())
	}))

	It("comes with the end of the context, though the input is open", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(useTool("1", read))

		c.cancel()
		synctest.Wait()
		server.answer(0, `"in time"`)
		<-c.done

		Expect(c.err).NotTo(HaveOccurred())
		Expect(c.lines()).To(Equal([]string{resultLine("1", `"in time"`)}))
	}))

	It("comes when writing to the host fails", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.release(errors.New("broken pipe"))

		c.send(request("1", "ping", ""))
		<-c.done

		Expect(c.err).NotTo(HaveOccurred())
		Expect(c.lines()).To(BeEmpty())
	}))

	It("reports when reading the input failed", spec.InBubble(func(t *testing.T) {
		_, err := w.server().Serve(t.Context(), iotest.ErrReader(errors.New("bad disk")), mcpserver.Output{Writer: &screen{}})

		Expect(err).To(MatchError("read the host's messages: bad disk"))
	}))

	It("drops later messages of servers", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(initialize(`{"roots":{}}`))
		c.end()

		Expect(c.hears(func() {
			w.host.Notify(domain.ServerID{}, ports.Notification{Method: "notifications/message"})
			var came ports.Answer
			w.host.Request(t.Context(), domain.ServerID{}, ports.Message{Method: "roots/list"}, func(answer ports.Answer, err error) {
				came = answer
			})
			Expect(string(came.Error)).To(Equal(`{"code":-32603,"message":"the host is gone"}`))
		})).To(BeEmpty())
	}))
})

var _ = Describe("A host that does not read", func() {
	It("slows servers down, and gets everything when it reads again", spec.InBubble(func(t *testing.T) {
		const calls, size = 200, 64 << 10
		w, server := newWorkbench(), &slowServer{}
		w.use = server.use
		c := w.begin(t)
		for i := range calls {
			c.send(useTool(fmt.Sprint(i), read))
		}
		c.hold()
		answered := make(chan int, calls)
		go func() {
			for i := range calls {
				server.answer(i, `"`+strings.Repeat("x", size)+`"`)
				answered <- i
			}
		}()
		synctest.Wait()
		Expect(len(answered)*size).To(BeNumerically("<", 2<<20), "what waits for the host is bounded")

		c.release(nil)
		synctest.Wait()

		Expect(answered).To(HaveLen(calls))
		lines := c.lines()
		Expect(lines).To(HaveLen(calls))
		for i, line := range lines {
			Expect(line == resultLine(fmt.Sprint(i), `"`+strings.Repeat("x", size)+`"`)).To(BeTrue(), "line %d", i)
		}
	}))

	It("does not keep the conversation from ending", spec.InBubble(func(t *testing.T) {
		w := newWorkbench()
		c := w.begin(t)
		c.hold()
		c.send(request("1", "ping", ""), request("2", "ping", ""))
		begun := time.Now()

		c.end()

		Expect(time.Since(begun)).To(BeNumerically("<", 2*time.Second))
	}))
})

// flushes counts how often a writer was flushed.
type flushes struct{ times int }

func (f *flushes) Flush() { f.times++ }

var _ = Describe("Answers to lines that were read together", func() {
	It("are written together, in their order", spec.InBubble(func(t *testing.T) {
		w := newWorkbench()
		held := 0
		w.use = func(_ context.Context, _ domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
			if call.FlushGroup != nil {
				held++
			}
			reply(ports.Answer{Result: []byte(`{}`), FlushGroup: call.FlushGroup}, nil)
		}
		c := w.begin(t)

		Expect(c.send(useTool("1", read), useTool("2", read), useTool("3", read))).To(Equal([]string{
			resultLine("1", "{}"), resultLine("2", "{}"), resultLine("3", "{}"),
		}))
		Expect(held).To(Equal(3))
		Expect(c.send(useTool("4", read))).To(Equal([]string{resultLine("4", "{}")}))
		Expect(held).To(Equal(3), "one alone waits for nothing")
	}))

	It("do not leave a call in the memory of its server's writer if the last of the lines is over the limit", Label("U01"), spec.InBubble(func(t *testing.T) {
		w, server := newWorkbench(), &flushes{}
		w.limits.MessageSize = 1000
		w.use = func(_ context.Context, _ domain.ToolIdentifier, call ports.ToolCall, _ ports.Reply) {
			call.FlushGroup.Add(server)
		}
		c := w.begin(t)

		Expect(c.send(useTool("1", read), request(`"long"`, "ping", `{"x":"`+strings.Repeat("x", 1000)+`"}`))).To(HaveExactElements(
			ContainSubstring(`"id":"long","error":{"code":-32600`),
		))
		Expect(server.times).To(Equal(1))
	}))
})

// countingGroup counts the writers that keep bytes back for it.
type countingGroup struct{ writers []interface{ Flush() } }

func (g *countingGroup) Add(writer interface{ Flush() }) { g.writers = append(g.writers, writer) }

var _ = Describe("An answer of a server", func() {
	answerWith := func(t *testing.T, group ports.FlushGroup) *conversation {
		w := newWorkbench()
		w.use = func(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
			reply(ports.Answer{Result: []byte(`{}`), FlushGroup: group}, nil)
		}
		c := w.begin(t)
		synctest.Wait() // the writer has looked for work
		return c
	}

	It("without a flush group is written at once", spec.InBubble(func(t *testing.T) {
		c := answerWith(t, nil)

		Expect(c.send(useTool("1", read))).To(Equal([]string{resultLine("1", "{}")}))
	}))

	It("with a flush group is written when that is flushed", spec.InBubble(func(t *testing.T) {
		group := &countingGroup{}
		c := answerWith(t, group)
		Expect(c.send(useTool("1", read))).To(BeEmpty())
		Expect(group.writers).To(HaveLen(1))

		Expect(c.hears(group.writers[0].Flush)).To(Equal([]string{resultLine("1", "{}")}))
	}))
})
