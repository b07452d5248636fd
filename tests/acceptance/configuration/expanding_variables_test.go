package configuration_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// telling returns a server whose tools report what it was started with.
func telling() script.Script {
	s := WithTools("argv", "environ", "cwd")
	s.Rules = []script.Rule{
		{Method: "tools/call", Tool: "argv", Do: []script.Step{{Argv: true}}},
		{Method: "tools/call", Tool: "environ", Do: []script.Step{{Environ: true}}},
		{Method: "tools/call", Tool: "cwd", Do: []script.Step{{Cwd: true}}},
	}
	return s
}

var _ = Describe("Expanding variables", Label("G05"), func() {
	// start starts a workbench with a server that gets one more argument.
	start := func(argument string, env ...string) *Workbench {
		GinkgoHelper()
		server := Scripted("files", telling())
		server.Settings[1] = strings.Replace(server.Settings[1], "]", ","+Quote(argument)+"]", 1)
		w := Start(Launch{Config: Configuration(InDev(server)), Env: env})
		w.Open("dev")
		return w
	}
	// arguments returns the server's arguments after its script.
	arguments := func(w *Workbench) []string {
		GinkgoHelper()
		var argv []string
		Expect(json.Unmarshal([]byte(w.Use("dev", "files", "argv", "{}").Text()), &argv)).To(Succeed())
		return argv[2:]
	}

	DescribeTable("makes one argument of each value", Label("X05"), func(configured, want string, env ...string) {
		Expect(arguments(start(configured, env...))).To(Equal([]string{want}))
	},
		Entry("a value with spaces, quotes and special characters of shells",
			"${A}", `a b "c" 'd' $(e) ; f | g > h *`, `A=a b "c" 'd' $(e) ; f | g > h *`),
		Entry("a variable that is empty", "${A}", "", "A="),
		Entry("no default for a variable that is empty", "${A:-other}", "", "A="),
	)

	It("disables only the servers that use a variable which is not set", func() {
		w := Serve(
			InDev(
				Scripted("db", WithTools("query"), `"env": {"Y": "${WB_ABSENT}"}`),
				Scripted("files", WithTools("read"))),
			NewToolbox("ops", Scripted("s", WithTools("t"), `"cwd": "/tmp/${WB_GONE}"`)))

		opened := w.Open("dev")
		Expect(opened.Names()).To(Equal([]string{"read"}))
		Expect(opened.Errors).To(Equal([]string{"Failed to connect to server 'db' in toolbox 'dev': " +
			"environment variable 'WB_ABSENT' is not set (toolboxes.dev.mcpServers.db.env.Y)"}))
		Expect(w.Call("open_toolbox", `{"toolbox":"ops"}`).Failure()).To(Equal("Error opening toolbox 'ops': " +
			"Failed to connect to server 's' in toolbox 'ops': environment variable 'WB_GONE' is not set (toolboxes.ops.mcpServers.s.cwd)"))
		Expect(w.End()).To(Equal(0))
		Expect(w.Stderr()).To(And(ContainSubstring("'WB_ABSENT' is not set"), ContainSubstring("'WB_GONE' is not set")))
	})
})
