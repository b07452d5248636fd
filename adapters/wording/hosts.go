package wording

import (
	"cmp"
	"strings"

	"mcp-workbench/domain"
)

// Host is how much of the workbench's texts a host passes on to its model. The zero Host passes on
// everything.
type Host struct {
	// Name is its name in the help topic of hosts, "" for an unknown host.
	Name string
	// maxFirstLine is the number of characters of the first line of the instructions that the
	// model reads, when it reads no other line; 0 when it reads all lines.
	maxFirstLine int
	// maxText is after how many characters the host cuts instructions and
	// descriptions of tools, 0 when it does not.
	maxText int
	// MaxResult is the number of bytes of a tool's result that get to the model whole, 0 when
	// there is no such limit; ResultLimit is the limit in the host's own words.
	MaxResult   int
	ResultLimit string
	// maxCall is that of tools other than open_toolbox where it is less, 0 where it is MaxResult.
	maxCall int
	// countsJSON is set if the host counts the JSON of the content of a result, not its texts.
	countsJSON bool
}

// CallLimit returns how much of the result of a call gets to the model whole, without bytes when there
// is no such limit.
func (h Host) CallLimit() domain.ResultLimit {
	return domain.ResultLimit{Bytes: cmp.Or(h.maxCall, h.MaxResult), Escaped: h.countsJSON}
}

// knownHosts are the hosts that pass on less than all, by the name in their
// clientInfo. Each limit was measured with the version of the host that is in
// tests/hosts/npm/package-lock.json, except where its code is named; make hosts shows
// whether it is still true.
var knownHosts = map[string]Host{
	// Codex lists servers whose tools are found by a search as "name: first line", cut
	// at 250 characters, and puts the middle of a result over 10,000 tokens aside; it
	// counts four bytes of the JSON of the content as a token (codex-rs, as_function_call_output_payload
	// in models.rs, codex_utils_string and truncate.rs).
	"codex-mcp-client": {Name: "Codex", maxFirstLine: 250, MaxResult: 40_000, ResultLimit: "10,000 tokens", countsJSON: true},
	// Claude Code ends both texts with "… [truncated]". Results of open_toolbox have
	// 500,000 characters by their _meta key
	// (https://code.claude.com/docs/en/mcp, "Output limits", and its changelog for 2.1.84); others
	// over 50,000 characters go into a file.
	"claude-code": {Name: "Claude Code", maxText: 2048, MaxResult: maxResultChars, ResultLimit: "500,000 characters", maxCall: 50_000},
	// Gemini CLI keeps the first 8,000 and the last 32,000 characters of a result
	// (tools.truncateToolOutputThreshold in its settings).
	"gemini-cli-mcp-client": {Name: "Gemini CLI", MaxResult: 40_000, ResultLimit: "40,000 characters"},
	// opencode keeps the whole lines that fit into 50 KB (its tool/truncate.ts).
	"opencode": {Name: "opencode", MaxResult: 50 << 10, ResultLimit: "50 KB"},
	// GitHub Copilot CLI writes a longer result to a file, and shows its first 500 characters.
	"copilot-cli": {Name: "GitHub Copilot CLI", MaxResult: 20 << 10, ResultLimit: "20 KB"},
	// Qwen Code does the same with 2,000 characters. Its name ends with that of the server.
	qwenCode: {Name: "Qwen Code", MaxResult: 28_000, ResultLimit: "28,000 characters"},
	// Kimi Code CLI cuts the rest (MCP_MAX_OUTPUT_CHARS of its agent-core).
	"kimi-code": {Name: "Kimi Code CLI", MaxResult: 100_000, ResultLimit: "100,000 characters"},
}

// qwenCode begins the name of Qwen Code; the name of the server in its file follows.
const qwenCode = "qwen-cli-mcp-client-"

// HostNamed returns the known host with this name in its clientInfo.
func HostNamed(clientName string) Host {
	if strings.HasPrefix(clientName, qwenCode) {
		clientName = qwenCode
	}
	return knownHosts[clientName]
}
