package setup_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
)

var _ = Describe("Import where windows share one workbench", func() {
	nothingSet := func(string) (string, bool) { return "", false }
	imported := func(server setup.Server) setup.Imported {
		GinkgoHelper()
		taken, skipped := setup.Configuration{Keys: described, Shares: true}.Import([]setup.Server{server}, "", nothingSet)
		Expect(skipped).To(BeEmpty())
		Expect(taken).To(HaveLen(1))
		return taken[0]
	}

	DescribeTable("shares a server that answers each call on its own", func(line string) {
		got := imported(command("x1", line))
		Expect(got.Unshared).To(BeEmpty())
		Expect(got.Settings.Members).To(HaveKeyWithValue("shared", BeEquivalentTo("true")))
	},
		Entry(nil, "npx -y @upstash/context7-mcp"), Entry(nil, "uvx mcp-server-fetch"),
		Entry(nil, "npx -y @modelcontextprotocol/server-memory"), Entry(nil, "npx -y mcp-remote https://mcp.linear.app/sse"),
		Entry(nil, "docker run -i --rm mcp/brave-search"),
	)

	DescribeTable("leaves a server to each window, and says why", func(line, reason string) {
		got := imported(command("x1", line))
		Expect(got.Unshared).To(ContainSubstring(reason))
		Expect(got.Settings.Members).NotTo(HaveKey("shared"))
	},
		Entry(nil, "npx @playwright/mcp@latest", "one browser"), Entry(nil, "uvx mcp-server-git", "the folder of its window"),
		Entry(nil, "npx -y @upstash/context7-mcp ./docs", "the folder of its window"),
		Entry(nil, "npx -y @modelcontextprotocol/server-sequential-thinking", "one conversation"),
		Entry(nil, "/opt/context7", "not known"), Entry(nil, "npx -y some-package", "not known"),
	)

	It("decides by the package, not by a name that a file gives", func() {
		Expect(imported(command("docs", "npx -y some-package")).Unshared).To(ContainSubstring("not known"))
	})

	It("starts nothing for an address", func() {
		Expect(imported(setup.Server{Name: "x", Settings: setup.Settings{URL: "https://mcp.linear.app/mcp"}}).Unshared).To(ContainSubstring("elsewhere"))
	})

	It("leaves a disabled server as it is", func() {
		server := command("x1", "npx -y @upstash/context7-mcp")
		server.Settings.Disabled = true
		Expect(imported(server).Settings.Members).To(BeEmpty())
	})
})
