package hosts_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
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
		text, err := json.Marshal(settings)
		Expect(err).NotTo(HaveOccurred())
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
		d.write("provider.json", `{"autoupdate": false, "share": "disabled", "model": "stand-in/model",
			"small_model": "stand-in/model", "provider": {"stand-in": {"npm": "@ai-sdk/openai-compatible", "name": "Stand-in",
			"options": {"baseURL": "`+m.URL()+`/v1", "apiKey": "none"}, "models": {"model": {"name": "Model"}}}}}`)
		d.run(ctx, "opencode-linux-x64/bin/opencode", []string{"run", prompt},
			"OPENCODE_CONFIG="+d.path("provider.json"), "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1",
			"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
		return modelConversation(m)
	},
}
