package setup

// kind is a toolbox for servers with one subject.
type kind struct {
	toolbox string
	// purpose describes its servers, and follows their names in a description.
	purpose string
	// words are the names of products and packages. An entry of several words matches these words in a
	// row. An entry that begins with "=" is also an ordinary word, and counts only if all other words are
	// words such as "mcp" and "server".
	words []string
}

// kinds is the table of toolboxes. A server goes into the toolbox with the longest entry that it
// matches, and among entries of the same length into the first.
var kinds = []kind{
	{"code", "repositories, issues and code review", []string{
		"github", "githubcopilot", "gitlab", "git", "gitea", "bitbucket", "azure devops", "=ado", "sourcegraph", "serena", "sonarqube", "semgrep",
		"snyk", "=socket", "circleci", "jenkins", "buildkite", "xcodebuildmcp", "xcode", "jetbrains", "postman", "=nx",
	}},
	{"docs", "documentation of libraries and products", []string{
		"context7", "deepwiki", "gitmcp", "learn microsoft", "microsoft learn", "microsoft docs", "aws documentation", "aws docs", "mdn",
		"devdocs", "mintlify", "=readme", "=docs", "=documentation", "=ref",
	}},
	{"browser", "a web browser that opens and operates pages", []string{
		"playwright", "puppeteer", "chrome", "chromium", "firefox", "safari", "browserbase", "browsermcp", "browserstack", "selenium", "stagehand",
		"browser use", "browser mcp", "=browser", "chrome devtools",
	}},
	{"data", "databases and tables to look into and query", []string{
		"postgres", "postgresql", "sqlite", "mysql", "mariadb", "mssql", "oracle", "mongodb", "redis", "supabase", "duckdb", "clickhouse", "snowflake",
		"bigquery", "databricks", "elasticsearch", "opensearch", "neo4j", "qdrant", "pinecone", "chroma", "milvus", "weaviate", "motherduck",
		"prisma", "=neon", "dbhub", "couchbase", "cassandra", "dynamodb", "influxdb", "airtable", "baserow", "nocodb", "tableau", "dbt", "toolbox databases",
		"=sql", "=database", "=db", "planetscale", "turso", "=convex",
	}},
	{"cloud", "cloud services, containers and deployments", []string{
		"aws", "awslabs", "azure", "gcp", "gcloud", "cloud run", "cloudflare", "kubernetes", "k8s", "openshift", "helm", "argocd", "docker", "podman",
		"portainer", "terraform", "pulumi", "ansible", "vercel", "netlify", "heroku", "=railway", "digitalocean", "hetzner", "fly io", "firebase",
		"=render",
	}},
	{"monitoring", "errors, logs, metrics and incidents", []string{
		"sentry", "grafana", "datadog", "newrelic", "new relic", "honeycomb", "pagerduty", "prometheus", "dynatrace", "splunk", "logfire", "=axiom",
		"loki", "rollbar", "betterstack", "opsgenie", "signoz", "raygun",
	}},
	{"web", "search the web and read pages", []string{
		"=brave", "brave search", "tavily", "exa", "firecrawl", "perplexity", "searxng", "duckduckgo", "ddg", "kagi", "serper", "serpapi", "jina",
		"apify", "bright data", "brightdata", "crawl4ai", "google search", "web search", "mcp server fetch", "=fetch", "=search",
	}},
	{"tasks", "issues, tasks and projects", []string{
		"jira", "atlassian", "asana", "trello", "todoist", "clickup", "ticktick", "basecamp", "wrike", "smartsheet", "youtrack", "openproject",
		"vikunja", "things3", "=linear", "=monday", "=shortcut", "=height", "=plane", "=taskmaster", "task master", "=tasks", "=todo",
	}},
	{"office", "mail, calendars, chats and notes", []string{
		"notion", "slack", "confluence", "gmail", "google calendar", "google workspace", "google docs", "google sheets", "outlook", "ms365",
		"microsoft 365", "office365", "microsoft teams", "obsidian", "discord", "telegram", "whatsapp", "mattermost", "=zoom", "evernote", "onenote",
		"fastmail", "=proton", "apple notes", "imessage", "logseq", "joplin", "granola", "fireflies", "=otter", "calendly", "=coda", "=calendar",
		"=workspace", "=teams", "=mail", "=email", "=notes", "=excel", "=word", "=powerpoint",
	}},
	{"payments", "payments, invoices and accounting", []string{
		"stripe", "paypal", "plaid", "xero", "quickbooks", "adyen", "razorpay", "chargebee", "mollie", "=ramp", "brex", "=mercury", "=square", "=wise",
	}},
	{"customers", "customers, sales and support", []string{
		"hubspot", "salesforce", "pipedrive", "attio", "zoho", "zendesk", "intercom", "freshdesk", "mailchimp", "klaviyo", "sendgrid", "=resend",
		"=close", "=front",
	}},
	{"design", "designs, drawings and components of interfaces", []string{
		"figma", "canva", "framer", "penpot", "blender", "shadcn", "21st", "storybook", "excalidraw", "miro", "=lucid", "webflow", "=sketch", "mermaid",
	}},
	{"media", "music, videos, pictures and speech", []string{
		"spotify", "youtube", "elevenlabs", "=replicate", "everart", "sonos", "twitch", "vimeo", "ableton", "midjourney", "dalle", "ffmpeg", "soundcloud",
		"plex", "jellyfin", "minimax", "cloudinary", "=fal",
	}},
	{"maps", "places, routes and maps", []string{
		"google maps", "gmaps", "googlemaps", "mapbox", "openstreetmap", "osm", "amap", "baidu map", "tomtom", "here maps", "=maps",
	}},
	{"research", "papers, references and encyclopedias", []string{
		"arxiv", "pubmed", "semantic scholar", "wikipedia", "wikidata", "zotero", "openalex", "crossref", "biomcp", "wolfram",
	}},
	{"finance", "markets, prices and currencies", []string{
		"alphavantage", "alpha vantage", "yahoo finance", "yfinance", "coingecko", "coinbase", "binance", "alpaca", "=polygon", "financial datasets",
		"tradingview", "=finance",
	}},
	{"social", "posts and profiles of social networks", []string{
		"twitter", "linkedin", "reddit", "bluesky", "mastodon", "instagram", "tiktok", "hackernews", "hacker news",
	}},
	{"automation", "workflows across other services", []string{
		"zapier", "n8n", "pipedream", "composio", "ifttt", "=rube", "workato", "=make", "activepieces",
	}},
	{"home", "lights, sensors and devices at home", []string{
		"home assistant", "homeassistant", "hass", "homebridge", "philips hue", "tuya", "=hue",
	}},
	{"memory", "what is remembered between sessions, and thinking in steps", []string{
		"mem0", "zep", "graphiti", "letta", "supermemory", "openmemory", "basic memory", "server memory", "knowledge graph", "sequential thinking",
		"sequentialthinking", "=memory", "=thinking", "=knowledge",
	}},
	{"files", "files and folders", []string{
		"filesystem", "gdrive", "google drive", "dropbox", "onedrive", "sharepoint", "desktop commander", "markitdown", "pandoc", "=files", "=box", "=drive",
	}},
}

// neutral are words that say nothing about the subject of a server.
var neutral = []string{
	"mcp", "mcps", "server", "servers", "client", "official", "remote", "local", "modelcontextprotocol", "com", "app", "io", "dev", "ai", "api", "apis",
	"www", "net", "org", "co", "my", "the", "v1", "v2", "sse", "http", "https", "stdio", "latest", "js", "py", "node", "dist", "src", "index", "main",
	"run", "hosted", "cloud", "tool", "tools",
}
