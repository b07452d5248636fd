package setup_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/application/setup"
)

// proposedToolbox returns the toolbox for a server, whose line is its command or its address.
func proposedToolbox(name, line string) string {
	GinkgoHelper()
	server := setup.Server{Name: name, Settings: setup.Settings{URL: line}}
	if !strings.Contains(line, "://") {
		server = command(name, line)
	}
	place, err := setup.Configuration{Keys: described}.Add(server, setup.Place{})
	Expect(err).NotTo(HaveOccurred())
	return place.Toolbox
}

var _ = Describe("The toolbox for a server", func() {
	DescribeTable("is that of its subject", func(toolbox string, servers ...string) {
		for _, line := range servers {
			Expect(proposedToolbox("x1", line)).To(Equal(toolbox), line)
		}
	},
		Entry(nil, "code", "npx -y @modelcontextprotocol/server-github", "https://api.githubcopilot.com/mcp/", "uvx mcp-server-git", "npx -y @azure-devops/mcp my-org",
			"npx -y @zereight/mcp-gitlab", "uvx --from git+https://github.com/oraios/serena serena start-mcp-server", "https://mcp.grep.app", "npm-registry-mcp", "codegraph serve --mcp"),
		Entry(nil, "docs", "npx -y @upstash/context7-mcp", "https://mcp.deepwiki.com/mcp", "https://docs.mcp.cloudflare.com/sse", "https://learn.microsoft.com/api/mcp", "uvx awslabs.aws-documentation-mcp-server@latest"),
		Entry(nil, "browser", "npx @playwright/mcp@latest", "npx -y chrome-devtools-mcp@latest", "npx @browserbasehq/mcp-server-browserbase"),
		Entry(nil, "data", "npx -y @modelcontextprotocol/server-postgres postgres://h/db", "npx -y airtable-mcp-server", "https://mcp.supabase.com/mcp", "npx -y mongodb-mcp-server"),
		Entry(nil, "cloud", "npx -y @azure/mcp@latest server start", "https://bindings.mcp.cloudflare.com/sse", "npx -y mcp-server-kubernetes", "uvx awslabs.core-mcp-server"),
		Entry(nil, "monitoring", "https://mcp.sentry.dev/mcp", "docker run --rm -i grafana/mcp-grafana -t stdio"),
		Entry(nil, "web", "npx -y @brave/brave-search-mcp-server", "npx -y tavily-mcp@latest", "npx -y firecrawl-mcp", "uvx mcp-server-fetch", "https://mcp.exa.ai/mcp"),
		Entry(nil, "tasks", "https://mcp.linear.app/mcp", "https://mcp.atlassian.com/v1/sse", "uvx mcp-atlassian", "npx -y jira-mcp", "https://mcp.asana.com/sse"),
		Entry(nil, "office", "https://mcp.notion.com/mcp", "npx -y @modelcontextprotocol/server-slack", "npx @gongrzhe/server-gmail-autoauth-mcp", "npx -y google-calendar-mcp"),
		Entry(nil, "payments", "npx -y @stripe/mcp --tools=all", "https://mcp.stripe.com", "https://mcp.paypal.com/mcp"),
		Entry(nil, "customers", "npx -y @hubspot/mcp-server"),
		Entry(nil, "design", "npx -y figma-developer-mcp --stdio", "https://mcp.figma.com/mcp"),
		Entry(nil, "media", "npx -y spotify-mcp", "npx -y youtube-mcp-server", "uvx elevenlabs-mcp"),
		Entry(nil, "maps", "npx -y @modelcontextprotocol/server-google-maps", "npx -y mcp-gmaps gmaps"),
		Entry(nil, "research", "uvx arxiv-mcp-server"),
		Entry(nil, "automation", "https://mcp.zapier.com/api/mcp"),
		Entry(nil, "home", "uvx home-assistant-mcp"),
		Entry(nil, "memory", "npx -y @modelcontextprotocol/server-memory"),
		Entry(nil, "thinking", "npx -y @modelcontextprotocol/server-sequential-thinking"),
		Entry(nil, "files", "npx -y @modelcontextprotocol/server-filesystem /x/postgres", "npx -y @wonderwhy-er/desktop-commander"),
	)

	DescribeTable("is that of its subject although another word is in its name", func(toolbox, line string) {
		Expect(proposedToolbox("x1", line)).To(Equal(toolbox))
	},
		Entry(nil, "office", "npx -y @atlassian-dc-mcp/confluence"), Entry(nil, "browser", "npx -y @agentdeskai/browser-tools-mcp"),
		Entry(nil, "design", "npx -y @coinbase/cds-mcp-server"), Entry(nil, "code", "npx -y @zilliz/claude-context-mcp"),
		Entry(nil, "devices", "npx -y @x/ssh-mcp-server-secured"), Entry(nil, "cloud", "npx -y @opentofu/opentofu-mcp-server"),
	)

	DescribeTable("follows from what a shell starts, and not from where a package comes from", func(line, toolbox string) {
		command, rest, _ := strings.Cut(line, " ")
		settings := setup.Settings{Command: command, Args: strings.SplitN(rest, " ", 2)}
		place, err := setup.Configuration{Keys: described}.Add(setup.Server{Name: "x1", Settings: settings}, setup.Place{})
		Expect(err).NotTo(HaveOccurred())
		Expect(place.Toolbox).To(Equal(toolbox))
	},
		Entry(nil, "powershell -Command $env:T='x'; npx -y @modelcontextprotocol/server-github", "code"), Entry(nil, "pwsh -Command npx -y firecrawl-mcp", "web"),
		Entry(nil, `powershell -File C:\start.ps1`, "x1"), Entry(nil, "bash -c npx -y linear-mcp", "tasks"), Entry(nil, `cmd /c C:\start.bat`, "x1"),
		Entry(nil, "npx github:someone/habits-mcp-server", "x1"), Entry(nil, "npx github:someone/todoist-mcp#v1", "tasks"),
		Entry(nil, "npx https://github.com/someone/knitting", "x1"), Entry(nil, "uvx git+ssh://git@github.com/someone/habits.git@v2", "x1"),
	)

	DescribeTable("has the server's own name where no subject fits", func(name, line, toolbox string) {
		Expect(proposedToolbox(name, line)).To(Equal(toolbox))
	},
		Entry("a server that tries everything out", "everything", "npx -y @modelcontextprotocol/server-everything", "everything"),
		Entry("the time", "time", "uvx mcp-server-time", "time"),
		Entry("without the words that are in every server's name", "acme-mcp-server", "/opt/own", "acme"),
		Entry("with the namespace of a registry", "io.github.me/weather", "/opt/own", "weather"),
		Entry("without what is left before such a word", "odd__server", "/opt/own", "odd"),
		Entry("a usual word beside others", "algebra", "npx -y linear-algebra-mcp", "algebra"),
		Entry("the name of a subject to which it does not belong", "data", "/opt/own", "data-server"),
		Entry("a name that says nothing", "mcp-server", "/opt/own", "tools"),
	)

	It("follows from the name where the program says nothing", func() {
		Expect(proposedToolbox("my-github", "/opt/own")).To(Equal("code"))
		Expect(proposedToolbox("linear", "npx -y mcp-remote https://mcp.example.com")).To(Equal("tasks"))
	})
})

var _ = DescribeTable("A generated description", func(toolbox string, servers []string, description string) {
	Expect(setup.Description(toolbox, servers)).To(Equal(description))
},
	Entry("names the servers first", "payments", []string{"stripe", "paypal"}, "stripe, paypal: payments, invoices and accounting"),
	Entry("is empty where no subject fits", "time", []string{"time"}, ""),
	Entry("of a server with the name of a registry", "data", []string{"github.com/acme/servers/tree/main/src/db"}, "db: databases and tables to look into and query"),
	Entry("of many servers is not long", "data", strings.Fields(strings.Repeat("a-database ", 20)),
		strings.Repeat("a-database, ", 6)+"a-database and 13 more: databases and tables to look into and query"),
)
