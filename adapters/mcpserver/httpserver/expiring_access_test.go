package httpserver_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/httpserver/access"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Access that expires", Label("T07"), func() {
	soon := func() access.Access { return access.Access{Identity: "ann", Until: time.Now().Add(time.Minute)} }
	expire := func() {
		time.Sleep(61 * time.Second)
		synctest.Wait()
	}

	It("ends the stream of a host older than 2026-07-28, which gets the rest with its next token", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		h := d.connect(soon())
		listening, calling := h.get(), h.use("2")

		expire()

		Expect(listening.isOver()).To(BeTrue())
		Expect(calling.isOver()).To(BeFalse(), "its result would be lost")
		d.host().host.Notify(files, ports.Notification{Method: mcp.MethodNotificationResourcesListChanged})
		d.host().last().answer(`{"late":1}`)
		Expect(calling.text()).To(ContainSubstring(`{"late":1}`))
		h.caller = soon()
		again := h.get()
		Expect(again.events()).To(HaveExactElements(ContainSubstring("list_changed")))
		again.cut()
	}))

	It("ends the stream on which a host of 2026-07-28 listens, and no call", spec.InBubble(func(*testing.T) {
		d := newTestHandler().open()
		caller := soon()
		body := request(`"s"`, "subscriptions/listen", `{"notifications":{"resourcesListChanged":true},"_meta":{"x":1`+modernMeta("a", "{}")+`}}`)
		listening := d.begin(caller, "POST", modernHeaders("subscriptions/listen", ""), body)
		calling := d.useModern(caller, "a", "1")
		Expect(listening.isOver()).To(BeFalse())

		expire()

		Expect(listening.isOver()).To(BeTrue())
		Expect(d.host().last().ctx.Err()).NotTo(HaveOccurred())
		d.host().last().answer(`{"late":1}`)
		Expect(calling.text()).To(ContainSubstring(`"late":1`))
	}))
})
