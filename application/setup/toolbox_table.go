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
	{"code", "repositories, reviews, builds and tools for code", []string{
		"github", "githubcopilot", "gitlab", "git", "gitea", "bitbucket", "azure devops", "=ado", "sourcegraph", "serena", "sonarqube", "semgrep",
		"snyk", "=socket", "circleci", "jenkins", "buildkite", "xcodebuildmcp", "xcode", "jetbrains", "postman", "=nx",
		"eslint", "=biome", "prettier", "codacy", "codescene", "sonar", "smartbear", "sonarqube cloud", "bitrise", "code runner", "=e2b", "launchdarkly",
		"=expo", "next devtools", "nextjs", "tauri", "knip", "laravel boost", "gitee", "gitkraken", "=graphite", "codeql", "trivy", "code review",
		"github actions", "stackhawk", "testrail", "cypress", "vitest", "=jest", "=swagger", "=openapi", "=gradle", "=maven", "=cargo", "rust analyzer",
		"=lsp", "language server", "jupyter", "android studio", "intellij", "pycharm", "teamcity", "=harness", "octocode", "repomix", "codegen",
		"codesandbox", "stackblitz", "replit", "lovable", "browser tools", "lambdatest", "currents", "qase", "travis", "bamboo", "gerrit", "phabricator",
		"azure pipelines", "visual studio", "=vscode", "=debugger",
	}},
	{"docs", "documentation of libraries and products", []string{
		"context7", "deepwiki", "gitmcp", "learn microsoft", "microsoft learn", "microsoft docs", "aws documentation", "aws docs", "mdn",
		"devdocs", "mintlify", "=readme", "=docs", "=documentation", "=ref",
		"=svelte", "sveltejs", "=nuxt", "=astro", "mastra docs", "angular docs", "vue docs", "next docs", "expo docs", "shopify dev", "docsrs",
		"rust docs", "docs rs", "=devin", "grounded docs", "apple docs", "=man", "shadcn docs", "terraform docs", "google developer knowledge",
		"developer docs", "gitbook", "readthedocs", "mkdocs",
	}},
	{"browser", "a web browser that opens and operates pages", []string{
		"playwright", "puppeteer", "chrome", "chromium", "firefox", "safari", "browserbase", "browsermcp", "browserstack", "selenium", "stagehand",
		"browser use", "browser mcp", "=browser", "chrome devtools",
		"playwriter", "lightpanda", "browseros", "browser control", "hyperbrowser", "=steel", "browser automation", "crawlee", "webdriver", "cdp",
		"open browser", "agentql", "browserless", "mcp chrome",
	}},
	{"data", "databases and tables to look into and query", []string{
		"postgres", "postgresql", "sqlite", "mysql", "mariadb", "mssql", "oracle", "mongodb", "mongo", "redis", "supabase", "duckdb", "clickhouse", "snowflake",
		"bigquery", "databricks", "elasticsearch", "opensearch", "neo4j", "qdrant", "pinecone", "chroma", "milvus", "weaviate", "motherduck",
		"prisma", "=neon", "dbhub", "couchbase", "cassandra", "dynamodb", "influxdb", "airtable", "baserow", "nocodb", "tableau", "dbt", "toolbox databases",
		"=sql", "=database", "=db", "universal db", "insforge", "planetscale", "turso", "=convex",
		"astra db", "astradb", "datastax", "cockroachdb", "singlestore", "tidb", "starrocks", "doris", "trino", "=presto", "=hive", "druid", "questdb",
		"timescale", "pgvector", "pgedge", "=pg", "=nile", "xata", "instantdb", "=instant", "firestore", "surrealdb", "arangodb", "memgraph", "falkordb",
		"lancedb", "zilliz", "valkey", "memcached", "aiven", "fireproof", "rqlite", "couchdb", "hbase", "iotdb", "tdengine", "tablestore", "analyticdb",
		"polardb", "oracledb", "sqlserver", "sql server", "power bi", "powerbi", "looker", "metabase", "superset", "=hex", "=mode", "dataplex",
		"databend", "chdb", "greptimedb", "vertica", "teradata", "db2", "firebird", "cosmos db", "cosmosdb", "dbeaver", "mysql mariadb",
		"google sheets db", "=kafka", "confluent", "rabbitmq", "airflow", "dagster", "prefect", "fivetran", "airbyte", "hasura", "=graphql", "mindsdb",
		"kuzu", "libsql", "vector database", "atlan", "openmetadata", "datahub", "azure data explorer", "adx", "keboola",
	}},
	{"cloud", "cloud services, containers and deployments", []string{
		"aws", "awslabs", "azure", "gcp", "gcloud", "cloud run", "cloudflare", "kubernetes", "k8s", "openshift", "helm", "argocd", "docker", "podman",
		"portainer", "terraform", "pulumi", "ansible", "vercel", "netlify", "heroku", "=railway", "digitalocean", "hetzner", "fly io", "firebase",
		"=render",
		"dev box", "=s3", "lambda", "ecs", "eks", "gke", "aks", "bedrock", "google cloud", "googlecloud", "cloudbase", "tencent", "aliyun", "alibaba",
		"alibabacloud", "volcengine", "huawei", "yandex", "ovh", "scaleway", "linode", "akamai", "vultr", "coolify", "dokploy", "dokku", "=fly",
		"rancher", "nomad", "=consul", "=vault", "hashicorp", "traefik", "nginx", "caddy", "proxmox", "vmware", "esxi", "vcenter", "unraid", "truenas",
		"synology", "tailscale", "wireguard", "zerotier", "ngrok", "cloudinit", "kubectl", "k9s", "=lens", "istio", "=flux", "fluxcd", "spacelift",
		"crossplane", "openstack", "nutanix", "hostinger", "godaddy", "namecheap", "porkbun", "route53", "fastly", "=bunny", "northflank", "koyeb",
		"=modal", "runpod", "=deploy", "=entra", "okta", "auth0", "=clerk", "azure ad", "=active", "=directory", "=ldap", "zuplo", "=kong", "apisix",
		"infisical", "doppler", "1password", "bitwarden",
	}},
	{"monitoring", "errors, logs, metrics and incidents", []string{
		"sentry", "grafana", "datadog", "newrelic", "new relic", "honeycomb", "pagerduty", "prometheus", "dynatrace", "splunk", "logfire", "=axiom",
		"loki", "rollbar", "betterstack", "opsgenie", "signoz", "raygun",
		"opik", "langfuse", "langsmith", "=phoenix", "arize", "helicone", "braintrust", "traceloop", "opentelemetry", "=otel", "jaeger", "=tempo",
		"mimir", "victoriametrics", "zabbix", "nagios", "checkmk", "netdata", "uptimerobot", "uptime kuma", "statuspage", "=incident", "rootly",
		"firehydrant", "squadcast", "coralogix", "mezmo", "logz", "loggly", "papertrail", "graylog", "kibana", "elk", "bugsnag", "airbrake", "appsignal",
		"app insights", "application insights", "cloudwatch", "=observability", "posthog", "mixpanel", "amplitude", "google analytics", "=analytics",
		"ga4", "=segment", "=heap", "plausible", "matomo", "umami", "=clarity", "statsig", "growthbook", "chrome ux", "lumigo", "instana", "appdynamics",
	}},
	{"web", "search the web and read pages", []string{
		"=brave", "brave search", "tavily", "exa", "firecrawl", "perplexity", "searxng", "duckduckgo", "ddg", "kagi", "kagisearch", "kagimcp", "serper", "serpapi", "jina",
		"apify", "bright data", "brightdata", "crawl4ai", "google search", "web search", "mcp server fetch", "=fetch", "=search", "=gsc", "search console",
		"fetcher", "websearch", "web scraper", "=scraper", "scrapegraph", "scrapingbee", "scrapeless", "zenrows", "oxylabs", "dataforseo", "semrush",
		"ahrefs", "=seo", "googlesearch", "google news", "=news", "=rss", "=feed", "=bing", "yandexsearch", "baidu", "mojeek", "linkup", "valyu", "=you",
		"marginalia", "open web", "webresearch", "web research", "url reader", "=spider", "diffbot", "browseai", "=parallel", "decodo", "=nimble",
		"sitemap", "wayback", "=archive",
	}},
	{"tasks", "issues, tasks and projects", []string{
		"jira", "atlassian", "asana", "trello", "todoist", "clickup", "ticktick", "basecamp", "wrike", "smartsheet", "youtrack", "openproject",
		"vikunja", "things3", "=linear", "=monday", "=shortcut", "=height", "=plane", "=taskmaster", "task master", "=tasks", "=todo",
		"=backlog", "fibery", "=dart", "azure boards", "redmine", "taiga", "kanboard", "kanban", "wekan", "planka", "focalboard", "teamwork", "nifty",
		"microsoft planner", "=planner", "microsoft todo", "ms todo", "google tasks", "omnifocus", "habitica", "toggl", "clockify", "=harvest", "timely",
		"rescuetime", "activitywatch", "jira cloud", "pivotal", "=aha", "productboard", "=canny", "zenhub", "superthread", "workfront", "meistertask",
		"anytype", "dida365", "=things",
	}},
	{"office", "mail, calendars, chats and notes", []string{
		"notion", "slack", "confluence", "gmail", "google calendar", "google workspace", "google docs", "google sheets", "outlook", "ms365",
		"microsoft 365", "office365", "microsoft teams", "obsidian", "discord", "telegram", "whatsapp", "mattermost", "=zoom", "evernote", "onenote",
		"fastmail", "=proton", "apple notes", "imessage", "logseq", "joplin", "granola", "fireflies", "=otter", "calendly", "=coda", "=calendar",
		"=workspace", "=teams", "=mail", "=email", "=notes", "=excel", "=word", "=powerpoint",
		"=ms", "ms 365", "m365", "microsoft365", "office word", "office powerpoint", "docx", "pptx", "xlsx", "=spreadsheet", "=spreadsheets",
		"google slides", "=slides", "google forms", "google chat", "google meet", "line bot", "=line", "wechat", "weixin", "feishu", "lark", "dingtalk",
		"wecom", "rocket chat", "zulip", "=matrix", "=signal", "webex", "ringcentral", "twilio", "vonage", "sendbird", "messagebird", "=sms", "=imap",
		"=smtp", "jmap", "mailgun", "postmark", "protonmail", "icloud", "caldav", "carddav", "=contacts", "apple mail", "apple reminders", "=reminders",
		"cal com", "=cal", "superhuman", "=roam", "=craft", "=bear", "simple notes", "=memos", "siyuan", "=tana", "=reflect", "capacities", "affine",
		"=outline", "bookstack", "docs editor", "docusign", "pandadoc", "esignatures", "typeform", "jotform", "surveymonkey", "google contacts",
		"=fellow", "tldv", "=recall", "=notebook", "kakao", "zalo", "viber",
	}},
	{"payments", "payments, invoices and accounting", []string{
		"stripe", "paypal", "plaid", "xero", "quickbooks", "adyen", "razorpay", "chargebee", "mollie", "=ramp", "brex", "=mercury", "=square", "=wise",
		"adfin", "alipay", "alipayplus", "wechatpay", "payu", "=checkout", "=paddle", "lemon squeezy", "lemonsqueezy", "=polar", "revenuecat",
		"gocardless", "=wave", "freshbooks", "zohobooks", "=sage", "netsuite", "erpnext", "odoo", "=bill", "expensify", "spendesk", "pennylane",
		"lexoffice", "=invoice", "=invoices", "invoicing", "=accounting", "mercadopago", "cashfree", "paystack", "flutterwave", "klarna", "afterpay",
		"fewsats", "ucash", "moneybird", "billingo",
	}},
	{"customers", "customers, sales and support", []string{
		"hubspot", "salesforce", "pipedrive", "attio", "zoho", "zendesk", "intercom", "freshdesk", "mailchimp", "klaviyo", "sendgrid", "=resend",
		"=close", "=front",
		"=crm", "dynamics", "dynamics 365", "suitecrm", "espocrm", "freshsales", "=copper", "keap", "activecampaign", "brevo", "sendinblue",
		"constantcontact", "convertkit", "=kit", "beehiiv", "=loops", "customerio", "customer io", "braze", "iterable", "gorgias", "helpscout",
		"help scout", "kustomer", "=crisp", "=drift", "livechat", "tawk", "gainsight", "chargeover", "apollo", "=clay", "lemlist", "=instantly",
		"=outreach", "salesloft", "gong", "zoom info", "zoominfo", "hunter", "lusha", "clearbit", "=folk", "=twenty", "boondmanager", "audiense",
		"meta ads", "google ads", "facebook ads", "linkedin ads", "=ads", "=marketing", "vapi", "retell",
	}},
	{"design", "designs, drawings and components of interfaces", []string{
		"figma", "canva", "framer", "penpot", "blender", "shadcn", "21st", "storybook", "excalidraw", "miro", "=lucid", "webflow", "=sketch", "mermaid",
		"drawio", "draw io", "=diagrams", "=diagram", "plantuml", "tldraw", "lucidchart", "whimsical", "primeng", "primevue", "primereact", "mui",
		"material ui", "chakra ui", "=chakra", "antd", "ant design", "=radix", "tailwind", "tailwindcss", "daisyui", "heroui", "mantine", "flowbite",
		"hugeicons", "lucide", "=icons", "fontawesome", "adobe express", "photoshop", "illustrator", "indesign", "affinity", "=rhino", "grasshopper",
		"=revit", "archicad", "autocad", "freecad", "=fusion", "solidworks", "onshape", "openscad", "sketchup", "houdini", "=maya", "cinema4d", "zeplin",
		"invision", "=spline", "=magic", "21st dev", "webcomponents", "wordpress", "elementor", "=wix", "squarespace", "=ghost", "sanity", "contentful",
		"strapi", "storyblok", "prismic", "drupal", "joomla", "hygraph", "payload", "=cms", "=svg", "=color", "=colors",
	}},
	{"media", "music, videos, pictures and speech", []string{
		"spotify", "youtube", "elevenlabs", "=replicate", "everart", "sonos", "twitch", "vimeo", "ableton", "midjourney", "dalle", "ffmpeg", "soundcloud",
		"plex", "jellyfin", "minimax", "cloudinary", "=fal",
		"remotion", "=video", "=videos", "=audio", "=music", "=image", "=images", "imagen", "image gen", "image generation", "stability",
		"stable diffusion", "comfyui", "dall", "=runway", "heygen", "synthesia", "=pika", "kling", "=veo", "=sora", "=suno", "udio", "lyria",
		"nanobanana", "nano banana", "ideogram", "leonardo", "imagemagick", "gimp", "inkscape", "=obs", "davinci", "premiere", "after effects", "reaper",
		"=tts", "=whisper", "deepgram", "assemblyai", "cartesia", "=speech", "=voice", "voicevox", "kokoro", "=podcast", "=podcasts", "lastfm", "deezer",
		"tidal", "apple music", "imdb", "tmdb", "trakt", "letterboxd", "sonarr", "radarr", "lidarr", "overseerr", "giphy", "unsplash", "pexels",
		"pixabay", "=mux", "bunnystream", "imgur", "submagic", "=transcript", "=transcripts", "=photos", "google photos", "immich", "calibre",
		"goodreads",
	}},
	{"maps", "places, routes and maps", []string{
		"google maps", "google map", "gmaps", "googlemaps", "mapbox", "openstreetmap", "osm", "amap", "baidu map", "tomtom", "here maps", "=maps",
		"aws location", "azure maps", "foursquare", "yelp", "gaode map", "gaode", "baidu maps", "arcgis", "esri", "qgis", "geoserver", "overpass",
		"nominatim", "locationiq", "geoapify", "google places", "=places", "geocoding", "=gis", "strava", "komoot", "osrm", "valhalla",
		"=transit", "gtfs", "=geo",
	}},
	{"research", "papers, references and encyclopedias", []string{
		"arxiv", "pubmed", "semantic scholar", "wikipedia", "wikidata", "zotero", "openalex", "crossref", "biomcp", "wolfram",
		"pubchem", "chembl", "uniprot", "ensembl", "ncbi", "clinical trials", "clinicaltrials", "=scholar", "google scholar", "scite", "elicit",
		"=consensus", "paperswithcode", "papers with code", "openreview", "biorxiv", "medrxiv", "biothings", "gnomad", "dblp", "mendeley", "readwise",
		"notebooklm", "paper search", "=academic", "=academia", "=paper", "=papers", "wolframalpha", "stackoverflow", "stackexchange", "world bank", "worldbank",
		"=fred", "=census", "eurostat", "wikibase", "gutenberg", "patents", "uspto", "=legal", "courtlistener", "=law", "=anki", "edubase", "=canvas",
		"moodle",
	}},
	{"finance", "markets, prices and currencies", []string{
		"alphavantage", "alpha vantage", "yahoo finance", "yfinance", "coingecko", "coinbase", "binance", "alpaca", "=polygon", "financial datasets",
		"tradingview", "=finance",
		"=kraken", "bybit", "okx", "bitget", "kucoin", "hyperliquid", "uniswap", "etherscan", "=web3", "=blockchain", "=crypto", "ethereum", "solana",
		"bitcoin", "onchain", "bankless", "bicscan", "chainlink", "dune", "defillama", "dexscreener", "coinmarketcap", "coincap", "ccxt",
		"interactive brokers", "ibkr", "schwab", "robinhood", "etrade", "zerodha", "=kite", "upstox", "dhan", "tradier", "finnhub", "twelvedata",
		"twelve data", "tiingo", "eodhd", "fmp", "financial modeling prep", "marketstack", "quantconnect", "akshare", "coinmarket", "tushare", "=sec", "edgar",
		"=stock", "=stocks", "=trading", "=portfolio", "ynab", "lunch money", "=monarch", "firefly", "=actual", "plaid budget", "=wallet", "thirdweb",
		"=alchemy", "moralis",
	}},
	{"social", "posts and profiles of social networks", []string{
		"twitter", "linkedin", "reddit", "bluesky", "mastodon", "instagram", "tiktok", "hackernews", "hacker news",
		"facebook", "=threads", "pinterest", "snapchat", "weibo", "xiaohongshu", "rednote", "zhihu", "bilibili", "douyin", "lemmy", "nostr", "farcaster",
		"tumblr", "producthunt", "product hunt", "=hn", "=buffer", "hootsuite", "=later", "postiz", "=medium", "substack", "devto", "dev to", "hashnode",
		"vk",
	}},
	{"automation", "workflows across other services", []string{
		"zapier", "n8n", "pipedream", "composio", "ifttt", "=rube", "workato", "=make", "activepieces",
		"klavis", "smithery", "=arcade", "paragon", "=merge", "nango", "=trigger", "triggerdev", "=temporal", "inngest", "windmill", "node red",
		"nodered", "tray", "retool", "appsmith", "budibase", "power automate", "powerautomate", "uipath", "robot framework", "apple shortcuts",
		"shortcuts", "applescript", "toolhouse", "pabbly", "integromat", "superface", "gumloop", "=relay", "=lindy",
	}},
	{"home", "lights, sensors and devices at home", []string{
		"home assistant", "homeassistant", "hass", "homebridge", "philips hue", "tuya", "=hue",
		"smart home", "smartthings", "zigbee", "zigbee2mqtt", "=mqtt", "=matter", "esphome", "=shelly", "tasmota", "openhab", "domoticz", "govee",
		"lifx", "=nest", "=ecobee", "=ring", "wyze", "tesla", "roomba", "google home", "homekit", "hubitat", "bambu", "octoprint", "klipper",
		"3d printer", "=printer", "unifi", "=bluetooth", "arduino", "raspberry pi", "esp32", "modbus",
	}},
	{"memory", "what is remembered between sessions", []string{
		"mem0", "zep", "graphiti", "letta", "supermemory", "openmemory", "basic memory", "server memory", "knowledge graph", "=memory", "=knowledge",
		"memorybank", "memory bank", "memory keeper", "=cognee", "hindsight", "memobase", "openmem", "=remember", "=pieces", "byterover", "=rag",
		"ragie", "vectorize", "llamaindex", "llamacloud",
	}},
	{"thinking", "thinking in steps", []string{
		"sequential thinking", "sequentialthinking", "=thinking", "think tool", "clear thought", "structured thinking", "deep thinking", "code reasoning",
	}},
	{"files", "files and folders", []string{
		"filesystem", "gdrive", "google drive", "dropbox", "onedrive", "sharepoint", "desktop commander", "markitdown", "pandoc", "=files", "=box", "=drive",
		"=pdf", "docling", "unstructured", "tika", "=ocr", "pdf reader", "=ebook", "epub", "=csv", "=zip", "webdav", "nextcloud", "owncloud", "seafile",
		"egnyte", "boxcloud", "google cloud storage", "minio", "backblaze", "=b2", "=r2", "=sftp", "=ftp", "rclone", "syncthing", "desktop files",
		"=file", "notepad", "text editor", "paperless", "paperless ngx", "foxit",
	}},
	{"devices", "phones, simulators and desktops to operate", []string{
		"=mobile", "ios simulator", "=ios", "=android", "adb", "appium", "=maestro", "xcuitest", "mobile mcp", "mobilenext", "=simulator", "=emulator",
		"windows mcp", "computer use", "macos automator", "automator", "peekaboo", "autogui", "pyautogui", "terminator", "iterm", "iterm2", "=terminal",
		"=shell", "=ssh", "tmux", "=cli", "powershell", "=windows", "=macos", "=camera",
	}},
	{"shops", "shops, products and orders", []string{
		"shopify", "woocommerce", "magento", "bigcommerce", "prestashop", "medusa", "commercetools", "headless commerce", "saleor", "=amazon", "ebay",
		"etsy", "walmart", "aliexpress", "taobao", "mercado libre", "instacart", "doordash", "ubereats", "=grocery", "=products", "biggo", "printful",
		"shipstation", "shippo", "easypost", "=shipping", "=ecommerce", "=commerce",
	}},
	{"travel", "trips, flights, hotels and timetables", []string{
		"airbnb", "=booking", "expedia", "kayak", "skyscanner", "amadeus", "sabre", "=flight", "=flights", "flightradar", "flightradar24", "flightaware",
		"opensky", "flight search", "google flights", "kiwi flights", "=hotel", "=hotels", "=travel", "travelplanner", "tripadvisor", "=trip", "trivago", "12306", "=train", "=trains",
		"trainline", "deutsche bahn", "sbb", "=uber", "lyft", "duffel", "=kiwi", "restaurant", "opentable", "=resy",
	}},
	{"security", "vulnerabilities, malware and networks to examine", []string{
		"virustotal", "shodan", "censys", "nmap", "burp", "burpsuite", "ghidra", "ghidramcp", "ida pro", "radare2", "metasploit", "nuclei", "wazuh",
		"crowdstrike", "=security", "kali", "hexstrike", "malwarebazaar", "abuseipdb", "wireshark", "zap", "=osv",
	}},
	{"games", "game engines and games", []string{
		"roblox", "robloxstudio", "=unity", "unreal", "godot", "minecraft", "unity mcp", "=steam", "=chess", "pygame", "phaser", "gamemaker", "igdb",
		"romm", "retroarch", "dungeons", "pokemon",
	}},
	{"models", "other models, and what runs and trains them", []string{
		"huggingface", "=hf", "openai", "=gemini", "gemini cli", "ollama", "lmstudio", "openrouter", "anthropic", "=claude", "=codex", "=grok", "xai",
		"deepseek", "mistral", "=groq", "=together", "fireworks", "vllm", "litellm", "wandb", "weights biases", "mlflow", "vertex", "vertex ai",
		"sagemaker", "langchain", "crewai", "autogen", "=zen", "=pal", "roboflow", "kaggle",
	}},
	{"charts", "charts and figures made from data", []string{
		"=chart", "=charts", "quickchart", "vega", "vega lite", "plotly", "echarts", "antv", "matplotlib", "plotnine", "graphviz", "gnuplot",
		"=infographic", "=visualization", "=dashboard",
	}},
}

// neutral are words that say nothing about the subject of a server.
var neutral = []string{
	"mcp", "mcps", "server", "servers", "client", "official", "remote", "local", "modelcontextprotocol", "com", "app", "io", "dev", "ai", "api", "apis",
	"www", "net", "org", "co", "my", "the", "v1", "v2", "sse", "http", "https", "stdio", "latest", "js", "py", "node", "dist", "src", "index", "main",
	"run", "hosted", "cloud", "tool", "tools", "reader", "toolkit", "connector", "integration", "agent", "service", "simple", "easy", "fast", "fastmcp",
	"advanced", "enhanced", "plus", "pro", "labs", "studio", "console", "editor", "manager", "full", "unofficial", "community",
}
