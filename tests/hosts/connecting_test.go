package hosts_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

// quiet stops hosts from looking for newer versions of themselves.
var quiet = []string{
	"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "GEMINI_CLI_TRUST_WORKSPACE=true",
	"OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
}

// ask runs a host's own program at the account and returns its output; Gemini CLI
// prints its list to standard error.
func (d account) ask(ctx context.Context, h host, words ...string) string {
	GinkgoHelper()
	stdout, stderr := d.runToEnd(ctx, h.program, words, quiet...)
	return stdout + stderr
}

// command runs the workbench like the user of the account, with these programs of
// hosts in the PATH, and returns its output.
func (d account) command(ctx context.Context, inPath []host, words ...string) string {
	GinkgoHelper()
	directory, err := os.MkdirTemp(d.directory, "bin")
	Expect(err).NotTo(HaveOccurred())
	for _, h := range inPath {
		program := packageFile(h.program)
		Expect(os.Symlink(program, filepath.Join(directory, filepath.Base(program)))).To(Succeed())
	}
	stdout, stderr := d.runToEnd(ctx, programs.Workbench, words, append(quiet, "PATH="+directory)...)
	return stdout + stderr
}

// entry returns a server in a JSON file of the account, without empty members.
func (d account) entry(name string, path ...string) map[string]any {
	GinkgoHelper()
	var at map[string]any
	text := regexp.MustCompile(`,(\s*[}\]])`).ReplaceAllString(d.read(name), "$1") // opencode writes such commas
	Expect(json.Unmarshal([]byte(text), &at)).To(Succeed())
	for _, member := range path {
		next, ok := at[member].(map[string]any)
		Expect(ok).To(BeTrue(), "%s in %s", member, d.read(name))
		at = next
	}
	if env, ok := at["env"].(map[string]any); ok && len(env) == 0 {
		delete(at, "env")
	}
	if at["enabled"] == true {
		delete(at, "enabled")
	}
	return at
}

// ownConfiguration is the path of the file that init writes.
const ownConfiguration = ".config/mcp-workbench/workbench-config.json"

var _ = Describe("The entry that connect writes", func() {
	DescribeTable("is a server that the host's own list shows as connected", func(ctx SpecContext, h host, id, folder, shown string) {
		d := accountWith(seven)
		Expect(os.MkdirAll(d.path(folder), 0o700)).To(Succeed())

		d.command(ctx, []host{claudeCode}, "connect", id, "--config", d.path("workbench-config.json"), "--yes")
		Expect(d.ask(ctx, h, "mcp", "list")).To(MatchRegexp(shown))

		d.command(ctx, []host{claudeCode}, "disconnect", id, "--yes")
		Expect(d.ask(ctx, h, "mcp", "list")).NotTo(ContainSubstring("workbench"))
		Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
	},
		Entry("Claude Code", claudeCode, "claude-code", "work", `workbench: .*--config .* - ✔ Connected`),
		Entry("Gemini CLI", geminiCLI, "gemini", ".gemini", `✓ workbench: .*--config .* - Connected`),
		Entry("opencode", openCode, "opencode", ".config/opencode", `✓ workbench .*connected`),
		Entry("GitHub Copilot CLI", copilot, "copilot", ".copilot", `workbench \(local\)`),
		Entry("Qwen Code", qwenCode, "qwen", ".qwen", `✓\S* workbench: .*--config .* - Connected`),
	)

	It("is a server that Codex lists and starts", func(ctx SpecContext) {
		d := accountWith(seven)
		c := converseWithCodex(ctx, d, []model.Call{open("memory"), use("memory", "echo")}, func() {
			d.command(ctx, nil, "connect", "codex", "--config", d.path("workbench-config.json"), "--yes")
			Expect(d.ask(ctx, codex, "mcp", "list")).To(MatchRegexp(`workbench .*--config .*enabled`))
		})

		Expect(c.results).To(HaveExactElements(ContainSubstring("echo"), ContainSubstring("It says: hello")))
	})

	It("passes on the variables that servers need, as the host's own references", func(ctx SpecContext) {
		for _, h := range []struct {
			host
			id, folder string
		}{{claudeCode, "claude-code", "work"}, {geminiCLI, "gemini", ".gemini"}, {openCode, "opencode", ".config/opencode"}} {
			d := newAccount("")
			d.write("workbench-config.json", strings.Replace(
				configurationOf(d.path("script.json"), seven[:1]), `"command"`, `"env": {"A": "${A_TOKEN}"}, "command"`, 1))
			Expect(os.MkdirAll(d.path(h.folder), 0o700)).To(Succeed())
			d.command(ctx, nil, "connect", h.id, "--config", d.path("workbench-config.json"), "--yes")
			d.write("bin/tell", "#!/bin/sh\necho \"$A_TOKEN\" > '"+d.path("told")+"'\nexec '"+programs.Workbench+"' \"$@\"\n")
			Expect(os.Chmod(d.path("bin/tell"), 0o700)).To(Succeed())
			for _, name := range []string{".claude.json", ".gemini/settings.json", ".config/opencode/opencode.json"} {
				if text, err := os.ReadFile(d.path(name)); err == nil {
					d.write(name, strings.ReplaceAll(string(text), programs.Workbench, d.path("bin/tell")))
				}
			}

			d.run(ctx, h.program, []string{"mcp", "list"}, append(quiet, "A_TOKEN=handed-on")...)

			Expect(d.read("told")).To(Equal("handed-on\n"), h.name)
		}
	})
})

