package realservers_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

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
			s := everything()
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
