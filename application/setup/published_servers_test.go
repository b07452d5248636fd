package setup_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// published are servers of the most downloaded packages of npm and of the lists of official servers, with the
// toolboxes in which a person would look for them; "own" is one of its own.
const published = `
@storybook/mcp                        design code
@supabase/mcp-server-supabase         data
@gongrzhe/server-gmail-autoauth-mcp   office
@circleci/mcp-server-circleci         code
n8n-mcp                               automation
next-devtools-mcp                     code docs
expo-mcp                              code devices
@zereight/mcp-gitlab                  code
@salesforce/mcp                       customers
@launchdarkly/mcp-server              code cloud monitoring
@executeautomation/playwright-mcp-server browser
@eslint/mcp                           code
@mastra/mcp-docs-server               docs
@antv/mcp-server-chart                charts design
@cocal/google-calendar-mcp            office
@shortcut/mcp                         tasks
@apify/actors-mcp-server              web
@drawio/mcp                           design
@mobilenext/mobile-mcp                devices
@google-cloud/cloud-run-mcp           cloud
slack-mcp-server                      office
mcp-server-code-runner                code
@aashari/mcp-server-atlassian-jira    tasks
backlog-mcp-server                    tasks
@ivotoby/openapi-mcp-server           own code automation
@benborla29/mcp-server-mysql          data
@shopify/dev-mcp                      shops
@softeria/ms-365-mcp-server           office
@remotion/mcp                         media docs
@piotr-agier/google-drive-mcp         files
@railway/mcp-server                   cloud
@mapbox/mcp-server                    maps
@sveltejs/mcp                         docs
argocd-mcp                            cloud
@google-cloud/observability-mcp       monitoring cloud
mcp-mermaid                           design charts
@openbnb/mcp-server-airbnb            travel
@heroku/mcp-server                    cloud
@pinecone-database/mcp                data
@postman/postman-mcp-server           code
fetcher-mcp                           web
@cloudbase/cloudbase-mcp              cloud
mcp-deepwiki                          docs
ios-simulator-mcp                     devices
reddit-mcp-buddy                      social
flightradar-mcp-server                travel
notebooklm-mcp                        research office memory
@negokaz/excel-mcp-server             office
@line/line-bot-mcp-server             office social
@codacy/codacy-mcp                    code
@sylphx/pdf-reader-mcp                files
@primeng/mcp                          design docs
@ergut/mcp-bigquery-server            data
robloxstudio-mcp                      games
dataforseo-mcp-server                 web marketing
@smartbear/mcp                        code
howtocook-mcp                         own
@hypothesi/tauri-mcp-server           code devices
@delorenj/mcp-server-trello           tasks
@masonator/coolify-mcp                cloud
@modelcontextprotocol/server-everart  media
bitrise-mcp                           code
astra-db-mcp                          data
fibery-mcp-server                     tasks office
opik-mcp                              monitoring
https://mcp.intercom.com/mcp          customers
https://docs.mcp.cloudflare.com/sse   docs
https://mcp.vercel.com                cloud
https://huggingface.co/mcp            models
https://mcp.canva.com/mcp             design
`

