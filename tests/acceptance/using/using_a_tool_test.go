package using_test

import (
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Using a tool", func() {
	It("returns the answer of its server", func() {
		s := WithTools("read")
		s.Rules = []script.Rule{script.Answer("read", `{"content":[{"type":"text","text":"hello"}],"isError":false}`)}
		server := Scripted("files", s)
		w := Serve(InDev(server))
		w.Open("dev")

		answer := w.Use("dev", "files", "read", `{"path":"/etc/hosts"}`)

		Expect(string(answer.Result)).To(Equal(`{"content":[{"type":"text","text":"hello"}],"isError":false}`))
		Expect(server.ReceivedWith("tools/call")).To(HaveExactElements(
			HaveSuffix(`"method":"tools/call","params":{"name":"read","arguments":{"path":"/etc/hosts"},"_meta":{"progressToken":1}}}` + "\n")))
	})

	It("reaches names in another normal form of Unicode, of which models know one only", Label("S05"), func() {
		const decomposed, composed = "cre\u0301er", "cr\u00e9er"
		w := Serve(NewToolbox(decomposed, Scripted("files", WithTools(decomposed))))

		Expect(w.Open(composed).Names()).To(Equal([]string{decomposed}))
		Expect(w.Use(composed, "files", composed, "{}").Text()).To(Equal("done"))
	})

	It("reaches the right server and toolbox when several have a tool of that name", Label("S05"), func() {
		answering := func(text string) Server {
			s := WithTools("t")
			s.Rules = []script.Rule{script.Answer("t", script.Text(text))}
			return Scripted(text, s)
		}
		east := NewToolbox("east", answering("a"), answering("b"))
		west := NewToolbox("west", answering("a"), answering("c"))
		w := Serve(east, west)
		w.Open("east")
		w.Open("west")

		Expect(w.Use("east", "a", "t", "{}").Text()).To(Equal("a"))
		Expect(w.Use("west", "c", "t", "{}").Text()).To(Equal("c"))
		Expect(w.Use("east", "b", "t", "{}").Text()).To(Equal("b"))
		Expect(w.Use("east", "c", "t", "{}").Failure()).To(HavePrefix("Server 'c' not found in toolbox 'east'"))
	})

	It("gives each of a thousand simultaneous calls an answer", Label("C03"), func() {
		s := WithTools("echo")
		s.Rules = []script.Rule{{Method: "tools/call", Background: true, Do: []script.Step{
			{Result: `{"content":[],"heard":${arguments}}`},
		}}}
		w := Serve(InDev(Scripted("files", s)))
		w.Open("dev")

		want := map[string]string{}
		for i := range 1000 {
			id := w.BeginUse("dev", "files", "echo", fmt.Sprintf(`{"n":%d}`, i))
			want[id] = fmt.Sprintf(`{"content":[],"heard":{"n":%d}}`, i)
		}

		for id, result := range want {
			Expect(string(w.Await(id).Result)).To(Equal(result))
		}
	})
})
