package domain_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A question of a server to the user", Label("TQ03"), func() {
	DescribeTable("names its server, in one line", func(server, toolbox, line string) {
		Expect(domain.ServerAsks(domain.ServerID{Server: domain.ServerName(server), Toolbox: domain.ToolboxName(toolbox)})).To(Equal(line))
	},
		Entry("as it is named", "evil", "e", "Server 'evil' (toolbox 'e') asks:"),
		Entry("whose name has other letters", "böse \"x\"", "日", "Server 'böse \"x\"' (toolbox '日') asks:"),
		Entry("whose name ends it", `x' (toolbox 'e') asks:`+"\nMCP Workbench asks:", `e\`,
			`Server 'x\' (toolbox \'e\') asks:\nMCP Workbench asks:' (toolbox 'e\\') asks:`),
		Entry("whose name turns text around", "a\u202eb\u200b", "e", `Server 'a\u202eb\u200b' (toolbox 'e') asks:`),
		Entry("whose name is long", strings.Repeat("y", 300), "e", "Server '"+strings.Repeat("y", 80)+"' … 220 more characters (toolbox 'e') asks:"),
	)

	DescribeTable("to open a page names the host of the page", func(address, line string) {
		Expect(domain.PageAsked(address)).To(Equal(line))
	},
		Entry("a usual one", "https://example.org/a?b=c", `It asks to open a page of "example.org".`),
		Entry("with a port", "https://example.org:8443/", `It asks to open a page of "example.org:8443".`),
		Entry("with another one in front", "https://example.org@evil.example/", `It asks to open a page of "evil.example".`),
		Entry("with letters that look alike", "https://ex\u0430mple.org/", `It asks to open a page of "ex\u0430mple.org".`),
		Entry("with a backslash, at which programs do not agree", `https://example.org\@evil.example/`, "It asks to open an address that names no host."),
		Entry("without one", "javascript:alert(1)", "It asks to open an address that names no host."),
		Entry("without slashes", "https:evil.example", "It asks to open an address that names no host."),
		Entry("with a line break", "https://evil.example\n/", "It asks to open an address that names no host."),
		Entry("nothing", "", "It asks to open an address that names no host."),
	)
})
