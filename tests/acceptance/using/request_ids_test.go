package using_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Answering under the host's request ids", func() {
	DescribeTable("keeps the bytes of the id", func(id string) {
		w := Serve(InDev(Scripted("files", WithTools("read"))))
		w.Open("dev")

		w.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"use_tool","arguments":` +
			UseArguments("dev", "files", "read", "{}") + `}}`)

		Expect(w.Await(id).Line).To(Equal(`{"jsonrpc":"2.0","id":` + id + `,"result":` + script.Text("done") + `}`))
	},
		Entry("zero", `0`),
		Entry("a number beyond 2^53", `9007199254740993`),
		Entry("a text", `"request-1"`),
		Entry("a text with escapes", `"\u0061\/\"\n\ud83d\ude00"`),
	)

	It("distinguishes a number from a text of its digits", func() {
		directory := GinkgoT().TempDir()
		s := WithTools("one", "two")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "one", Background: true, Do: []script.Step{
				{AwaitFile: filepath.Join(directory, "two")}, {Result: script.Text("one")},
			}},
			{Method: "tools/call", Tool: "two", Do: []script.Step{
				{Touch: filepath.Join(directory, "two")}, {Result: script.Text("two")},
			}},
		}
		w := Serve(InDev(Scripted("files", s)))
		w.Open("dev")

		for id, tool := range map[string]string{`7`: "one", `"7"`: "two"} {
			w.Send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"use_tool","arguments":` +
				UseArguments("dev", "files", tool, "{}") + `}}`)
		}

		Expect(w.Await(`7`).Text()).To(Equal("one"))
		Expect(w.Await(`"7"`).Text()).To(Equal("two"))
	})

	It("refuses a second request with the id of a pending one, and answers the first", Label("U02"), func() {
		gate := filepath.Join(GinkgoT().TempDir(), "gate")
		s := WithTools("slow", "open the gate")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "slow", Background: true, Do: []script.Step{{AwaitFile: gate}, {Result: script.Text("first")}}},
			{Method: "tools/call", Do: []script.Step{{Touch: gate}, {Result: script.Text("open")}}},
		}
		w := Serve(InDev(Scripted("files", s)))
		w.Open("dev")
		line := `{"jsonrpc":"2.0","id":"same","method":"tools/call","params":{"name":"use_tool","arguments":` +
			UseArguments("dev", "files", "slow", "{}") + `}}`

		w.Send(line)
		w.Send(line)
		Expect(w.Await(`"same"`).Code()).To(Equal(-32600))
		w.Use("dev", "files", "open the gate", "{}")

		Eventually(func() []Message { return w.Answers(`"same"`) }).
			WithTimeout(Patience).Should(HaveLen(2))
		Expect(w.Answers(`"same"`)[1].Text()).To(Equal("first"))
	})
})
