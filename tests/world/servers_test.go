package world_test

// server is a published server.
type server struct {
	// name is its package in npm/package.json.
	name string
	// bin is its program, if the package has several and none is named like it.
	bin string
	// args and env are for its start. HOME in an argument is a folder of its own.
	args []string
	env  map[string]string
}

// key has the same placeholder in each of these variables: servers refuse to start without one, and the calls that
// would need a real one are answered with an error.
func key(names ...string) map[string]string {
	env := map[string]string{}
	for _, name := range names {
		env[name] = "placeholder"
	}
	return env
}

// petstore is a description of an HTTP interface.
const petstore = `{"openapi":"3.0.0","info":{"title":"Pets","version":"1"},"paths":{"/pets":{"get":{"operationId":"listPets",` +
	`"summary":"List pets","responses":{"200":{"description":"Pets"}}}}}}`

// servers are the published servers that are compared, in the order of the table.
var servers = []server{
	{name: "@modelcontextprotocol/server-everything"},
	{name: "@modelcontextprotocol/server-filesystem", args: []string{"HOME"}},
	{name: "@modelcontextprotocol/server-memory"},
	{name: "@modelcontextprotocol/server-sequential-thinking"},
	{name: "@modelcontextprotocol/server-github"},
	{name: "@modelcontextprotocol/server-gitlab", env: key("GITLAB_PERSONAL_ACCESS_TOKEN")},
	{name: "@modelcontextprotocol/server-google-maps", env: key("GOOGLE_MAPS_API_KEY")},
	{name: "@modelcontextprotocol/server-slack", env: key("SLACK_BOT_TOKEN", "SLACK_TEAM_ID")},
	{name: "@modelcontextprotocol/server-brave-search", env: key("BRAVE_API_KEY")},
	{name: "@modelcontextprotocol/server-postgres", args: []string{"postgresql://127.0.0.1:9/none"}},
	{name: "@modelcontextprotocol/server-everart", env: key("EVERART_API_KEY")},
	{name: "@modelcontextprotocol/server-puppeteer"},
	{name: "@modelcontextprotocol/server-basic-vanillajs", args: []string{"--stdio"}},
	{name: "@modelcontextprotocol/server-budget-allocator", args: []string{"--stdio"}},
	{name: "@modelcontextprotocol/server-pdf", args: []string{"--stdio"}},
	{name: "@playwright/mcp", args: []string{"--headless"}},
	{name: "@notionhq/notion-mcp-server", env: key("NOTION_TOKEN")},
	{name: "nx-mcp"},
	{name: "@circleci/mcp-server-circleci", env: key("CIRCLECI_TOKEN")},
	{name: "@zereight/mcp-gitlab", env: key("GITLAB_PERSONAL_ACCESS_TOKEN")},
	{name: "@sentry/mcp-server", env: key("SENTRY_ACCESS_TOKEN")},
	{name: "@launchdarkly/mcp-server", args: []string{"start", "--api-key", "placeholder"}},
	{name: "@currents/mcp", env: key("CURRENTS_API_KEY")},
	{name: "mcp-hello-world"},
	{name: "@eslint/mcp"},
	{name: "@mastra/mcp-docs-server"},
	{name: "@executeautomation/playwright-mcp-server"},
	{name: "@antv/mcp-server-chart"},
	{name: "@bytebase/dbhub", args: []string{"--transport", "stdio", "--demo"}},
	{name: "@hubspot/mcp-server", env: key("PRIVATE_APP_ACCESS_TOKEN")},
	{name: "@perplexity-ai/mcp-server", env: key("PERPLEXITY_API_KEY")},
	{name: "@shortcut/mcp", env: key("SHORTCUT_API_TOKEN")},
	{name: "@brave/brave-search-mcp-server", env: key("BRAVE_API_KEY")},
	{name: "xcodebuildmcp", args: []string{"mcp"}},
	{name: "@drawio/mcp"},
	{name: "drawio-mcp-server"},
	{name: "@google-cloud/cloud-run-mcp"},
	{name: "@z_ai/mcp-server", env: key("Z_AI_API_KEY")},
	{name: "mcp-server-code-runner"},
	{name: "@aashari/mcp-server-atlassian-jira"},
	{name: "@morphllm/morphmcp", env: key("MORPH_API_KEY")},
	{name: "exa-mcp-server", env: key("EXA_API_KEY")},
	{name: "backlog-mcp-server", env: key("BACKLOG_DOMAIN", "BACKLOG_API_KEY")},
	{name: "@ivotoby/openapi-mcp-server", args: []string{"--api-base-url", "http://127.0.0.1:9", "--spec-inline", petstore}},
	{name: "next-devtools-mcp"},
	{name: "mcp-graphql", env: map[string]string{"ENDPOINT": "http://127.0.0.1:9"}},
	{name: "mcp-obsidian", args: []string{"HOME"}},
	{name: "howtocook-mcp"},
	{name: "time-mcp"},
	{name: "mcp-fetch-server"},
	{name: "mcp-server-kubernetes"},
	{name: "@elastic/mcp-server-elasticsearch", env: map[string]string{"ES_URL": "http://127.0.0.1:9", "ES_API_KEY": "placeholder"}},
	{name: "@primeng/mcp"},
	{name: "@jpisnice/shadcn-ui-mcp-server"},
	{name: "@knip/mcp"},
	{name: "@react-aria/mcp"},
	{name: "@cyanheads/git-mcp-server"},
	{name: "@cyanheads/pubmed-mcp-server"},
	{name: "@henkey/postgres-mcp-server", args: []string{"--connection-string", "postgresql://127.0.0.1:9/none"}},
	{name: "0nmcp"},
	{name: "@masonator/coolify-mcp", env: map[string]string{"COOLIFY_BASE_URL": "http://127.0.0.1:9", "COOLIFY_ACCESS_TOKEN": "placeholder"}},
	{name: "dataforseo-mcp-server", env: key("DATAFORSEO_USERNAME", "DATAFORSEO_PASSWORD")},
	{name: "robloxstudio-mcp"},
	{name: "@hypothesi/tauri-mcp-server"},
	{name: "@tacticlaunch/mcp-linear", env: key("LINEAR_API_TOKEN")},
	{name: "@smartbear/mcp", env: key("BUGSNAG_AUTH_TOKEN", "REFLECT_API_TOKEN", "API_HUB_API_KEY")},
	{name: "@larksuiteoapi/lark-mcp", args: []string{"mcp", "-a", "placeholder", "-s", "placeholder"}},
	{name: "@upstash/context7-mcp"},
	{name: "@wonderwhy-er/desktop-commander"},
	{name: "chrome-devtools-mcp", args: []string{"--headless"}},
	{name: "figma-developer-mcp", args: []string{"--stdio"}, env: key("FIGMA_API_KEY")},
	{name: "firecrawl-mcp", env: key("FIRECRAWL_API_KEY")},
	{name: "tavily-mcp", env: key("TAVILY_API_KEY")},
	{name: "mongodb-mcp-server"},
	{name: "@coo-quack/calc-mcp"},
	{name: "mcp-ripgrep"},
	{name: "mcp-mermaid"},
	{name: "airtable-mcp-server", env: key("AIRTABLE_API_KEY")},
	{name: "todoist-mcp", env: key("API_KEY")},
	{name: "@mui/mcp"},
	{name: "metabase-ai-assistant", env: map[string]string{"METABASE_URL": "http://127.0.0.1:9", "METABASE_API_KEY": "placeholder"}}, // lists a tool twice
	{name: "replicate-mcp", env: key("REPLICATE_API_TOKEN")},                                                                         // begins descriptions with code
	{name: "@bitwarden/mcp-server"},
	{name: "@angiejones/mcp-selenium"},
	{name: "@debugmcp/mcp-debugger", args: []string{"stdio"}},
	{name: "@negokaz/excel-mcp-server"}, // a program of Go in a package of npm
	{name: "@geobio/mcp-open-library"},
	{name: "@akutishevsky/lunchmoney-mcp", env: key("LUNCHMONEY_API_TOKEN")},
	{name: "@codefuturist/email-mcp", env: map[string]string{
		"MCP_EMAIL_ADDRESS": "me@mail.example", "MCP_EMAIL_PASSWORD": "placeholder", "MCP_EMAIL_IMAP_HOST": "127.0.0.1", "MCP_EMAIL_SMTP_HOST": "127.0.0.1",
	}},
	{name: "@alvincrave/gtasks-mcp"},
}
