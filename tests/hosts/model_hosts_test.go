package hosts_test

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
	"mcp-workbench/tests/spec"
)

// prompt is the user's prompt. The model follows its script and ignores the prompt.
const prompt = "Go"

var claudeCode = host{
	name: "Claude Code", packaged: "@anthropic-ai/claude-code", program: "@anthropic-ai/claude-code-linux-x64/claude",
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		m := model.Start(calls...)
		defer m.Close()
		program, line, _ := strings.Cut(strings.TrimSpace(d.lines("Claude Code")), " ")
		Expect(program).To(Equal("claude"))
		d.run(ctx, "@anthropic-ai/claude-code-linux-x64/claude", words(line))
		d.run(ctx, "@anthropic-ai/claude-code-linux-x64/claude",
			[]string{"-p", prompt, "--allowedTools", "mcp__workbench", "--model", "claude-sonnet-4-5"},
			"ANTHROPIC_BASE_URL="+m.URL(), "ANTHROPIC_API_KEY=none", "DISABLE_AUTOUPDATER=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
		return modelConversation(m)
	},
}

// words splits a line like a shell.
func words(line string) []string {
	found := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1)
	for i := range found {
		found[i] = strings.Trim(found[i], "'")
	}
	return found
}

var codex = host{
	name: "Codex", packaged: "@openai/codex",
	program: "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex", defers: true, firstLine: true,
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		return converseWithCodex(ctx, d, calls, func() {
			d.write(codexFile, d.read(codexFile)+d.lines("Codex"))
		})
	},
}

const codexFile = ".codex/config.toml"

// codexModel returns the settings of Codex for the model.
func codexModel(m *model.Server) string {
	return `model = "gpt-5.5"
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "` + m.URL() + `/v1"
wire_api = "responses"
`
}

// converseWithCodex lets Codex connect and make the calls, with the additions of prepare to its
// configuration.
func converseWithCodex(ctx context.Context, d account, calls []model.Call, prepare func()) conversation {
	GinkgoHelper()
	for i := range calls {
		calls[i].Namespace = "mcp__workbench"
	}
	m := model.Start(calls...)
	defer m.Close()
	d.write(codexFile, codexModel(m))
	prepare()
	d.run(ctx, "@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex",
		[]string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt})
	return modelConversation(m)
}

var geminiCLI = host{
	name: "Gemini CLI", packaged: "@google/gemini-cli", program: "@google/gemini-cli/bundle/gemini.js",
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		m := model.Start(calls...)
		defer m.Close()
		var settings map[string]any
		Expect(json.Unmarshal([]byte(d.lines("Gemini CLI")), &settings)).To(Succeed())
		settings["security"] = map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}}
		settings["general"] = map[string]any{"enableAutoUpdate": false}
		settings["privacy"] = map[string]any{"usageStatisticsEnabled": false}
		text := spec.Must(json.Marshal(settings))
		d.write(".gemini/settings.json", string(text))
		d.run(ctx, "@google/gemini-cli/bundle/gemini.js", []string{"-p", prompt, "--yolo", "-m", "gemini-2.5-flash"},
			"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+m.URL(), "GEMINI_CLI_TRUST_WORKSPACE=true")
		return modelConversation(m)
	},
}

var openCode = host{
	name: "opencode", packaged: "opencode-linux-x64", program: "opencode-linux-x64/bin/opencode",
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		m := model.Start(calls...)
		defer m.Close()
		d.write(".config/opencode/opencode.json", d.lines("opencode"))
		d.write("provider.json", providerOfOpencode(m))
		d.run(ctx, "opencode-linux-x64/bin/opencode", []string{"run", prompt}, append(quietOpencode, "OPENCODE_CONFIG="+d.path("provider.json"))...)
		return modelConversation(m)
	},
}

// quietOpencode keeps opencode from asking others.
var quietOpencode = []string{
	"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
}

// providerOfOpencode returns the settings of opencode for the model.
func providerOfOpencode(m *model.Server) string {
	return `{"autoupdate": false, "share": "disabled", "model": "stand-in/model",
		"small_model": "stand-in/model", "provider": {"stand-in": {"npm": "@ai-sdk/openai-compatible", "name": "Stand-in",
		"options": {"baseURL": "` + m.URL() + `/v1", "apiKey": "none"}, "models": {"model": {"name": "Model"}}}}}`
}

var copilot = host{
	name: "GitHub Copilot CLI", packaged: "@github/copilot", program: "@github/copilot-linux-x64/copilot",
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		m := model.Start(calls...)
		defer m.Close()
		d.write(".copilot/mcp-config.json", d.lines("GitHub Copilot CLI"))
		d.run(ctx, "@github/copilot-linux-x64/copilot", []string{"-p", prompt, "--allow-all-tools", "--disable-builtin-mcps"},
			"COPILOT_PROVIDER_BASE_URL="+m.URL()+"/v1", "COPILOT_MODEL=gpt-4.1", "COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false")
		return modelConversation(m)
	},
}

