package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The input of a host for a question of a server", Label("TQ01"), func() {
	const asks = `{"resultType":"input_required","requestState":"\u0073","inputRequests":{"a":{"method":"roots/list"}}}`
	var w *workbench
	var passed ports.Request
	BeforeEach(func() {
		w, passed = newWorkbench(), ports.Request{}
		w.find = findsReview
		w.get = func(_ context.Context, _ domain.PromptIdentifier, request ports.Request, reply ports.Reply) {
			passed = request
			reply(ports.Answer{Result: json.RawMessage(asks)}, nil)
		}
	})
	const continuation = `"inputResponses":{"a":{ }},"requestState":"s"`

	It("is passed on in its bytes, and refused without a question", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		continued := modern("1", "prompts/get", `"name":"p",`+continuation)
		Expect(c.send(continued)).To(HaveExactElements(ContainSubstring(`"code":-32602`)))
		Expect(passed.Params).To(BeNil())
		c.send(modern("1", "prompts/get", `"name":"p"`))

		c.send(continued)

		Expect(string(passed.Params)).To(Equal(`{"name":"code \"review\"",` + continuation + `}`))
	}))

	It("is refused after two thousand later questions, and not after eight hundred", Label("large"), spec.InBubble(func(t *testing.T) {
		w.resource = func(uri string, _ ports.Message, reply ports.Reply) {
			reply(ports.Answer{Result: json.RawMessage(`{"resultType":"input_required","requestState":` + quote(uri) + `}`)}, nil)
		}
		c := w.begin(t)
		ask := func(i int, more string) string {
			lines := c.send(modern("1", "resources/read", fmt.Sprintf(`"uri":"file:///%d"%s`, i, more)))
			Expect(lines).To(HaveLen(1))
			return lines[0]
		}
		for i := range 2_800 {
			ask(i, "")
		}

		Expect(ask(2_001, `,"requestState":"file:///2001"`)).To(ContainSubstring("input_required"))
		Expect(ask(799, `,"requestState":"file:///799"`)).To(ContainSubstring(`"code":-32602`))
	}))
})
