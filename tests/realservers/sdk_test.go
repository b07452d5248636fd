package realservers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

// seenBySDK is the output of a script of the folder clients.
type seenBySDK struct {
	ProtocolVersion string
	Server          string
	Instructions    string
	Tools           []string
	Early           json.RawMessage
	Opened          Opened
	Reopened        Opened
	UnknownToolbox  json.RawMessage
	Echo            json.RawMessage
	Together        []string
	Image           json.RawMessage
	Structured      json.RawMessage
	Refused         json.RawMessage
	UnknownTool     struct {
		Code    int
		Message string
	}
}

var _ = Describe("Being driven by the official SDK", Label("M09"), func() {
	for _, way := range []string{onPipes, overHTTP} {
		DescribeTable("works for a whole toolbox "+way,
			func(ctx SpecContext, version, script string, options ...string) {
				s := everythingServer().with(mark, newMark())
				marked := s.Env[mark]
				config := configuration(toolbox{"real", []server{s}})
				connecting, end := reached(way, config)

				args := append(append(options, "real"), connecting...)
				ran := runNode(ctx, ownHome(), filepath.Join("clients", script), args...)
				end()

				Expect(ran.code).To(Equal(0))
				var seen seenBySDK
				Expect(json.Unmarshal([]byte(ran.stdout), &seen)).To(Succeed())
				Expect(seen.ProtocolVersion).To(Equal(version))
				if way == overHTTP && version == "2026-07-28" {
					Expect(seen.Early).To(MatchJSON(`{"content":[{"type":"text","text":"Echo: too early"}]}`)) // using a tool opens its toolbox
				} else {
					Expect(seen.Early).To(MatchJSON(failedWith(notOpen)))
				}
				seen.expectToolbox()

				By("comparing the results with the server's own")
				direct, _ := s.direct()
				Expect(seen.Echo).To(MatchJSON(direct.Call("echo", `{"message":"hello"}`).Result))
				Expect(seen.Image).To(MatchJSON(direct.Call("get-tiny-image", `{}`).Result))
				Expect(seen.Structured).To(MatchJSON(direct.Call("get-structured-content", `{"location":"Chicago"}`).Result))
				Expect(seen.Refused).To(MatchJSON(direct.Call("get-structured-content", `{"location":"Atlantis"}`).Result))
				Expect(direct.End()).To(Equal(0))

				By("looking for remaining processes")
				if runtime.GOOS == "linux" {
					Expect(processesWith(mark + "=" + marked)).To(BeEmpty())
				}
			},
			Entry("with version 1", SpecTimeout(time.Minute), "2025-11-25", "sdk_v1.mjs"),
			Entry("with version 2 by default", SpecTimeout(time.Minute), "2025-11-25", "sdk_v2.mjs", "legacy"),
			Entry("with version 2 detecting the protocol version", SpecTimeout(time.Minute), "2026-07-28", "sdk_v2.mjs", "auto"),
			Entry("with version 2 insisting on 2026-07-28", SpecTimeout(time.Minute), "2026-07-28", "sdk_v2.mjs", "2026-07-28"),
		)
	}
})

// expectToolbox expects the view of the toolbox that hosts of both eras have on every way.
func (seen seenBySDK) expectToolbox() {
	GinkgoHelper()
	Expect(seen.Server).To(Equal("mcp-workbench"))
	Expect(seen.Instructions).To(ContainSubstring("- **real** (1 server): Toolbox real"))
	Expect(seen.Tools).To(Equal([]string{"open_toolbox", "use_tool"}))
	Expect(seen.UnknownToolbox).To(MatchJSON(failedWith("Error: Toolbox 'nowhere' not found. Available toolboxes: real")))
	Expect(seen.UnknownTool.Code).To(Equal(-32602))
	Expect(seen.UnknownTool.Message).To(ContainSubstring("no_such_tool"))
	Expect(seen.Together).To(HaveExactElements(
		"Echo: 0", "Echo: 1", "Echo: 2", "Echo: 3", "Echo: 4", "Echo: 5", "Echo: 6", "Echo: 7", "Echo: 8", "Echo: 9"))
	Expect(seen.Opened.Tools).To(HaveLen(13))
	Expect(seen.Reopened).To(Equal(seen.Opened))
}

// failedWith returns the result of a tool that failed with this text.
// notOpen is the refusal of a call for a toolbox that is not open.
const notOpen = "Error: Toolbox 'real' is not open. Call open_toolbox first.\nIf it was opened before, the host begins a new session " +
	"for each call; the user can set \"openOnUse\": true in the configuration."

func failedWith(text string) string {
	return fmt.Sprintf(`{"content":[{"type":"text","text":%q}],"isError":true}`, text)
}

// seenByRenderer is the output of clients/apps.mjs.
type seenByRenderer struct {
	Declared            map[string]json.RawMessage
	ForModels, ForPages []string
	Pages               map[string]struct {
		URI, MimeType, SHA256 string
		Matches               bool
		ByModel               json.RawMessage
	}
	ByPage json.RawMessage
}