var qwenCode = host{
	name: "Qwen Code", packaged: "@qwen-code/qwen-code", program: "@qwen-code/qwen-code/cli-entry.js", defers: true,
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		for i := range calls {
			calls[i].Tool, calls[i].Namespace = "mcp__workbench__"+calls[i].Tool, "mcp__workbench"
		}
		m := model.Start(calls...)
		defer m.Close()
		var settings map[string]any
		Expect(json.Unmarshal([]byte(d.lines("Qwen Code")), &settings)).To(Succeed())
		settings["security"] = map[string]any{"auth": map[string]any{"selectedType": "openai"}}
		settings["general"] = map[string]any{"enableAutoUpdate": false}
		settings["privacy"] = map[string]any{"usageStatisticsEnabled": false}
		settings["memory"] = map[string]any{"enableManagedAutoMemory": false, "enableManagedAutoDream": false}
		text := spec.Must(json.Marshal(settings))
		d.write(".qwen/settings.json", string(text))
		d.run(ctx, "@qwen-code/qwen-code/cli-entry.js", []string{"-p", prompt, "--yolo"},
			"OPENAI_API_KEY=none", "OPENAI_BASE_URL="+m.URL()+"/v1", "OPENAI_MODEL=gpt-4.1")
		return modelConversation(m)
	},
}

var continueCLI = host{
	name: "Continue", packaged: "@continuedev/cli", program: "@continuedev/cli/dist/cn.js",
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		m := model.Start(calls...)
		defer m.Close()
		const file = ".continue/config.yaml"
		d.write(file, "name: mine\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: stand-in\n    provider: openai\n    model: gpt-4.1\n"+
			"    apiKey: none\n    apiBase: "+m.URL()+"/v1\n    useResponsesApi: false\n    roles: [chat]\n"+d.lines("Continue"))
		d.run(ctx, "@continuedev/cli/dist/cn.js", []string{"-p", prompt, "--auto", "--config", d.path(file)}, "CONTINUE_TELEMETRY_ENABLED=0")
		c := modelConversation(m)
		for i, result := range c.results { // a text of JSON there
			c.results[i] = strings.ReplaceAll(result, `\"`, `"`)
		}
		return c
	},
}

var mcporter = host{
	name: "mcporter", packaged: "mcporter", program: "mcporter/dist/cli.js", oneShot: true,
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		d.write(".mcporter/mcporter.json", d.lines("mcporter"))
		c := conversation{read: d.run(ctx, "mcporter/dist/cli.js", []string{"list", "workbench", "--schema"})}
		for _, call := range calls {
			c.results = append(c.results, d.run(ctx, "mcporter/dist/cli.js",
				[]string{"call", "workbench." + call.Tool, "--args", call.Arguments, "--output", "text"}))
		}
		return c
	},
}

const inspectorProgram = "@modelcontextprotocol/inspector/cli/build/cli.js"

var inspector = host{
	name: "Inspector", packaged: "@modelcontextprotocol/inspector", program: inspectorProgram, oneShot: true,
	converse: func(ctx context.Context, d account, calls []model.Call) conversation {
		GinkgoHelper()
		d.write("mcp.json", d.lines("Inspector"))
		inspect := func(arguments ...string) string {
			return d.run(ctx, inspectorProgram,
				append([]string{"--cli", "--config", d.path("mcp.json"), "--server", "workbench", "--method"}, arguments...))
		}
		c := conversation{read: inspect("tools/list")}
		for _, call := range calls {
			arguments := []string{"tools/call", "--tool-name", call.Tool}
			var members map[string]json.RawMessage
			Expect(json.Unmarshal([]byte(call.Arguments), &members)).To(Succeed())
			for name, value := range members {
				arguments = append(arguments, "--tool-arg", name+"="+strings.Trim(string(value), `"`))
			}
			var result struct{ Content []struct{ Text string } }
			printed := inspect(arguments...)
			Expect(json.Unmarshal([]byte(printed), &result)).To(Succeed(), printed)
			Expect(result.Content).NotTo(BeEmpty(), printed)
			c.results = append(c.results, result.Content[0].Text)
		}
		return c
	},
}

// host is a host that the specs run.
type host struct {
	// name is its name in the help topic.
	name string
	// packaged is the npm package whose version is reported, and program the file in it that is
	// run, by Node if it is a script.
	packaged, program string
	// converse lets the host connect and make the calls.
	converse func(ctx context.Context, d account, calls []model.Call) conversation
	// oneShot hosts have no model and start a new workbench for each call.
	oneShot bool
	// defers reports whether the model reads definitions of tools only after it has searched
	// for them.
	defers bool
	// firstLine reports whether the model reads only the first line of the instructions, cut.
	firstLine bool
}

// conversation is the result of a run.
type conversation struct {
	// read is the text that the model would get before its first call.
	read string
	// results are the results of the calls.
	results []string
}

// hosts are all of them, in the order of the help topic.
var hosts = []host{claudeCode, codex, geminiCLI, openCode, copilot, qwenCode, continueCLI, mcporter, inspector}

// modelConversation returns the result of a run with a model.
func modelConversation(m *model.Server) conversation {
	requests := m.Requests()
	if len(requests) == 0 {
		return conversation{}
	}
	// The last request of a host may be for another purpose, such as a memory.
	longest := slices.MaxFunc(requests, byResults)
	return conversation{read: requests[0].Text, results: longest.Results}
}

// byResults orders requests by the number of results that they have.
func byResults(a, b model.Request) int { return cmp.Compare(len(a.Results), len(b.Results)) }
