package opening_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Opening a toolbox with wrong arguments", func() {
	const empty = "Invalid parameters: toolbox cannot be empty"

	DescribeTable("says what is wrong", func(arguments, text string) {
		server := Scripted("files", WithTools("read"))
		w := Serve(
			NewToolbox("development", server), NewToolbox("production", server))

		Expect(w.Call("open_toolbox", arguments).Failure()).To(Equal(text))
		Expect(server.Received()).To(BeEmpty())
	},
		Entry("an unknown toolbox", `{"toolbox":"x"}`,
			"Error: Toolbox 'x' not found. Available toolboxes: development, production"),
		Entry("a toolbox of another case", `{"toolbox":"Development"}`,
			"Error: Toolbox 'Development' not found. Available toolboxes: development, production"),
		Entry("a name with space around it", `{"toolbox":" development "}`,
			"Error: Toolbox ' development ' not found. Available toolboxes: development, production"),
		Entry("no toolbox", `{}`, empty),
		Entry("null for arguments", `null`, empty),
		Entry("an empty name", `{"toolbox":""}`, empty),
		Entry("a blank name", `{"toolbox":" \t\n"}`, empty),
		Entry("a number", `{"toolbox":7}`, "Invalid parameters: toolbox must be a string"),
		Entry("null", `{"toolbox":null}`, "Invalid parameters: toolbox must be a string"),
		Entry("a list", `{"toolbox":["development"]}`, "Invalid parameters: toolbox must be a string"),
		Entry("an object", `{"toolbox":{"name":"development"}}`, "Invalid parameters: toolbox must be a string"),
		Entry("another key", `{"toolbox":"development","extra_field":1}`,
			"Invalid parameters: Unrecognized key: 'extra_field'"),
		Entry("other keys", `{"toolbox":"development","a":1,"b":{}}`,
			"Invalid parameters: Unrecognized keys: 'a', 'b'"),
		Entry("the old name of the key", `{"toolbox_name":"development"}`,
			empty+"; Unrecognized key: 'toolbox_name'"),
		Entry("two problems", `{"toolbox":1,"a":1,"b":1}`,
			"Invalid parameters: toolbox must be a string; Unrecognized keys: 'a', 'b'"),
		Entry("the key in another case", `{"Toolbox":"development"}`, empty+"; Unrecognized key: 'Toolbox'"),
		Entry("arguments that are a list", `["development"]`, "Invalid parameters: arguments must be an object"),
		Entry("arguments that are a text", `"development"`, "Invalid parameters: arguments must be an object"),
		Entry("the toolbox twice", `{"toolbox":"development","toolbox":"production"}`,
			"Invalid parameters: Duplicate key: 'toolbox'"),
	)

	It("treats absent arguments as an absent toolbox", func() {
		w := Serve()

		Expect(w.Request("tools/call", `{"name":"open_toolbox"}`).Failure()).To(Equal(empty))
	})

	It("says that there are no toolboxes", func() {
		w := Serve()

		Expect(w.Call("open_toolbox", `{"toolbox":"dev"}`).Failure()).To(
			Equal("Error: Toolbox 'dev' not found. Available toolboxes: none"))
	})
})
