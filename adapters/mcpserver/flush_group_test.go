package mcpserver_test

import (
	"context"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

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
