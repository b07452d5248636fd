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
		heard := server.Received()

		first, rest, _ = strings.Cut(w.Call("use_tool", given).Failure(), "\n")

		Expect(server.Received()).To(Equal(heard), "no server is contacted")
		return first, rest
	}

	DescribeTable("says why in its first line", Label("S11"), func(given, text string) {
		first, _ := use(given)

		Expect(first).To(Equal(text))
	},
		Entry("no tool", `{}`, notObject),
		Entry("null for arguments", `null`, notObject),
		Entry("null for the tool", `{"tool":null}`, notObject),
		Entry("a text for the tool", `{"tool":"read_file"}`, notObject),
		Entry("a list for the tool", `{"tool":["development","files","read_file"]}`, notObject),
		Entry("arguments that are a list", `[]`, arguments),

		Entry("an empty tool", `{"tool":{}}`, empty("toolbox")),
		Entry("no toolbox", `{"tool":{"server":"files","tool":"read_file"}}`, empty("toolbox")),
		Entry("no server", `{"tool":{"toolbox":"development","tool":"read_file"}}`, empty("server")),
		Entry("no name of a tool", `{"tool":{"toolbox":"development","server":"files"}}`, empty("tool")),
		Entry("an empty toolbox", `{"tool":{"toolbox":"","server":"files","tool":"read_file"}}`, empty("toolbox")),
		Entry("an empty server", `{"tool":{"toolbox":"development","server":"","tool":"read_file"}}`, empty("server")),
		Entry("an empty name", `{"tool":{"toolbox":"development","server":"files","tool":""}}`, empty("tool")),
		Entry("a number", `{"tool":{"toolbox":"development","server":7,"tool":"read_file"}}`, empty("server")),
		Entry("null", `{"tool":{"toolbox":"development","server":"files","tool":null}}`, empty("tool")),
		Entry("a key in another case",
			Label("X06"), `{"tool":{"Toolbox":"development","server":"files","tool":"read_file"}}`, empty("toolbox")),

		Entry("another key beside the tool", `{"tool":{"toolbox":"development","server":"files","tool":"read_file"},"extra_field":1}`,
			"Invalid parameters: Unrecognized key: 'extra_field'"),
		Entry("another key in the tool", `{"tool":{"toolbox":"development","server":"files","tool":"read_file","extra_field":1}}`,
			"Invalid parameters: Unrecognized key: 'extra_field'"),
		Entry("other keys on both levels",
			`{"tool":{"toolbox":"development","server":"files","tool":"read_file","b":1},"a":1}`,
			"Invalid parameters: Unrecognized keys: 'a', 'b'"),
		Entry("a key twice", Label("X06"), `{"tool":{"toolbox":"development","server":"files","tool":"read_file","tool":"secret_file"}}`,
			"Invalid parameters: Duplicate key: 'tool'"),

		Entry("the name of the tool in another case beside it", Label("X06"),
			`{"tool":{"toolbox":"development","server":"files","tool":"read_file","Tool":"secret_file"}}`, "Invalid parameters: Unrecognized key: 'Tool'"),
		Entry("another name beside the tool's", Label("X06"),
			`{"tool":{"toolbox":"development","server":"files","tool":"read_file","name":"secret_file"}}`, "Invalid parameters: Unrecognized key: 'name'"),

		Entry("a list of arguments",
			Label("S09"), `{"tool":{"toolbox":"development","server":"files","tool":"read_file"},"arguments":[]}`, arguments),
		Entry("a number for arguments",
			Label("S09"), `{"tool":{"toolbox":"development","server":"files","tool":"read_file"},"arguments":1}`, arguments),
		Entry("a text for arguments",
			Label("S09"), `{"tool":{"toolbox":"development","server":"files","tool":"read_file"},"arguments":"{}"}`, arguments),

		Entry("an unknown toolbox", UseArguments("x", "files", "read_file", "{}"), notThere),
		Entry("a toolbox that is not open", UseArguments("production", "files", "read_file", "{}"), closed),
		Entry("an unknown server", UseArguments("development", "database", "read_file", "{}"), noServer),
		Entry("an unknown tool", UseArguments("development", "files", "delete_all", "{}"), noTool("delete_all")),
		Entry("a tool that is filtered out",
			Label("X06"), UseArguments("development", "files", "secret_file", "{}"), noTool("secret_file")),
		Entry("a tool in another case", Label("X06"), UseArguments("development", "files", "READ_FILE", "{}"), noTool("READ_FILE")),
		Entry("a name with space around it", Label("X06"), UseArguments("development", "files", " read_file", "{}"), noTool(" read_file")),
	)

	DescribeTable("reports the first problem that applies", func(given, text string) {
		first, _ := use(given)

		Expect(first).To(Equal(text))
	},
		Entry("the tool before keys and arguments", `{"tool":1,"extra":1,"arguments":1}`, notObject),
		Entry("the identifier before keys", `{"tool":{"toolbox":"x","server":"","tool":"","extra":1},"extra":1}`, empty("server")),
		Entry("keys before arguments", `{"tool":{"toolbox":"x","server":"y","tool":"z"},"extra":1,"arguments":1}`,
			"Invalid parameters: Unrecognized key: 'extra'"),
		Entry("arguments before the toolbox", UseArguments("x", "y", "z", "1"), arguments),
		Entry("an unknown toolbox before the server", UseArguments("x", "database", "z", "{}"), notThere),
		Entry("a closed toolbox before the server", UseArguments("production", "database", "z", "{}"), closed),
		Entry("the server before the tool", UseArguments("development", "database", "z", "{}"), noServer),
	)

	DescribeTable("gives help in its second line", func(given, help string) {
		_, rest := use(given)

		Expect(rest).To(Equal(help))
	},
		Entry("with the toolbox that was meant", UseArguments("develupment", "files", "read_file", "{}"),
			"Did you mean 'development'?"),
		Entry("with the server that was meant", UseArguments("development", "file", "read_file", "{}"),
			"Did you mean 'files'?"),
		Entry("with the servers that exist", UseArguments("development", "database", "read_file", "{}"),
			"Servers of this toolbox: files"),
		Entry("with the tool that was meant", UseArguments("development", "files", "raed_file", "{}"),
			"Did you mean 'read_file'?"),
		Entry("with the tools that exist, without those filtered out", UseArguments("development", "files", "delete_all", "{}"),
			"Tools of this server: read_file, write_file"),
		Entry("with the key for the name of the tool",
			`{"tool":{"toolbox":"development","server":"files","name":"read_file"}}`, "Use 'tool' for the tool's name."),
		Entry("with the key for the name of the tool, when both are there",
			`{"tool":{"toolbox":"development","server":"files","tool":"read_file","name":"read_file"}}`, "Use 'tool' for the tool's name."),
	)

	It("says that there are no toolboxes", func() {
		w := Serve()

		Expect(w.Use("dev", "files", "read", "{}").Failure()).To(
			Equal("Error: Toolbox 'dev' not found. Available toolboxes: none"))
	})

	It("says that the server cannot be reached", func() {
		w := Serve(InDev(
			Program("s", "/nowhere/at-all"), Scripted("up", WithTools("read"))))
		w.Open("dev")

		Expect(w.Use("dev", "s", "t", "{}").Failure()).To(
			Equal("Error executing tool 't' in server 's' (toolbox 'dev'): command '/nowhere/at-all' does not exist"))
	})

	It("says which variable the server needs", func() {
		w := Serve(InDev(
			Scripted("s", WithTools("t"), `"env": {"TOKEN": "${WB_ABSENT}"}`),
			Scripted("up", WithTools("read"))))
		w.Open("dev")

		Expect(w.Use("dev", "s", "t", "{}").Failure()).To(Equal("Error executing tool 't' in server 's' (toolbox 'dev'): " +
			"environment variable 'WB_ABSENT' is not set (toolboxes.dev.mcpServers.s.env.TOKEN)"))
	})

	It("lists at most thirty tools", func() {
		names := strings.Fields(strings.Repeat("tool ", 40))
		for i := range names {
			names[i] += strings.Repeat("x", i+10)
		}
		w := Serve(InDev(Scripted("files", WithTools(names...))))
		w.Open("dev")

		Expect(w.Use("dev", "files", "absent", "{}").Failure()).To(Equal("Tool 'absent' not found in server 'files' " +
			"(toolbox 'dev')\nTools of this server: " + strings.Join(names[:30], ", ") + " and 10 more"))
	})
})
