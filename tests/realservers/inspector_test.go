package realservers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// inspectorToolFailed is the Inspector's exit code for a result with isError.
const inspectorToolFailed = 5

var _ = Describe("Being driven by the Inspector's command line", Label("U07", "M09"), func() {
	BeforeEach(requireNodeForJudges)

	// Each run is a separate session, so a toolbox that one opens is closed in
	// the next.
	for _, way := range inspectedWays {
		era := way.era
		inspect := way.inspect
		Context("in the era "+era+" "+way.name, func() {
			It("lists the two tools, with schemas that every host can read", func(ctx SpecContext) {
				ran := inspect(ctx, "--method", "tools/list", "--strict")

				Expect(ran.code).To(Equal(0))
				var list struct {
					Result struct {
						Tools []struct{ Name string }
					}
					SchemaFindings json.RawMessage
				}
				Expect(json.Unmarshal([]byte(ran.stdout), &list)).To(Succeed())
				Expect(list.Result.Tools).To(HaveExactElements(
					HaveField("Name", "open_toolbox"), HaveField("Name", "use_tool")))
				Expect(list.SchemaFindings).To(BeNil())
			}, SpecTimeout(time.Minute))

			It("opens a toolbox", func(ctx SpecContext) {
				ran := inspect(ctx, "--method", "tools/call", "--tool-name", "open_toolbox", "--tool-arg", "toolbox=real")

				Expect(ran.code).To(Equal(0))
				opened := inspectorAnswer(ran).Opened()
				Expect(opened.Connected).To(Equal(1))
				// The server has more tools for hosts that can be asked, such as the Inspector.
				Expect(len(opened.Tools)).To(BeNumerically(">", 13))
			}, SpecTimeout(time.Minute))

			It("is told that a toolbox does not exist", func(ctx SpecContext) {
				ran := inspect(ctx, "--method", "tools/call", "--tool-name", "open_toolbox", "--tool-arg", "toolbox=nowhere")

				Expect(ran.code).To(Equal(inspectorToolFailed))
				Expect(inspectorAnswer(ran).Result).To(MatchJSON(
					way.failedWith("Error: Toolbox 'nowhere' not found. Available toolboxes: real")))
			}, SpecTimeout(time.Minute))

			It("is told to open the toolbox before it uses a tool", func(ctx SpecContext) {
				use := UseArguments("real", "everything", "echo", `{"message":"hello"}`)
				ran := inspect(ctx, "--method", "tools/call", "--tool-name", "use_tool", "--tool-args-json", use)

				if way.usesOpen {
					Expect(ran.code).To(Equal(0))
					Expect(inspectorAnswer(ran).Text()).To(Equal("Echo: hello"))
					return
				}
				Expect(ran.code).To(Equal(inspectorToolFailed))
				Expect(inspectorAnswer(ran).Result).To(MatchJSON(
					way.failedWith(notOpen)))
			}, SpecTimeout(time.Minute))
		})
	}

	It("uses a tool over a connection that it keeps open", func(ctx SpecContext) {
		inspector := startInspector()
		s := everythingServer().with(mark, newMark())
		config := configuration(toolbox{"real", []server{s}})
		Expect(inspector(ctx, "connect", "--era", "auto", "--", BuiltWorkbench(), "--config", config).code).To(Equal(0))
		Expect(inspector(ctx, "tools/call", "open_toolbox", `{"toolbox":"real"}`).code).To(Equal(0))

		used := inspector(ctx, "tools/call", "use_tool", UseArguments("real", "everything", "echo", `{"message":"hello"}`))

		Expect(used.code).To(Equal(0))
		Expect(used.stdout).To(ContainSubstring("Echo: hello"))
		Expect(inspector(ctx, "disconnect").code).To(Equal(0))
		if runtime.GOOS == "linux" {
			Eventually(processesWith).WithArguments(mark + "=" + s.Env[mark]).WithTimeout(Patience).Should(BeEmpty())
		}
	}, SpecTimeout(time.Minute))
})

// startInspector returns a function that gives commands about one connection, which the
// Inspector keeps in a separate process until the spec ends.
func startInspector() func(ctx context.Context, args ...string) finished {
	GinkgoHelper()
	directory := spec.Must(os.MkdirTemp("", "inspector"))
	env := append(ownHome(), "MCP_INSPECTOR_DAEMON_DIR="+directory, "MCP_INSPECTOR_DAEMON_TOKEN=not-a-secret")
	command := func(ctx context.Context, args ...string) finished {
		GinkgoHelper()
		script := npmFile("@modelcontextprotocol/inspector/clients/mcpdo/build/mcp-bin.js")
		return runNode(ctx, env, script, slices.Concat([]string{"--format", "json", "--connection", "workbench"}, args)...)
	}
	DeferCleanup(func(ctx SpecContext) {
		Expect(command(ctx, "daemon", "stop").code).To(Equal(0))
		// It may still write there while it ends.
		Eventually(os.RemoveAll).WithArguments(directory).WithTimeout(Patience).Should(Succeed())
	})
	return command
}

// inspectedWay is a way in which the Inspector reaches a workbench.
type inspectedWay struct {
	era, name string
	http      bool
	// usesOpen means that using a tool opens its toolbox, since there are no sessions.
	usesOpen bool
}

var inspectedWays = []inspectedWay{
	{era: "legacy", name: "on pipes"},
	{era: "auto", name: "on pipes"},
	{era: "modern", name: "on pipes"},
	{era: "legacy", name: "over HTTP", http: true},
	{era: "auto", name: "over HTTP", http: true, usesOpen: true},
	{era: "modern", name: "over HTTP", http: true, usesOpen: true},
}

// failedWith returns the result of a tool that failed with this text. In 2026-07-28 the workbench declares tasks,
// and the Inspector then also prints the kind of a result.
func (w inspectedWay) failedWith(text string) string {
	if w.era == "legacy" {
		return failedWith(text)
	}
	return fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"isError":true,"resultType":"complete"}`, text)
}

// inspect runs the Inspector once with a workbench and the everything server.
func (w inspectedWay) inspect(ctx context.Context, args ...string) finished {
	GinkgoHelper()
	config := configuration(toolbox{"real", []server{everythingServer()}})
	reached := map[string]any{"type": "stdio", "command": BuiltWorkbench(), "args": []string{"--config", config}}
	if w.http {
		url, _ := listen(config)
		reached = map[string]any{"type": "streamable-http", "url": url}
	}
	hostConfig := spec.Must(json.Marshal(map[string]any{"mcpServers": map[string]any{"workbench": reached}}))
	path := filepath.Join(GinkgoT().TempDir(), "mcp.json")
	Expect(os.WriteFile(path, hostConfig, 0o600)).To(Succeed())
	options := []string{"--cli", "--quiet", "--format", "json", "--config", path, "--server", "workbench", "--protocol-era", w.era}
	return runNode(ctx, ownHome(), npmFile("@modelcontextprotocol/inspector/clients/launcher/build/index.js"), append(options, args...)...)
}

// inspectorAnswer returns the output of the Inspector, which has the result as a member.
func inspectorAnswer(ran finished) Message {
	GinkgoHelper()
	var m Message
	Expect(json.Unmarshal([]byte(ran.stdout), &m)).To(Succeed(), fmt.Sprintf("%s\n%s", ran.stdout, ran.stderr))
	return m
}
