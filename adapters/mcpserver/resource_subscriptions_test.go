package mcpserver_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Subscriptions of a host of 2026-07-28 to resources", func() {
	var w *workbench
	var asked []string
	var replies []ports.Reply
	BeforeEach(func() {
		w, asked, replies = newWorkbench(), nil, nil
		words := map[ports.ResourcePurpose]string{ports.SubscribeResource: "subscribe ", ports.UnsubscribeResource: "unsubscribe "}
		w.resource = func(uri string, _ ports.Message, reply ports.Reply) {
			asked = append(asked, words[w.lastPurpose()]+uri)
			replies = append(replies, reply)
		}
	})
	listen := func(id string) string {
		return modern(id, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["a"]}`)
	}
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	// succeed answers the last request.
	succeed := func(c *conversation) {
		c.hears(func() { replies[len(replies)-1](ports.Answer{Result: json.RawMessage("{}")}, nil) })
	}

	It("are passed on to servers, as is the end of the last one", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		succeed(c)
		c.send(listen("2"))
		succeed(c)

		c.send(cancel("1"))
		Expect(asked).To(Equal([]string{"subscribe a", "subscribe a"}))
		c.send(cancel("2"))
		Expect(asked).To(Equal([]string{"subscribe a", "subscribe a", "unsubscribe a"}))
		succeed(c)
		c.send(listen("3"))
		Expect(asked).To(HaveLen(4))
	}))

	It("are at most a thousand, with at most 8 KiB each, and no more are acknowledged", Label("TG04"), spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		listenTo := func(id string, uris ...string) []string {
			return c.send(modern(id, "subscriptions/listen", `"notifications":{"resourceSubscriptions":["`+strings.Join(uris, `","`)+`"]}`))
		}
		var many []string
		for i := range 3000 {
			many = append(many, strconv.Itoa(i))
		}

		heard := listenTo("1", append([]string{strings.Repeat("a", 8<<10+1)}, many...)...)
		Expect(asked).To(HaveLen(1000))
		Expect(heard[0]).To(And(ContainSubstring(`["0","1",`), HaveSuffix(`"998","999"]}}}`)))
		Expect(listenTo("2", "b")[0]).NotTo(ContainSubstring("resourceSubscriptions"))
		Expect(asked).To(HaveLen(1000))

		c.send(cancel("1"))
		Expect(listenTo("3", "b")[0]).To(ContainSubstring(`"resourceSubscriptions":["b"]`))
	}))

	It("are passed on one after the other", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		c.send(cancel("1"))
		c.send(listen("2"))
		c.send(cancel("2"))
		Expect(asked).To(Equal([]string{"subscribe a"}))

		succeed(c)
		Expect(asked).To(Equal([]string{"subscribe a", "unsubscribe a"}))
		c.send(listen("3"))
		Expect(asked).To(HaveLen(2))
		succeed(c)
		Expect(asked).To(Equal([]string{"subscribe a", "unsubscribe a", "subscribe a"}))
	}))

	It("do not end at servers where they never began", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		c.hears(func() { replies[0](ports.Answer{}, domain.ErrResourceNotFound) })

		c.send(cancel("1"))

		Expect(asked).To(Equal([]string{"subscribe a"}))
	}))

	It("are not ended one by one when the conversation ends", spec.InBubble(func(t *testing.T) {
		c := w.begin(t)
		c.send(listen("1"))
		succeed(c)

		c.hears(c.end)

		Expect(asked).To(Equal([]string{"subscribe a"}))
	}))
})
