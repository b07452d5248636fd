package httpserver_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A call over HTTP that needs approval", func() {
	question := domain.ConfirmationQuestion{
		Tool: domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "t"}, Called: "t", Arguments: json.RawMessage(`{}`),
	}
	const yes = `{"action":"accept","content":{"decision":"yes, once"}}`

	It("gets its question on its own stream, beside other calls", spec.InBubble(func(*testing.T) {
		h := newTestHandler().open().connect(anonymous)
		first := h.use("7")
		call := h.handler.host().last()
		other := h.use("8")
		came := domain.ConfirmationUnclear

		call.Confirmer.Confirm(call.ctx, question, func(answer domain.ConfirmationAnswer) { came = answer })
		synctest.Wait()

		Expect(first.events()).To(ContainElement(ContainSubstring(`"id":1,"method":"elicitation/create"`)))
		Expect(other.text()).NotTo(ContainSubstring("elicitation"))
		Expect(h.post(`{"jsonrpc":"2.0","id":1,"result":` + yes + `}`).code()).To(Equal(202))
		Expect(came).To(Equal(domain.ConfirmedOnce))
		h.handler.Close()
	}))

	It("ignores an answer of another host", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(ann)
		h.use("7")
		call := d.host().last()
		came := domain.ConfirmationUnclear
		ctx, cancel := context.WithCancel(call.ctx)
		call.Confirmer.Confirm(ctx, question, func(answer domain.ConfirmationAnswer) { came = answer })
		synctest.Wait()

		d.connect(bob).post(`{"jsonrpc":"2.0","id":1,"result":` + yes + `}`)
		synctest.Wait()
		Expect(came).To(Equal(domain.ConfirmationUnclear))
		cancel()
		synctest.Wait()

		Expect(came).To(Equal(domain.ConfirmationWithdrawn))
		d.Close()
	}))
})
