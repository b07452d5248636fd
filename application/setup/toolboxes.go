package setup

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/serverconfig"
)

// kind is a toolbox for the servers of well-known packages.
type kind struct {
	Place
	words []string
}

// kinds is the table of toolboxes. A server goes into the first one with a word of its package.
var kinds = []kind{
	{Place{"code", "Repositories, issues and documentation of code"}, []string{
		"github", "gitlab", "git", "bitbucket", "context7", "serena", "sentry", "sonarqube", "semgrep", "figma", "shadcn", "deepwiki",
	}},
	{Place{"browser", "A web browser to open and operate pages"}, []string{
		"playwright", "puppeteer", "chrome", "browserbase", "browsermcp", "selenium", "stagehand",
	}},
	{Place{"data", "Databases to look into and query"}, []string{
		"postgres", "postgresql", "sqlite", "mysql", "mongodb", "redis", "supabase", "duckdb", "clickhouse", "snowflake", "bigquery",
		"elasticsearch", "neo4j", "qdrant", "pinecone", "motherduck", "prisma", "neon", "dbhub",
	}},
	{Place{"cloud", "Cloud services, containers and deployments"}, []string{
		"aws", "awslabs", "azure", "gcp", "gcloud", "cloudflare", "kubernetes", "k8s", "docker", "terraform", "vercel", "netlify", "heroku", "grafana", "datadog",
	}},
	{Place{"web", "Search the web and read pages"}, []string{
		"fetch", "brave", "tavily", "exa", "firecrawl", "perplexity", "searxng", "duckduckgo", "kagi", "serper", "apify",
	}},
	{Place{"office", "Mail, calendars, notes and tasks"}, []string{
		"notion", "slack", "linear", "jira", "atlassian", "confluence", "asana", "gmail", "calendar", "workspace", "outlook", "airtable",
		"trello", "todoist", "obsidian", "discord", "teams", "hubspot", "stripe", "zapier",
	}},
	{Place{"memory", "What is remembered between sessions, and thinking in steps"}, []string{
		"memory", "mem0", "knowledge", "sequential", "thinking", "zep",
	}},
	{Place{"files", "Files and folders on this machine"}, []string{"filesystem", "files", "gdrive", "dropbox", "everything", "desktop"}},
}

// other is the toolbox for everything else.
var other = Place{Toolbox: "tools", Description: "Tools that belong to no other toolbox"}

// propose returns the toolbox that fits a server, by its package or name.
func propose(server serverconfig.Server) Place {
	for _, text := range []string{program(server.Settings), server.Name} {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		})
		for _, kind := range kinds {
			if slices.ContainsFunc(kind.words, func(word string) bool { return slices.Contains(words, word) }) {
				return kind.Place
			}
		}
	}
	return other
}

// program returns the name of the package, the script, the program or the host that is a server.
func program(settings serverconfig.Settings) string {
	if settings.URL != "" {
		address := strings.TrimPrefix(strings.TrimPrefix(settings.URL, "https://"), "http://")
		address, _, _ = strings.Cut(address, "?")
		return address
	}
	line := launcher.Read(settings.Command, settings.Args)
	target := line.Target()
	for _, option := range line.Options {
		if option.Name == "--directory" { // of uv: the repository of the server
			target = option.Value
		}
	}
	if strings.HasPrefix(target, "/") || strings.HasPrefix(target, ".") || strings.HasPrefix(target, "~") {
		return path.Base(target)
	}
	return cmp.Or(target, line.Program)
}
