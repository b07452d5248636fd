package wording

import (
	"cmp"
	"strings"
	"time"

	"mcp-workbench/domain"
)

// Host says how much of the workbench's texts a host passes on to its model. The zero Host passes on
// everything.
type Host struct {
	// Name is its name in the help topic of hosts, "" for an unknown host.
	Name string
	// maxFirstLine is how many characters of the first line of the instructions the model reads if it
	// reads no other line; 0 if it reads all lines.
	maxFirstLine int
	// maxText is the number of characters after which the host cuts instructions and descriptions of
	// tools, 0 if it does not cut them.
	maxText int
	// MaxResult is the maximum size in bytes of a tool's result that reaches the model whole, 0 if there
	// is no limit; ResultLimit is the limit in the host's own words.
	MaxResult   int
	ResultLimit string
	// maxCall is the limit for tools other than open_toolbox if it is less than MaxResult, otherwise 0.
	maxCall int
	// countsJSON is set if the host counts the JSON of the content of a result, not its texts.
	countsJSON bool
	// ClosesObjects is set if the host turns an object whose members a schema does not name into one without members,
	// or refuses its members, even if the schema allows them.
	ClosesObjects bool
	// TakesPlaces is set if the host takes XDG_STATE_HOME away from the workbench.
	TakesPlaces bool
	// OpenReply is how long the opening of a toolbox can take without the host giving it up, 0 if that is not known.
	OpenReply time.Duration
	// IgnoresProgress is set if the host asks for the progress of each call, and gives calls up at the same time with it.
	IgnoresProgress bool
}

// patient is how long an opening can take for hosts that wait for a minute or longer.
const patient = 45 * time.Second

// CallLimit returns how large a result of a call can be to reach the model whole. Bytes is 0 if there is
// no limit.
func (h Host) CallLimit() domain.ResultLimit {
	return domain.ResultLimit{Bytes: cmp.Or(h.maxCall, h.MaxResult), Escaped: h.countsJSON}
}

// knownHosts maps names in clientInfo to the hosts that pass on less than everything, or change schemas. Each limit was
// measured with the version of the host that is in tests/hosts/npm/package-lock.json, except where its
// code is named; make hosts shows whether it still applies.
var knownHosts = map[string]Host{
	// Codex lists servers whose tools are found by a search as "name: first line", cut
	// at 250 characters, and leaves out the middle of a result over 10,000 tokens; it counts four bytes
	// of the JSON of the content as a token (codex-rs, as_function_call_output_payload in models.rs,
	// codex_utils_string and truncate.rs). Its library adds a progress token to each request (rmcp, send_cancellable_request).
	"codex-mcp-client": {Name: "Codex", OpenReply: patient, IgnoresProgress: true, TakesPlaces: true, maxFirstLine: 250, MaxResult: 40_000, ResultLimit: "10,000 tokens", countsJSON: true},
	// Claude Code ends both texts with "… [truncated]". Results of open_toolbox have
	// 500,000 characters by their _meta key
	// (https://code.claude.com/docs/en/mcp, "Output limits", and its changelog for 2.1.84); others
	// over 50,000 characters go into a file.
	"claude-code": {Name: "Claude Code", OpenReply: patient, maxText: 2048, MaxResult: maxResultChars, ResultLimit: "500,000 characters", maxCall: 50_000},
	// Gemini CLI keeps the first 8,000 and the last 32,000 characters of a result
	// (tools.truncateToolOutputThreshold in its settings).
	"gemini-cli-mcp-client": {Name: "Gemini CLI", OpenReply: patient, MaxResult: 40_000, ResultLimit: "40,000 characters"},
	// opencode keeps the whole lines that fit into 50 KB (its tool/truncate.ts).
	"opencode": {Name: "opencode", OpenReply: patient, MaxResult: 50 << 10, ResultLimit: "50 KB"},
	// GitHub Copilot CLI writes a longer result to a file, and shows its first 500 characters.
	"copilot-cli": {Name: "GitHub Copilot CLI", MaxResult: 20 << 10, ResultLimit: "20 KB"},
	// Qwen Code does the same with 2,000 characters. Its name ends with that of the server.
	qwenCode: {Name: "Qwen Code", OpenReply: patient, MaxResult: 28_000, ResultLimit: "28,000 characters"},
	// Roo Code sets additionalProperties to false in every object (its src/utils/json-schema.ts).
	"Roo Code": {Name: "Roo Code", OpenReply: patient, TakesPlaces: true, ClosesObjects: true},
	// mcp-use up to 1.x takes an object that says nothing about its members for one without members (JSONSchemaToZod).
	"mcp-use": {Name: "mcp-use", ClosesObjects: true},
	// These wait for a minute or longer, and pass everything on.
	"Cline": {Name: "Cline", OpenReply: patient}, "@cline/core": {Name: "Cline", OpenReply: patient},
	"goose": {Name: "Goose", OpenReply: patient},
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
