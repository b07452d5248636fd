package mcpserver_test

import (
	"context"
	"fmt"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/ports"
)

var _ = Describe("Arguments as hosts send them", Label("S25"), func() {
	var w *workbench
	BeforeEach(func() { w = newWorkbench() })
	readTool := domain.ToolIdentifier{Toolbox: "dev", Server: "files", Tool: "read"}

	DescribeTable("are taken as objects when they are the text of one", func(arguments string) {
		w.converse(useTool("1", arguments))

		Expect(w.calls()).To(Equal([]usedTool{{tool: readTool, arguments: `{"path":"/tmp","n":9007199254740993}`}}))
	},
		Entry("the tool's arguments", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":"{\"path\":\"/tmp\",\"n\":9007199254740993}"}`),
		Entry("the tool", `{"tool":"{\"toolbox\":\"dev\",\"server\":\"files\",\"tool\":\"read\"}","arguments":{"path":"/tmp","n":9007199254740993}}`),
		Entry("both", `{"tool":" {\"toolbox\":\"dev\",\"server\":\"files\",\"tool\":\"r\\u0065ad\"}\n","arguments":"\t{\"path\":\"/tmp\",\"n\":9007199254740993}\r\n"}`),
		Entry("all of them", `"{\"tool\":{\"toolbox\":\"dev\",\"server\":\"files\",\"tool\":\"read\"},\"arguments\":{\"path\":\"/tmp\",\"n\":9007199254740993}}"`),
	)

	It("are not taken for one line when their text has several", func() {
		known := map[string]bool{}
		w.use = func(_ context.Context, _ domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
			known[string(call.Arguments)] = call.Reading.Clean(call.Arguments)
			reply(ports.Answer{Result: []byte(`{}`)}, nil)
		}

		w.converse(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":"{\n\"a\":1}"}`),
			useTool("2", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":{"b":1}}`))

		Expect(known).To(Equal(map[string]bool{"{\n\"a\":1}": false, `{"b":1}`: true}))
	})

	DescribeTable("are refused when they are another text", func(arguments, text string) {
		Expect(w.answer(useTool("1", arguments))).To(Equal(failedLine("1", "Invalid parameters: "+text)))
		Expect(w.calls()).To(BeEmpty())
	},
		Entry("no JSON", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"path=/tmp"}`, "arguments must be an object"),
		Entry("the JSON of a list", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"[]"}`, "arguments must be an object"),
		Entry("a part of an object", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"{\"a\":1"}`, "arguments must be an object"),
		Entry("two objects", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"{} {}"}`, "arguments must be an object"),
		Entry("a line end in a string of it", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"{\"a\":\"\n\"}"}`, "arguments must be an object"),
		Entry("the text of a text", `{"tool":{"toolbox":"d","server":"s","tool":"t"},"arguments":"\"{}\""}`, "arguments must be an object"),
		Entry("a name for the tool", `{"tool":"d/s/t"}`, "tool must be an object with toolbox, server and tool"),
		Entry("a key twice in the text of the tool", `{"tool":"{\"toolbox\":\"d\",\"server\":\"s\",\"tool\":\"t\",\"tool\":\"u\"}"}`, "Duplicate key: 'tool'"),
		Entry("another key in the text of the tool", `{"tool":"{\"toolbox\":\"d\",\"server\":\"s\",\"tool\":\"t\",\"x\":1}"}`, "Unrecognized key: 'x'"),
	)

	It("are those of a registered tool too", func() {
		registry := &fakeRegistry{}
		registry.register("read", `{"name":"read"}`)
		w.registered = mcpserver.NewRegistered(registry, registry)

		w.converse(request("1", "tools/call", `{"name":"dev__files_read","arguments":"{\"path\":\"{}\"}"}`))

		Expect(w.calls()).To(Equal([]usedTool{{tool: readTool, arguments: `{"path":"{}"}`}}))
		Expect(w.answer(request("2", "tools/call", `{"name":"dev__files_read","arguments":"x"}`))).To(Equal(
			failedLine("2", "Invalid parameters: arguments must be an object")))
	})

	It("have names of tools as the text of a list", func() {
		w.toolboxes = fakeInstructions{{Name: "dev"}}
		w.settings = definitions.Settings{Default: definitions.Names}

		Expect(w.answer(openToolbox("1", `{"toolbox":"dev","tools":"[\"a\"]"}`))).NotTo(ContainSubstring("isError"))
		Expect(w.answer(openToolbox("2", `{"toolbox":"dev","tools":"[\"a\""}`))).To(Equal(failedLine("2", "Invalid parameters: tools must be a list of strings")))
	})

	for _, key := range []string{"wait_for_previous", "task_progress", "toolCallId", "sessionId", "chatInput", "action", "_meta"} {
		It("may have "+key+", which hosts add to every call", func() {
			added := fmt.Sprintf(`,%q:{"any":[1]},%q:true}`, key, key)

			w.converse(useTool("1", `{"tool":{"toolbox":"dev","server":"files","tool":"read"},"arguments":{"a":1}`+added))

			Expect(w.calls()).To(Equal([]usedTool{{tool: readTool, arguments: `{"a":1}`}}))
			Expect(w.answer(openToolbox("2", `{"toolbox":"dev"`+added))).To(ContainSubstring(`{\"toolbox\":\"dev\"`))
		})
	}

	It("have no other key, and none of these in the tool", func() {
		Expect(w.answer(openToolbox("1", `{"toolbox":"dev","task_progress":"","extra_field":1}`))).To(Equal(
			failedLine("1", "Invalid parameters: Unrecognized key: 'extra_field'")))
		Expect(w.answer(useTool("2", `{"tool":{"toolbox":"d","server":"s","tool":"t","action":"x"}}`))).To(Equal(
			failedLine("2", "Invalid parameters: Unrecognized key: 'action'")))
	})
})