var _ = Describe("The entry of the workbench", func() {
	DescribeTable("equals the one that the host's own command writes", func(ctx SpecContext, h host, id, file string, member string, words ...string) {
		d := accountWith(seven)
		d.write(file, "{}")
		d.command(ctx, nil, "connect", id, "--config", d.path("workbench-config.json"), "--yes")
		written := d.entry(file, member, "workbench")

		other := accountWith(seven)
		other.write(file, "{}")
		words = append(words, programs.Workbench, "--", "--config", d.path("workbench-config.json"))
		if h.name != geminiCLI.name {
			words = append(words[:len(words)-4], "--", programs.Workbench, "--config", d.path("workbench-config.json"))
		}
		other.ask(ctx, h, words...)
		Expect(other.entry(file, member, "workbench")).To(Equal(written))
	},
		Entry("of Claude Code", claudeCode, "claude-code", ".claude.json", "mcpServers", "mcp", "add", "--scope", "user", "workbench"),
		Entry("of Gemini CLI", geminiCLI, "gemini", ".gemini/settings.json", "mcpServers", "mcp", "add", "--scope", "user", "workbench"),
		Entry("of opencode", openCode, "opencode", ".config/opencode/opencode.json", "mcp", "mcp", "add", "workbench"),
	)

	It("of Claude Code is the same whether its program writes it or not", func(ctx SpecContext) {
		d := accountWith(seven)
		d.command(ctx, nil, "connect", "claude-code", "--config", d.path("workbench-config.json"), "--yes")
		written := d.entry(".claude.json", "mcpServers", "workbench")
		d.command(ctx, nil, "disconnect", "claude-code", "--yes")

		output := d.command(ctx, []host{claudeCode}, "connect", "claude-code", "--config", d.path("workbench-config.json"), "--yes")

		Expect(output).To(ContainSubstring("Claude Code changes the file itself"))
		Expect(d.entry(".claude.json", "mcpServers", "workbench")).To(Equal(written))
	})

	It("of Codex equals the one that its own command writes", func(ctx SpecContext) {
		d := accountWith(seven)
		d.write(".codex/config.toml", "")
		d.ask(ctx, codex, "mcp", "add", "workbench", "--", programs.Workbench, "--config", d.path("workbench-config.json"))
		shown := func() string { return d.run(ctx, codex.program, []string{"mcp", "get", "workbench", "--json"}) }
		theirs := shown()

		d.write(".codex/config.toml", "")
		d.command(ctx, nil, "connect", "codex", "--config", d.path("workbench-config.json"), "--yes")

		Expect(theirs).To(ContainSubstring("workbench-config.json"))
		// Codex would take away these variables, which are set here.
		passedOn := strings.Replace(theirs, `"env_vars": []`, `"env_vars": ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"]`, 1)
		Expect(shown()).To(MatchJSON(passedOn))
	})
})

var _ = Describe("From three servers in Claude Code to the workbench and back", func() {
	It("appears in the host's own list, and the file is restored", func(ctx SpecContext) {
		d := accountWith(nil)
		for _, name := range []string{"one", "two", "three"} {
			d.write(name+".json", d.read("script.json"))
			d.ask(ctx, claudeCode, "mcp", "add", "--scope", "user", name, "-e", "TOKEN=secret-of-"+name, "--",
				programs.ScriptedServer, "-script", d.path(name+".json"))
		}
		before := d.entry(".claude.json", "mcpServers")

		output := d.command(ctx, []host{claudeCode}, "init", "--yes")
		output += d.command(ctx, []host{claudeCode}, "connect", "--all", "--replace", "--yes")

		Expect(d.read(ownConfiguration)).To(And(ContainSubstring(`"one"`), ContainSubstring(`"two"`), ContainSubstring(`"three"`)))
		listed := d.ask(ctx, claudeCode, "mcp", "list")
		Expect(listed).To(MatchRegexp(`workbench: .* - ✔ Connected`))
		Expect(listed).NotTo(ContainSubstring("one.json"))

		output += d.command(ctx, []host{claudeCode}, "disconnect", "claude-code", "--yes")

		Expect(d.entry(".claude.json", "mcpServers")).To(Equal(before))
		Expect(output).NotTo(ContainSubstring("secret-of"))
		Eventually(d.processes).WithTimeout(patience).Should(BeEmpty())
	})
})
