package gosdk_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// seenByHost is the output of the host.
type seenByHost struct {
	Version, Server, Instructions string
	Tools                         []string
	Opened, Unknown               json.RawMessage
	Echo, Failed, Asked, Prompt   json.RawMessage
	Question                      string
}

var _ = Describe("A host made with the Go SDK", Label("M09"), func() {
	// visit runs the host to its end.
	visit := func(ctx SpecContext, version string, to ...string) (string, seenByHost) {
		GinkgoHelper()
		host := exec.CommandContext(ctx, server.Host, append([]string{version}, to...)...)
		host.Stderr, host.Env = GinkgoWriter, append(os.Environ(), "XDG_STATE_HOME="+GinkgoT().TempDir())
		output, err := host.Output()
		Expect(err).NotTo(HaveOccurred())
		var seen seenByHost
		Expect(json.Unmarshal(output, &seen)).To(Succeed())
		return string(output), seen
	}

	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		It("sees over HTTP in "+version+" what it sees on pipes, progress and questions too", func(ctx SpecContext) {
			far := Server{Name: "far", Settings: []string{`"url":` + Quote(start("streamable")), `"transport":"http"`}}
			config := Configuration(NewToolbox("dev", far))
			path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
			Expect(os.WriteFile(path, []byte(config), 0o600)).To(Succeed())

			onPipes, seen := visit(ctx, version, server.workbench(), "--config", path)
			overHTTP, _ := visit(ctx, version, Listen(Launch{Config: config}).URL())

			Expect(overHTTP).To(MatchJSON(onPipes))
			Expect(seen.Version).To(Equal(version))
			Expect(seen.Server).To(Equal("mcp-workbench"))
			Expect(seen.Instructions).To(ContainSubstring("- **dev** (1 server)"))
			Expect(seen.Tools).To(Equal([]string{"open_toolbox", "use_tool"}))
			Expect(string(seen.Opened)).To(ContainSubstring("servers_connected"))
			Expect(string(seen.Unknown)).To(ContainSubstring("Toolbox 'nowhere' not found"))
			Expect(string(seen.Echo)).To(ContainSubstring("ü"))
			Expect(string(seen.Failed)).To(ContainSubstring("no luck"))
			Expect(seen.Question).To(Equal("Server 'far' (toolbox 'dev') asks:\nwhich colour?"))
			Expect(string(seen.Asked)).To(ContainSubstring("red"))
			Expect(string(seen.Prompt)).To(ContainSubstring("greet Ada"))
		}, SpecTimeout(time.Minute))
	}
})
