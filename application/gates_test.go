package application_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A rule about calls", func() {
	It("is asked once for a call, or once for each listing of its tool, however often the call is tried", spec.InBubble(func(t *testing.T) {
		w, person := start(t, confirmingToolbox("wr*")), &fakeUser{}
		ofCall, ofTool := 0, 0
		w.gates.AddRule(false, func() { ofCall++ })
		w.gates.AddRule(true, func() { ofTool++ })
		w.opens("dev")

		received := w.useAs(person, "write", `{"a":1}`)
		synctest.Wait()
		Expect([]int{ofCall, ofTool}).To(Equal([]int{1, 1}), "it waits for its yes")

		w.server("files").sayToolsChanged()
		w.server("files").die()
		w.server("files").startup = 10 * time.Second
		person.question(1, 1).answer(domain.ConfirmedOnce)
		time.Sleep(time.Minute)
		synctest.Wait()
		Expect(received.result()).To(Equal(`"write"`))
		Expect([]int{ofCall, ofTool}).To(Equal([]int{1, 2}), "the server that started again listed its tools")

		Expect(w.useAs(nil, "read", `{}`).result()).To(Equal(`"read"`))
		Expect([]int{ofCall, ofTool}).To(Equal([]int{2, 3}))
	}))

	It("costs a call that is made at once no memory", func() {
		spec.Bubble(func(t *testing.T) {
			w := start(t, toolbox("dev", "files"))
			w.opens("dev")
			w.server("files").calls = func(_ ports.ToolCall, reply ports.Reply) { reply(ports.Answer{}, nil) }
			use := func() float64 {
				return testing.AllocsPerRun(100, func() {
					w.user.UseTool(t.Context(), domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"},
						ports.ToolCall{Arguments: json.RawMessage(`{}`)}, func(ports.Answer, error) {})
				})
			}
			with := use()
			for range 3 {
				w.gates.AddRule(true, func() {})
			}
			Expect(use()).To(Equal(with))
		})
	})
})
