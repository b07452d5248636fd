package realservers_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// seenBySDK is the output of a script of the folder clients.
type seenBySDK struct {
	ProtocolVersion string
	Server          string
	Instructions    string
	Tools           []string
	Early           json.RawMessage
	Opened          opened
	Reopened        opened
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
				s := everything().with(mark, newMark())
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
				direct := s.direct(ctx)
				Expect(seen.Echo).To(MatchJSON(direct.callTool(ctx, "echo", `{"message":"hello"}`).Result))
				Expect(seen.Image).To(MatchJSON(direct.callTool(ctx, "get-tiny-image", `{}`).Result))
				Expect(seen.Structured).To(MatchJSON(direct.callTool(ctx, "get-structured-content", `{"location":"Chicago"}`).Result))
				Expect(seen.Refused).To(MatchJSON(direct.callTool(ctx, "get-structured-content", `{"location":"Atlantis"}`).Result))
				Expect(direct.end()).To(Equal(0))

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
