package mcpserver_test

import (
	"context"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("A change of prompts", func() {
	const changed = `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	change := func(server domain.ServerID) {
		w.host.Notify(server, ports.Notification{Method: "notifications/prompts/list_changed", Params: []byte(`{"_meta":{"x":1}}`)})
	}
	// during calls f while a toolbox is being opened.
	during := func(f func()) {
		w.open = func(context.Context, domain.ToolboxName) (domain.OpenedToolbox, error) {
			f()
			return domain.OpenedToolbox{Toolbox: domain.Toolbox{Name: "dev"}}, nil
		}
	}
	open := request("1", "tools/call", `{"name":"open_toolbox","arguments":{"toolbox":"dev"}}`)

	It("is reported to a host with a handshake immediately", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.hears(func() { change(files) })).To(Equal([]string{changed}))
	}))

	It("is reported once, after the answer that opens their toolbox", spec.InBubble(func(t *testing.T) {
		during(func() { change(files); change(files) })
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.send(open)).To(HaveExactElements(HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`), Equal(changed)))
		during(func() {})
		Expect(c.send(open)).To(HaveLen(1))
	}))

	It("does not wait for the answer about another toolbox", spec.InBubble(func(t *testing.T) {
		during(func() { change(domain.ServerID{Toolbox: "ops", Server: "files"}) })
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.send(open)).To(HaveExactElements(Equal(changed), HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`)))
	}))

	It("is reported beside the change of tools, after the answer that closes their toolbox", spec.InBubble(func(t *testing.T) {
		w.registered = mcpserver.NewRegistered(closing(func() { change(files); w.host.ToolsChanged("dev") }), &fakeRegistry{})
		c := w.begin(t)
		c.send(initialize("{}"))

		Expect(c.send(request("1", "tools/call", `{"name":"close_toolbox","arguments":{"toolbox":"dev"}}`))).To(HaveExactElements(
			HavePrefix(`{"jsonrpc":"2.0","id":1,"result":`), ContainSubstring("notifications/tools/list_changed"), Equal(changed)))
	}))

	It("is reported only to a host of 2026-07-28 that listens for it", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		const meta = `"_meta":{"io.modelcontextprotocol/subscriptionId":1}`
		Expect(c.hears(func() { change(files) })).To(BeEmpty())
		Expect(c.send(modern("1", "subscriptions/listen", `"notifications":{"promptsListChanged":true}`))).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{` + meta + `,"notifications":{"promptsListChanged":true}}}`,
		}))
		c.send(modern("2", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`))

		Expect(c.hears(func() { change(files) })).To(Equal([]string{
			`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{` + meta + `}}`,
		}))
	}))
})

// closing closes toolboxes and does something meanwhile.
type closing func()

func (f closing) CloseToolbox(_ context.Context, toolbox domain.ToolboxName) (domain.ClosedToolbox, error) {
	f()
	return domain.ClosedToolbox{Toolbox: toolbox}, nil
}
