package faults_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Receiving malformed messages", func() {
	const (
		syntax  = -32700
		request = -32600
		params  = -32602
	)
	var w *Workbench
	start := func() *Workbench {
		GinkgoHelper()
		return Start(Launch{
			Config: Configuration(InDev(Scripted("files", WithTools("read")))),
		})
	}
	BeforeEach(func() { w = start() })

	// malformed are lines, each with the code and the id of its answer. adapters/mcpserver has a spec for more.
	malformed := []struct {
		what, line string
		code       int
		id         string
	}{
		{"words", `hello`, syntax, "null"},
		{"half a message", `{"jsonrpc":"2.0","id":1,"method":"pi`, syntax, "null"},
		{"a zero byte", "\x00", syntax, "null"},
		{"lists without an end", strings.Repeat(`[`, 20_000), syntax, "null"},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, request, "null"},
		{"an empty object", `{}`, request, "null"},
		{"another version", `{"jsonrpc":"1.0","id":"v","method":"ping"}`, request, `"v"`},
		{"an object for an id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, request, "null"},
		{"a list for params", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, params, "1"},
		{"a byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, syntax, "null"},
	}

	It("answers each with its error and continues", Label("U01"), func() {
		for _, m := range malformed {
			w.Send(m.line)

			answer := w.Next()
			Expect(answer.Code()).To(Equal(m.code), m.what)
			Expect(string(answer.ID)).To(Equal(m.id), m.what)
		}
		Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
	})

	It("survives ten thousand of them and a huge one", Label("U01", "large"), func() {
		ahead := 10_000 // lines that are sent before their answers are read
		if OverHTTP() {
			ahead = 1 // answers come in any order, and no two requests under way may have the same id
		}
		unanswered := make(chan struct{}, ahead)
		go func() {
			defer GinkgoRecover()
			for i := range 10_000 {
				unanswered <- struct{}{}
				w.Send(malformed[i%len(malformed)].line)
			}
			unanswered <- struct{}{}
			w.Send(`{"id":1,"method":"` + strings.Repeat("x", 40<<20) + `"}`)
		}()
		for i := range 10_000 {
			m, answer := malformed[i%len(malformed)], w.Next()
			Expect(answer.Code()).To(Equal(m.code), m.what)
			Expect(string(answer.ID)).To(Equal(m.id), m.what)
			<-unanswered
		}
		Expect(w.Next().Code()).To(Equal(request), "a message of 40 MiB")

		w.Open("dev")
		Expect(w.Use("dev", "files", "read", "{}").Text()).To(Equal("done"))
	})

	DescribeTable("refuses a message over the limit, with its id", Label("U01"), func(head, tail, id string) {
		if OverHTTP() {
			id = "null" // the head says how long the message is, and the body is not read
		}
		w.Send(head + strings.Repeat("x", 33<<20) + tail)

		answer := w.Next()
		Expect(answer.Code()).To(Equal(request))
		Expect(string(answer.ID)).To(Equal(id))
		Expect(string(answer.Error)).To(ContainSubstring("limits.messageSize"))
		Expect(w.Open("dev").Names()).To(Equal([]string{"read"}))
	},
		Entry("at the front", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping","params":{"a":"`, `"}}`, "9007199254740993"),
		Entry("at the end", `{"jsonrpc":"2.0","method":"ping","params":{"a":"`, `"},"id":"late"}`, `"late"`),
		Entry("nowhere to be seen", `{"params":{"a":"`, `"},"id":1,"x":2}`, "null"),
	)

	It("reads messages with their length in front, as in LSP, and answers in the same way", Label("U08"), func() {
		frame := func(message string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message) }

		outcome := Run(Launch{
			Config: Configuration(InDev(Scripted("files", WithTools("read")))),
			Input:  frame(`{"jsonrpc":"2.0","id":1,"method":"ping"}`) + frame("{\n\"jsonrpc\":\"2.0\",\n\"id\":2,\"method\":\"ping\"}"),
		})

		Expect(outcome.Stdout).To(Equal(frame(`{"jsonrpc":"2.0","id":1,"result":{}}`) + frame(`{"jsonrpc":"2.0","id":2,"result":{}}`)))
	})
})
