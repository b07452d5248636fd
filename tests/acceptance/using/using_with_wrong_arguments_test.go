package using_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Using a tool that cannot be used", func() {
	const (
		notObject = "Invalid parameters: tool must be an object with toolbox, server and tool"
		arguments = "Invalid parameters: arguments must be an object"
		notThere  = "Error: Toolbox 'x' not found. Available toolboxes: development, production"
		closed    = "Error: Toolbox 'production' is not open. Call open_toolbox first."
		noServer  = "Server 'database' not found in toolbox 'development'"
	)
	empty := func(member string) string { return "Invalid tool identifier: " + member + " cannot be empty" }
	noTool := func(tool string) string {
		return "Tool '" + tool + "' not found in server 'files' (toolbox 'development')"
	}
	// use calls use_tool in a workbench that opened the toolbox development and not
	// the toolbox production, and returns the failure's first line and the rest.
	use := func(given string) (first, rest string) {
		GinkgoHelper()
		server := Scripted("files",
			WithTools("read_file", "write_file", "secret_file"), `"toolFilters": ["read_file", "write_file"]`)
		w := Serve(
			NewToolbox("development", server), NewToolbox("production", server))
		w.Open("development")

		first, rest, _ = strings.Cut(w.Call("use_tool", given).Failure(), "\n")

		Expect(server.ReceivedWith("tools/call")).To(BeEmpty(), "no server is called")
		return first, rest
	}

	DescribeTable("says why in its first line", Label("S11"), func(given, text string) {
		first, _ := use(given)

		Expect(first).To(Equal(text))
	},
		Entry("no tool", `{}`, notObject),

		Entry("an empty tool", `{"tool":{}}`, empty("toolbox")),
		Entry("a number", `{"tool":{"toolbox":"development","server":7,"tool":"read_file"}}`, empty("server")),
		Entry("a key in another case",
			Label("X06"), `{"tool":{"Toolbox":"development","server":"files","tool":"read_file"}}`, empty("toolbox")),

		Entry("another key beside the tool", `{"tool":{"toolbox":"development","server":"files","tool":"read_file"},"extra_field":1}`,
			"Invalid parameters: Unrecognized key: 'extra_field'"),
		Entry("a key twice", Label("X06"), `{"tool":{"toolbox":"development","server":"files","tool":"read_file","tool":"secret_file"}}`,
			"Invalid parameters: Duplicate key: 'tool'"),

		Entry("the name of the tool in another case beside it", Label("X06"),
			`{"tool":{"toolbox":"development","server":"files","tool":"read_file","Tool":"secret_file"}}`, "Invalid parameters: Unrecognized key: 'Tool'"),

		Entry("a list of arguments",
			Label("S09"), `{"tool":{"toolbox":"development","server":"files","tool":"read_file"},"arguments":[]}`, arguments),

		Entry("an unknown toolbox", UseArguments("x", "files", "read_file", "{}"), notThere),
		Entry("a toolbox that is not open", UseArguments("production", "files", "read_file", "{}"), closed),
		Entry("an unknown server", UseArguments("development", "database", "read_file", "{}"), noServer),
		Entry("an unknown tool", UseArguments("development", "files", "delete_all", "{}"), noTool("delete_all")),
		Entry("a tool that is filtered out",
			Label("X06"), UseArguments("development", "files", "secret_file", "{}"), noTool("secret_file")),
		Entry("a tool in another case", Label("X06"), UseArguments("development", "files", "READ_FILE", "{}"), noTool("READ_FILE")),
		Entry("a name with space around it", Label("X06"), UseArguments("development", "files", " read_file", "{}"), noTool(" read_file")),
	)
})
