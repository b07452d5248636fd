package results_test

import (
	"strings"
	"unicode/utf8"

	. "mcp-workbench/tests/workbenchtest"
)

// host describes how a host cuts results.
type host struct {
	name string
	// client is its name in its clientInfo.
	client string
	// cut returns the part of a text that its model is shown.
	cut func(text string) string
	// file is set if the host stores the whole text in a file that its model may search with other tools.
	file bool
}

// hosts are the hosts in the topic hosts, which has the source of each limit.
var hosts = []host{
	{name: "Codex", client: "codex-mcp-client", cut: withoutMiddleOfJSON(20_000)},
	{name: "Gemini CLI", client: "gemini-cli-mcp-client", cut: withoutMiddle(8_000, 32_000)},
	{name: "opencode", client: "opencode", cut: withoutEnd(50 << 10)},
	{name: "Claude Code", client: "claude-code", cut: preview(50_000, 2_000), file: true},
	{name: "Copilot CLI", client: "copilot-cli", cut: preview(20<<10, 500), file: true},
	{name: "Qwen Code", client: "qwen-cli-mcp-client-workbench", cut: preview(28_000, 2_000), file: true},
	{name: "no cut", client: "continue-cli-client", cut: func(text string) string { return text }},
}

// withoutMiddle keeps the first and the last bytes.
func withoutMiddle(first, last int) func(string) string {
	return func(text string) string {
		if len(text) <= first+last {
			return text
		}
		return strings.ToValidUTF8(text[:first], "") + "\n… truncated …\n" + strings.ToValidUTF8(text[len(text)-last:], "")
	}
}

// withoutMiddleOfJSON keeps the beginning and the end with so many bytes of JSON each.
func withoutMiddleOfJSON(half int) func(string) string {
	return func(text string) string {
		if len(Quote(text)) <= 2*half {
			return text
		}
		first, last := 0, len(text)
		for size := 0; size < half && first < last; first++ {
			size += len(Quote(text[first:first+1])) - len(`""`)
		}
		for size := 0; size < half && last > first; last-- {
			size += len(Quote(text[last-1:last])) - len(`""`)
		}
		return strings.ToValidUTF8(text[:first], "") + "\n… truncated …\n" + strings.ToValidUTF8(text[last:], "")
	}
}

// withoutEnd keeps the whole lines that fit.
func withoutEnd(limit int) func(string) string {
	return func(text string) string {
		if len(text) <= limit {
			return text
		}
		line := strings.LastIndexByte(text[:limit], '\n')
		return text[:max(line, 0)] + "\n… truncated …"
	}
}

// preview keeps the first characters of a text that is stored in a file.
func preview(limit, shown int) func(string) string {
	return func(text string) string {
		if utf8.RuneCountInString(text) <= limit {
			return text
		}
		return strings.ToValidUTF8(text[:shown], "") + "\nThe output was too large. It was saved to /tmp/tool-results/mcp-workbench-use_tool-1.txt"
	}
}
