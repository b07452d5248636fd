package setup

import (
	_ "embed" // for the table
	"strings"
	"sync"
)

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

// tableText has a paragraph for each toolbox: its name and purpose in the first line, and its words, joined with
// commas, in the others.
//
//go:embed toolbox_table.txt
var tableText string

// kinds returns the table of toolboxes. A server goes into the toolbox with the longest entry that it
// matches, and among entries of the same length into the first.
var kinds = sync.OnceValue(func() (table []kind) {
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(tableText), "\r", ""), "\n\n") {
		head, words, _ := strings.Cut(paragraph, "\n")
		toolbox, purpose, _ := strings.Cut(head, ": ")
		table = append(table, kind{toolbox, purpose, strings.Split(strings.ReplaceAll(words, ",\n", ", "), ", ")})
	}
	return table
})

// neutral are words that say nothing about the subject of a server.
var neutral = []string{
	"mcp", "mcps", "server", "servers", "client", "official", "remote", "local", "modelcontextprotocol", "com", "app", "io", "dev", "ai", "api", "apis",
	"www", "net", "org", "co", "my", "the", "v1", "v2", "sse", "http", "https", "stdio", "latest", "js", "py", "node", "dist", "src", "index", "main",
	"run", "hosted", "cloud", "tool", "tools", "reader", "toolkit", "connector", "integration", "agent", "service", "simple", "easy", "fast", "fastmcp",
	"advanced", "enhanced", "plus", "pro", "labs", "studio", "console", "editor", "manager", "full", "unofficial", "community",
}
