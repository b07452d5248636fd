package realservers_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

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
