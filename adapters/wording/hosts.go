package wording

// Host is how much of the workbench's texts a host passes on to its model. The zero Host passes on
// everything.
type Host struct {
	// Name is how the host's help topic calls it, "" when nothing is known.
	Name string
	// maxFirstLine is how many characters of the first line of the instructions the
	// model reads, when it reads no other line; 0 when it reads all lines.
	maxFirstLine int
	// maxText is after how many characters the host cuts instructions and
	// descriptions of tools, 0 when it does not.
	maxText int
	// MaxResult is how many bytes of a tool's result get to the model whole, 0 when
	// there is no such limit; ResultLimit is the limit in the host's own words.
	MaxResult   int
	ResultLimit string
}

// knownHosts are the hosts that pass on less than all, by the name in their
// clientInfo. Each limit was measured with the version of the host that is in
// tests/hosts/npm/package-lock.json; make hosts shows whether it is still true.
var knownHosts = map[string]Host{
	// Codex lists servers whose tools are found by a search as "name: first line", cut
	// at 250 characters, and puts the middle of a result over 10,000 tokens aside; it
	// counts four bytes as a token (codex-rs, codex_utils_string and truncate.rs).
	"codex-mcp-client": {Name: "Codex", maxFirstLine: 250, MaxResult: 40_000, ResultLimit: "10,000 tokens"},
	// Claude Code ends both texts with "… [truncated]". Results of open_toolbox have
	// 500,000 characters by their _meta key
	// (https://code.claude.com/docs/en/mcp, "Output limits", and its changelog for 2.1.84).
	"claude-code": {Name: "Claude Code", maxText: 2048, MaxResult: maxResultChars, ResultLimit: "500,000 characters"},
	// Gemini CLI keeps the first 8,000 and the last 32,000 characters of a result
	// (tools.truncateToolOutputThreshold in its settings).
	"gemini-cli-mcp-client": {Name: "Gemini CLI", MaxResult: 40_000, ResultLimit: "40,000 characters"},
	// opencode keeps the whole lines that fit into 50 KB (its tool/truncate.ts).
	"opencode": {Name: "opencode", MaxResult: 50 << 10, ResultLimit: "50 KB"},
}

// HostNamed returns what is known of the host with this name in its clientInfo.
func HostNamed(clientName string) Host { return knownHosts[clientName] }
