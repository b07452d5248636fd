package faults_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// hostile are JSON values that encoders change; they must arrive byte for byte.
const hostile = `{"big":9007199254740993,"huge":123456789012345678901234567890,"range":1e400,"tiny":-1E-400,` +
	`"zero":-0.0,"digits":1.10,"html":"<b>&'</b>","separators":"` + "\u2028\u2029" + `","escapes":"\u003c\/\u00e9\ud83d\ude00\u0000",` +
	`"same":1,"same":2,"":null,"nested":[[[{"a":[]}]],{}],"control":"\t\n","unicode":"é語🧰` + "\ufeff" + `",` +
	`"half":"\ud800", "space" : [ 1 ,  2 ]	,"key<>&":true}`

var _ = Describe("Losing nothing", func() {
	results := []TableEntry{
		Entry("a text", script.Text("hello")),
		Entry("an empty list of contents", `{"content":[]}`),
		Entry("no content at all", `{}`),
		Entry("structured content only", `{"structuredContent":{"a":[1,2,3]}}`),
		Entry("structured content that is not an object", `{"content":[],"structuredContent":[9007199254740993]}`),
		Entry("null for content", `{"content":null}`),
		Entry("contents of every kind", `{"content":[{"type":"text","text":"t","annotations":{"audience":["user"],"priority":0.10}},`+
			`{"type":"image","data":"AAAA","mimeType":"image/png"},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},`+
			`{"type":"resource","resource":{"uri":"x:1","blob":"AAAA"}},{"type":"resource_link","uri":"x:2","name":"n"}]}`),
		Entry("contents of an unknown kind", `{"content":[{"type":"hologram","data":{"x":1e400}},{"kind":7},null,"text"]}`),
		Entry("unknown members, on every level",
			`{"x":1,"content":[{"y":2,"type":"text","text":"t","_meta":{"z":3}}],"_meta":{"a/b":{}},"w":{"v":[]}}`),
		Entry("a failure of the tool", `{"content":[{"type":"text","text":"no such file"}],"isError":true,"extra":1}`),
		Entry("what encoders change", `{"content":[],"structuredContent":`+hostile+`,"_meta":`+hostile+`}`),
		Entry("members twice", `{"content":[],"content":[{"type":"text","text":"two"}]}`),
		Entry("space everywhere", `{ "content" :	[ ] , "isError" : false }`),
		Entry("an incomplete result",
			`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}}},"requestState":"s"}`),
		Entry("a result that is not an object", `[1,"two"]`),
		Entry("null", `null`),
		Entry("a text of 64 kilobytes", Label("W04"), script.Text(strings.Repeat("0123456789abcdef", 4<<10))),
		Entry("a text of ten megabytes", Label("W04"), script.Text(strings.Repeat("0123456789abcdef", 10<<16))),
		Entry("a text of just under the usual limit", Label("W04", "large"), script.Text(strings.Repeat("0123456789abcdef", 32<<16-64))),
	}
	serve := func(s script.Script) *Workbench {
		GinkgoHelper()
		w := Serve(InDev(Scripted("files", s)))
		w.Open("dev")
		return w
	}

	DescribeTable("passes the bytes of a result on to the host", Label("S10"), func(result string) {
		s := WithTools("t")
		s.Rules = []script.Rule{script.Answer("t", result)}
		w := serve(s)

		id := w.BeginUse("dev", "files", "t", "{}")

		Expect(w.Await(id).Line).To(Equal(`{"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}`))
	}, results)

	DescribeTable("passes the bytes of an error on to the host", Label("S10"), func(failure string) {
		s := WithTools("t")
		s.Rules = []script.Rule{{Method: "tools/call", Do: []script.Step{{Error: failure}}}}
		w := serve(s)

		id := w.BeginUse("dev", "files", "t", "{}")

		Expect(w.Await(id).Line).To(Equal(`{"jsonrpc":"2.0","id":` + id + `,"error":` + failure + `}`))
		ofModern := w.RequestModern("tools/call", `"name":"use_tool","arguments":`+UseArguments("dev", "files", "t", "{}"))
		Expect(string(ofModern.Error)).To(Equal(failure))
	},
		Entry("a code and a message", `{"code":-32602,"message":"bad argument"}`),
		Entry("a code of the server's own", `{"code":7,"message":"seven","data":null,"x":1}`),
		Entry("that the host lacks a capability", `{"code":-32021,"message":"no roots","data":{"requiredCapabilities":{"roots":{}}}}`),
		Entry("that the user has to log in", `{"code":-32042,"message":"log in","data":{"x":1.0}}`),
		Entry("an error that is not an object", `"just a text"`),
	)

	DescribeTable("shows the bytes of a definition", func(definition string) {
		s := script.Script{Tools: []string{definition}}
		w := Serve(InDev(Scripted("files", s)))

		// A warning about invisible characters follows the definition.
		Expect(w.Open("dev").JSON).To(HavePrefix(`{"toolbox":"dev","description":"","servers_connected":1,"tools":[` +
			Shown(definition, "files", "dev") + "\n]"))
	},
		Entry("a name only", `{"name":"t"}`),
		Entry("every member that the protocol has", `{"name":"t","title":"T","description":"d","inputSchema":{"type":"object"},`+
			`"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"execution":{"taskSupport":"optional"},"_meta":{"a":1}}`),
		Entry("unknown members", `{"x":{"y":[]},"name":"t","z":1e400}`),
		Entry("a schema that encoders change", `{"name":"t","inputSchema":{"type":"object","default":`+hostile+`}}`),
		Entry("a name with escapes", `{"name":"\u0061\/b","description":"\u003cd\u003e"}`),
	)

	It("turns invalid bytes from a server into valid text, and affects no other call", Label("W07"), func() {
		s := WithTools("broken", "whole")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "broken", Do: []script.Step{
				{Raw: `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"half":"\ud800 \udfff","x":"b`}, {Bytes: []byte{0xff, 0xc3}}, {Raw: "c\"}}\n"},
			}},
			script.Answer("whole", script.Text("done")),
		}
		w := serve(s)

		broken, whole := w.BeginUse("dev", "files", "broken", "{}"), w.BeginUse("dev", "files", "whole", "{}")

		Expect(string(w.Await(broken).Result)).To(MatchRegexp(`^{"content":\[\],"half":"\\ud800 \\udfff","x":"b\x{fffd}+c"}$`))
		Expect(w.Await(whole).Text()).To(Equal("done"))
	})

	It("turns invalid bytes from a host into valid text", Label("W07"), func() {
		s := WithTools("t")
		s.Rules = []script.Rule{script.Answer("t", `{"content":[],"x":${arguments}}`)}
		w := serve(s)

		id := w.BeginUse("dev", "files", "t", "{\"a\":\"b\xffc\"}")

		Expect(w.Await(id).Line).To(Equal(`{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[],"x":{"a":"b` + "\ufffd" + `c"}}}`))
	})
})
