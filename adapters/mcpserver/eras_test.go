package mcpserver_test

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("Speaking both eras of the protocol", Label("U03"), func() {
	const declared = `"capabilities":{"completions":{},"logging":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true}}`
	const versions = `["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`
	instructions := quote("No toolboxes configured.\n\nTo configure toolboxes, add them to your workbench-config.json file.\nSee documentation for configuration format.")
	icon, err := os.ReadFile("icon.svg")
	described := `{"name":"mcp-workbench","title":"MCP Workbench","version":"1.2.3","icons":[{"src":"data:image/svg+xml;base64,` +
		base64.StdEncoding.EncodeToString(icon) + `","mimeType":"image/svg+xml","sizes":["any"]}]}`
	var w *workbench
	BeforeEach(func() {
		Expect(err).NotTo(HaveOccurred())
		w = newWorkbench()
	})

	DescribeTable("answers a handshake with",
		func(asked, agreed string) {
			Expect(w.answer(request("1", "initialize", asked))).To(Equal(resultLine("1", `{"protocolVersion":"`+agreed+`",`+declared+
				`,"serverInfo":`+described+`,"instructions":`+instructions+`}`)))
		},
		Entry("the first version", `{"protocolVersion":"2024-11-05"}`, "2024-11-05"),
		Entry("2025-03-26", `{"protocolVersion":"2025-03-26"}`, "2025-03-26"),
		Entry("2025-06-18", `{"protocolVersion":"2025-06-18"}`, "2025-06-18"),
		Entry("the last version that has a handshake", `{"protocolVersion":"2025-11-25"}`, "2025-11-25"),
		Entry("the version that has none, offering the last that has", `{"protocolVersion":"2026-07-28"}`, "2025-11-25"),
		Entry("an unknown version", `{"protocolVersion":"1999-01-01"}`, "2025-11-25"),
		Entry("a number for a version", `{"protocolVersion":7}`, "2025-11-25"),
		Entry("no version", `{}`, "2025-11-25"),
	)

	It("answers server/discover for hosts without a handshake", func() {
		Expect(w.answer(modern("1", "server/discover", ""))).To(Equal(resultLine("1",
			`{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":`+described+`},`+
				`"ttlMs":0,"cacheScope":"private","supportedVersions":`+versions+`,`+declared+`,"instructions":`+instructions+`}`)))
	})

	It("declares the extensions that it passes on", func() {
		w.toolboxes = fakeInstructions{{Name: "dev", Servers: []domain.Server{{ID: domain.ServerID{Toolbox: "dev", Server: "files"}}}}}
		w.registered = mcpserver.NewRegistered(nil, &fakeRegistry{pages: true})
		w.limits.Skills = true
		const extensions = `"capabilities":{"extensions":{"io.modelcontextprotocol/skills":{},"io.modelcontextprotocol/tasks":{}}}`
		const passed = `"extensions":{"io.modelcontextprotocol/ui":{},"io.modelcontextprotocol/skills":{"directoryRead":true}`
		with := func(more string) string {
			return strings.Replace(declared, `"completions"`, passed+more+`},"completions"`, 1)
		}

		Expect(w.answer(request("1", "initialize", "{"+extensions+"}"))).To(ContainSubstring("," + with("") + ","))
		discover := strings.Replace(modern("1", "server/discover", ""), `clientCapabilities":{}`, `clientCapabilities":`+strings.TrimPrefix(extensions, `"capabilities":`), 1)
		Expect(w.answer(discover)).To(ContainSubstring("," + with(`,"io.modelcontextprotocol/tasks":{}`) + ","))
	})

	It("refuses an unknown version in text that is not escaped for HTML", func() {
		line := strings.Replace(modern("1", "ping", ""), "2026-07-28", "2027 <&\u2028>", 1)

		Expect(w.answer(line)).To(Equal(`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version: 2027 <&` + "\u2028" +
			`>","data":{"supported":` + versions + `,"requested":"2027 <&` + "\u2028" + `>"}}}`))
	})

	DescribeTable("starts servers early once for a host, as soon as its capabilities are known",
		func(lines []string, wanted ...string) {
			w.converse(lines...)

			Expect(w.heard()).To(HaveExactElements(wanted))
		},
		Entry("after its handshake", []string{
			request("1", "initialize", "{}"), request("2", "tools/list", "{}"),
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		}, "start of servers"),
		Entry("when it asks what the workbench is", []string{modern("1", "server/discover", ""), modern("2", "tools/list", "")}, "start of servers"),
		Entry("when it lists the tools", []string{modern("1", "tools/list", "")}, "start of servers"),
		Entry("never without a handshake", []string{request("1", "tools/list", "{}"), `{"jsonrpc":"2.0","method":"notifications/initialized"}`}),
		Entry("not by its handshake alone", []string{request("1", "initialize", "{}")}),
	)

	It("shows the toolboxes byte for byte, without escapes for HTML", func() {
		w.toolboxes = fakeInstructions{{Name: "dev", Description: "Some <tools> & more"}}

		Expect(w.answer(request("1", "initialize", "{}"))).To(ContainSubstring("**dev** (0 servers): Some <tools> & more"))
	})

	It("marks results for hosts of 2026-07-28 as complete, and only theirs", func() {
		w.use = result(`{"content":[]}`)
		call := `"name":"use_tool","arguments":` + read

		Expect(w.converse(request("1", "tools/call", "{"+call+"}"), modern("2", "tools/call", call))).To(Equal([]string{
			resultLine("1", `{"content":[]}`), resultLine("2", `{"resultType":"complete","content":[]}`),
		}))
	})

	DescribeTable("keeps results of servers for hosts of 2026-07-28 unchanged",
		func(raw, shown string) {
			w.use = result(raw)

			Expect(w.answer(modern("1", "tools/call", `"name":"use_tool","arguments":`+read))).To(Equal(resultLine("1", shown)))
		},
		Entry("that say their type", `{"a":1, "resultType":"input_required"}`, `{"a":1, "resultType":"input_required"}`),
		Entry("that are empty", `{}`, `{"resultType":"complete"}`),
		Entry("that are not objects", `[1]`, `[1]`),
		Entry("except for the mark in front", `{ "a":1}`, `{"resultType":"complete", "a":1}`),
	)

	DescribeTable("knows which methods each era has",
		func(method string, legacy, modernEra bool) {
			refused := errorLine("1", -32601, "Method "+method+" needs protocol version 2026-07-28")
			if legacy {
				Expect(w.answer(request("1", method, "{}"))).NotTo(ContainSubstring("-32601"))
			} else {
				Expect(w.answer(request("1", method, "{}"))).To(Equal(refused))
			}
			if modernEra {
				Expect(w.answer(modern("1", method, ""))).NotTo(ContainSubstring("-32601"))
			} else {
				Expect(w.answer(modern("1", method, ""))).To(Equal(
					errorLine("1", -32601, "Method "+method+" was removed in protocol version 2026-07-28")))
			}
		},
		Entry("initialize", "initialize", true, false),
		Entry("ping", "ping", true, false),
		Entry("server/discover", "server/discover", false, true),
		Entry("logging/setLevel", "logging/setLevel", true, false),
		Entry("resources/list", "resources/list", true, true),
		Entry("resources/templates/list", "resources/templates/list", true, true),
		Entry("resources/read", "resources/read", true, true),
		Entry("resources/subscribe", "resources/subscribe", true, false),
		Entry("resources/unsubscribe", "resources/unsubscribe", true, false),
		Entry("prompts/list", "prompts/list", true, true),
		Entry("prompts/get", "prompts/get", true, true),
		Entry("completion/complete", "completion/complete", true, true),
		Entry("tasks/get", "tasks/get", true, true),
		Entry("tasks/result", "tasks/result", true, true),
		Entry("tasks/cancel", "tasks/cancel", true, true),
		Entry("tools/list", "tools/list", true, true),
		Entry("tools/call", "tools/call", true, true),
	)

	It("knows no other method, in neither era", func() {
		for _, method := range []string{"prompts/remove", "Ping", "tools/List", "notifications/initialized", "x"} {
			unknown := errorLine("1", -32601, "Method "+method+" not found")
			Expect(w.answer(request("1", method, ""))).To(Equal(unknown))
			Expect(w.answer(modern("1", method, ""))).To(Equal(unknown))
		}
	})

	It("lets hosts mix the eras on one connection", func() {
		Expect(w.converse(initialize("{}"), modern("1", "tools/list", ""), request("2", "ping", ""), modern("3", "ping", ""))).To(HaveExactElements(
			HavePrefix(`{"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":"2025-11-25"`),
			HavePrefix(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"`),
			Equal(resultLine("2", "{}")),
			HavePrefix(`{"jsonrpc":"2.0","id":3,"error":{"code":-32601`),
		))
	})

	It("does not insist on a handshake", func() {
		Expect(w.answer(request("1", "ping", ""))).To(Equal(resultLine("1", "{}")))
		Expect(w.converse(initialize("{}"), request("1", "initialize", "{}"))).To(HaveLen(2))
	})

	It("tells a host of a future version which versions it can use", func() {
		later := request("1", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}`)

		Expect(w.answer(later)).To(Equal(`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,` +
			`"message":"Unsupported protocol version: 2027-01-01","data":{"supported":` + versions + `,"requested":"2027-01-01"}}}`))
	})

	DescribeTable("requires a host of 2026-07-28 to send its capabilities",
		func(capabilities string) {
			Expect(w.answer(request("1", "tools/list", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"`+capabilities+`}}`))).To(Equal(
				errorLine("1", -32602, "missing or invalid _meta field io.modelcontextprotocol/clientCapabilities")))
		},
		Entry("not nothing", ``),
		Entry("not null", `,"io.modelcontextprotocol/clientCapabilities":null`),
		Entry("not a list", `,"io.modelcontextprotocol/clientCapabilities":[]`),
	)

	DescribeTable("treats as a version before 2026-07-28",
		func(version string) {
			Expect(w.answer(request("1", "ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":`+version+`}}`))).To(Equal(resultLine("1", "{}")))
		},
		Entry("an older one", `"2025-11-25"`),
		Entry("a number", `7`),
		Entry("null", `null`),
	)
})

var _ = Describe("A host", func() {
	const info = `{"name":"cursor","version":"3.1"}`
	const capable = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

	DescribeTable("is known by its clientInfo", func(line string, known domain.HostInfo) {
		spec.Bubble(func(t *testing.T) {
			server := newWorkbench().server()
			Expect(server.Serve(t.Context(), strings.NewReader(line+"\n"), mcpserver.Output{Writer: &screen{}})).Error().NotTo(HaveOccurred())
			Expect(server.HostInfo()).To(Equal(known))
		})
	},
		Entry("in the handshake", request("1", "initialize", `{"clientInfo":`+info+`}`), domain.HostInfo{Name: "cursor", Version: "3.1"}),
		Entry("with a request of 2026-07-28",
			request("1", "tools/list", `{"_meta":{`+capable+`,"io.modelcontextprotocol/clientInfo":`+info+`}}`), domain.HostInfo{Name: "cursor", Version: "3.1"}),
		Entry("and not at all without one", request("1", "initialize", `{}`), domain.HostInfo{}),
		Entry("nor if its members are not strings", request("1", "initialize", `{"clientInfo":{"name":7,"version":{}}}`), domain.HostInfo{}),
	)
})