var _ = Describe("A server with a page, an official example of MCP Apps", func() {
	BeforeEach(requireNodeForJudges)

	for _, way := range []string{onPipes, overHTTP} {
		DescribeTable("is shown by a host that renders pages "+way, func(ctx SpecContext, mode string) {
			folder := filepath.Join(packagesRoot, "node_modules", "@modelcontextprotocol", "server-basic-vanillajs", "dist")
			program := spec.Must(filepath.Abs(filepath.Join(folder, "index.js")))
			page := spec.Must(os.ReadFile(filepath.Join(folder, "mcp-app.html")))
			config := configuration(toolbox{"clock", []server{{name: "time", Command: node.path, Args: []string{program, "--stdio"}}}})
			connecting, end := reached(way, config)

			ran := runNode(ctx, ownHome(), filepath.Join("clients", "apps.mjs"), append([]string{mode, "clock"}, connecting...)...)
			end()

			Expect(ran.code).To(Equal(0))
			var seen seenByRenderer
			Expect(json.Unmarshal([]byte(ran.stdout), &seen)).To(Succeed())
			Expect(seen.Declared).To(HaveKey("io.modelcontextprotocol/ui"))
			Expect(seen.ForModels).To(Equal([]string{"open_toolbox", "use_tool", "clock__time_get-time"}))
			Expect(seen.ForPages).To(Equal([]string{"get-time"}))
			Expect(seen.Pages).To(HaveLen(1))
			shown := seen.Pages["clock__time_get-time"]
			Expect(shown.URI).To(Equal("ui://clock/time/get-time/mcp-app.html"))
			Expect(shown.Matches).To(BeTrue())
			Expect(shown.MimeType).To(Equal("text/html;profile=mcp-app"))
			digest := sha256.Sum256(page)
			Expect(shown.SHA256).To(Equal(hex.EncodeToString(digest[:])))
			for _, called := range []json.RawMessage{shown.ByModel, seen.ByPage} {
				Expect(string(called)).To(And(ContainSubstring(`"content"`), Not(ContainSubstring("isError"))))
			}
		},
			Entry("before 2026-07-28", SpecTimeout(time.Minute), "legacy"),
			Entry("of 2026-07-28", SpecTimeout(time.Minute), "2026-07-28"),
		)
	}
})

// seenInDialogue is the output of a dialogue script of the folder clients.
type seenInDialogue struct {
	// Results are the results of the tools, and Linked the resources that one pointed at.
	Results, Linked json.RawMessage
	Progress        []struct{ Step, Total int }
	// Asked has the questions of the server, by method.
	Asked    map[string]json.RawMessage
	LoggedBy string
}

// origin is the text that the workbench puts before a question: the server that asks, and the host of a
// page.
const origin = `Server 'everything' (toolbox 'real') asks:\n`

var page = regexp.MustCompile(`It asks to open a page of \\"[^"]*\\"\.\\n`)

// withoutOrigin returns the server's original question. A sampling request names the server in
// its _meta.
func withoutOrigin(asked json.RawMessage) string {
	GinkgoHelper()
	text := page.ReplaceAllString(string(asked), "")
	for _, put := range []string{origin, `"_meta":{"mcp-workbench/server":{"toolbox":"real","server":"everything"}}`} {
		text = strings.Replace(text, put, "", 1)
	}
	return text
}

var _ = Describe("Being asked by the everything server during calls", Label("M09"), func() {
	DescribeTable("an official SDK sees the same as without the workbench",
		func(ctx SpecContext, way, script, mode string) {
			s := everythingServer()
			see := func(mode, toolbox, command string, args ...string) seenInDialogue {
				GinkgoHelper()
				arguments := append([]string{mode, toolbox, command}, args...)
				ran := runNode(ctx, ownHome(), filepath.Join("clients", script), arguments...)
				Expect(ran.code).To(Equal(0))
				var seen seenInDialogue
				Expect(json.Unmarshal([]byte(ran.stdout), &seen)).To(Succeed(), ran.stdout)
				return seen
			}

			direct := see("legacy", "-", s.Command, s.Args...)
			to, end := reached(way, configuration(toolbox{"real", []server{s}}))
			through := see(mode, "real", to[0], to[1:]...)
			end()

			Expect(through.Results).To(MatchJSON(direct.Results))
			Expect(through.Linked).To(MatchJSON(direct.Linked))
			Expect(direct.Asked).To(HaveLen(4))
			Expect(through.Asked).To(HaveLen(4))
			for what, asked := range direct.Asked {
				Expect(withoutOrigin(through.Asked[what])).To(MatchJSON(asked), what)
			}
			Expect(direct.LoggedBy).To(BeEmpty())
			Expect(through.LoggedBy).To(Equal("real/everything"))
			// The SDK drops the last one if it reads it together with the result.
			Expect(len(through.Progress)).To(BeNumerically(">=", 3))
			for i, progress := range through.Progress {
				Expect(progress.Step).To(Equal(i + 1))
				Expect(progress.Total).To(Equal(4))
			}
		},
		Entry("version 1", SpecTimeout(time.Minute), onPipes, "dialogue_v1.mjs", "legacy"),
		Entry("version 2 by default", SpecTimeout(time.Minute), onPipes, "dialogue_v2.mjs", "legacy"),
		Entry("version 2 detecting the protocol version", SpecTimeout(time.Minute), onPipes, "dialogue_v2.mjs", "auto"),
		Entry("version 2 insisting on 2026-07-28", SpecTimeout(time.Minute), onPipes, "dialogue_v2.mjs", "2026-07-28"),
		Entry("version 1, over HTTP", SpecTimeout(time.Minute), overHTTP, "dialogue_v1.mjs", "legacy"),
		Entry("version 2 by default, over HTTP", SpecTimeout(time.Minute), overHTTP, "dialogue_v2.mjs", "legacy"),
		Entry("version 2 detecting the protocol version, over HTTP", SpecTimeout(time.Minute), overHTTP, "dialogue_v2.mjs", "auto"),
		Entry("version 2 insisting on 2026-07-28, over HTTP", SpecTimeout(time.Minute), overHTTP, "dialogue_v2.mjs", "2026-07-28"),
	)
})