// more are well-known servers that the table was not made from, by their toolboxes.
const more = `
automation: @leonardsellem/n8n-mcp-server
browser: @automatalabs/mcp-server-playwright steel-mcp-server puppeteer-mcp-server
cloud: mcp-server-docker ckreiling/mcp-server-docker alibabacloud-mcp
cloud security: @auth0/auth0-mcp-server
code: semgrep-mcp snyk-mcp gitea-mcp mcp-server-gitlab
data: @neondatabase/mcp-server-neon mcp-redis mcp-clickhouse mcp-neo4j-cypher mcp-server-sqlite
data: @executeautomation/database-server mcp-alchemy @motherduckdb/mcp-server-motherduck
data memory: chroma-mcp
design: talk-to-figma-mcp @glips/figma-context-mcp excalidraw-mcp
files: @felores/gdrive-mcp-server markitdown-mcp pdf-tools-mcp
finance: mcp-yahoo-finance alpaca-mcp-server @ferdousbhai/investor-agent
games: godot-mcp unreal-mcp
home: voska/hass-mcp @tevonsb/homeassistant-mcp
maps: osm-mcp-server @tomtom-org/tomtom-mcp
media: @kimtaeyoun83/mcp-server-youtube-transcript @sinco-lab/mcp-youtube-transcript
memory: @itseasy21/mcp-knowledge-graph mcp-memory-service
monitoring: mcp-server-newrelic @honeycombio/honeycomb-mcp pagerduty-mcp @dynatrace-oss/dynatrace-mcp-server
office: @elie222/inbox-zero-mcp apple-notes-mcp @taylorwilsdon/google_workspace_mcp outlook-mcp
office devices: apple-mcp
office social: @alisaitteke/telegram-mcp lharries/whatsapp-mcp mcp-discord
own math: mcp-server-calculator
own weather: @adhikasp/mcp-weather
payments: @stripe/agent-toolkit xero-mcp-server
research: wikipedia-mcp paper-search-mcp
security: @burtthecoder/mcp-virustotal @burtthecoder/mcp-shodan mcp-nmap
security code: ghidramcp
social: @enescinar/twitter-mcp
social web: mcp-hacker-news
tasks: @taazkareem/clickup-mcp-server @roychri/mcp-server-asana @greirson/mcp-todoist
travel: @kukapay/kiwi-flights-mcp
web: @nickclyde/duckduckgo-mcp-server @kagisearch/kagimcp scrapegraph-mcp @mendableai/firecrawl-mcp-server
`

var _ = Describe("Servers of public catalogs", Label("FP05"), func() {
	var rest strings.Builder
	for line := range strings.Lines(strings.TrimSpace(more)) {
		toolboxes, servers, _ := strings.Cut(line, ":")
		for server := range strings.FieldsSeq(servers) {
			rest.WriteString(server + " " + toolboxes + "\n")
		}
	}

	DescribeTable("are in the toolbox of their subject, all but a few", func(servers string) {
		var others []string
		count := 0
		for line := range strings.Lines(strings.TrimSpace(servers)) {
			words := strings.Fields(line)
			server := words[0]
			if !strings.Contains(server, "://") {
				server = "npx -y " + server
			}
			count++
			toolbox := proposedToolbox("x1", server)
			isRight := false
			for _, wanted := range words[1:] {
				isRight = isRight || toolbox == wanted || wanted == "own" && toolbox == "x1"
			}
			if !isRight {
				others = append(others, words[0]+" is in "+toolbox)
			}
		}
		Expect(count).To(BeNumerically(">=", 60))
		Expect(len(others)*6).To(BeNumerically("<=", count), strings.Join(others, "\n")) // as 50 of 60
	},
		Entry("of downloads and official lists", published),
		Entry("that the table was not made from", rest.String()),
	)

	DescribeTable("are told by what they are, not by where they lie or what reaches them", func(name, line, toolbox string) {
		Expect(proposedToolbox(name, line)).To(Equal(toolbox))
	},
		Entry("a folder of Windows", "excel", "python C:/Github/sheet-server/src/main.py", "office"),
		Entry("a folder of Windows with back-slashes", "mssql", `python D:\Docker\sql\server.py`, "data"),
		Entry("another one", "weather", `node C:\Users\me\GitHub\weather\build\index.js`, "weather"),
		Entry("a folder of the project", "habits", "node github/habits/index.js", "habits"),
		Entry("a package that is installed there", "x1", "node /home/me/app/node_modules/@playwright/mcp/cli.js", "browser"),
		Entry("a bridge to an address", "x1", "npx -y mcp-remote https://mcp.linear.app/sse", "tasks"),
		Entry("a service that reaches others", "mem0", "https://mcp.composio.dev/mem0/mcp", "memory"),
		Entry("a service itself", "x1", "https://mcp.pipedream.net/v2", "automation"),
		Entry("documents about something", "react-docs", "/opt/own", "docs"),
		Entry("documents, in one word", "openaiDeveloperDocs", "/opt/own", "docs"),
		Entry("a usual word beside another", "Dev Box MCP", "/opt/own", "cloud"),
	)
})
