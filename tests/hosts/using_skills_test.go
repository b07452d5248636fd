package hosts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/hosts/model"
)

// skilled is a host whose model reads skills and has a shell.
type skilled struct {
	name, id, program string
	// run starts the host with the model.
	run func(ctx SpecContext, d account, m *model.Server)
	// skill is the tool that loads a skill by its name, nil if the model reads its file or the tool needs a download, and
	// shell the one that runs a command.
	skill, shell func(argument string) model.Call
}

// calling returns a function that calls a tool with one argument, and with further members.
func calling(tool, argument, rest string) func(string) model.Call {
	return func(value string) model.Call {
		return model.Call{Tool: tool, Arguments: fmt.Sprintf(`{%q:%s%s}`, argument, quote(value), rest)}
	}
}

var skilledHosts = []skilled{
	{
		name: "Claude Code", id: "claude-code", program: claudeCode.program,
		run: func(ctx SpecContext, d account, m *model.Server) {
			d.run(ctx, claudeCode.program, []string{"-p", prompt, "--allowedTools", "Bash,Skill", "--model", "claude-sonnet-4-5"},
				"ANTHROPIC_BASE_URL="+m.URL(), "ANTHROPIC_API_KEY=none", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
		},
		skill: calling("Skill", "skill", ""), shell: calling("Bash", "command", ""),
	},
	{
		name: "Codex", id: "codex", program: codex.program,
		run: func(ctx SpecContext, d account, m *model.Server) {
			d.write(codexFile, codexModel(m))
			d.run(ctx, codex.program, []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt})
		},
		shell: calling("exec_command", "cmd", `,"tty":true`), // a terminal for each command
	},
	{
		name: "Gemini CLI", id: "gemini", program: geminiCLI.program,
		run: func(ctx SpecContext, d account, m *model.Server) {
			d.write(".gemini/settings.json", `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": false}, "privacy": {"usageStatisticsEnabled": false}}`)
			d.run(ctx, geminiCLI.program, []string{"-p", prompt, "--yolo", "-m", "gemini-2.5-flash"},
				"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL="+m.URL(), "GEMINI_CLI_TRUST_WORKSPACE=true")
		},
		skill: calling("activate_skill", "name", ""), shell: calling("run_shell_command", "command", ""),
	},
	{
		name: "opencode", id: "opencode", program: openCode.program,
		run: func(ctx SpecContext, d account, m *model.Server) {
			d.write("provider.json", providerOfOpencode(m))
			d.run(ctx, openCode.program, []string{"run", prompt}, append(quietOpencode, "OPENCODE_CONFIG="+d.path("provider.json"))...)
		},
		shell: calling("bash", "command", `,"description":"Run it"`),
	},
}

var _ = Describe("Using a toolbox by its skill", Label("npm"), func() {
	for _, host := range skilledHosts {
		It("works in "+host.name+", by commands that use the same servers", func(ctx SpecContext) {
			d := accountWith(seven[:2])
			d.write("workbench-config.json", strings.Replace(d.read("workbench-config.json"), "{", `{"background": true,`, 1))
			DeferCleanup(func(ctx context.Context) {
				d.runToEnd(ctx, programs.Workbench, []string{"--config", d.path("workbench-config.json"), "stop"})
			})
			config := d.path("workbench-config.json")
			d.command(ctx, nil, "--config", config, "connect", host.id, "--skills", "--yes")
			workbench := programs.Workbench + " --config " + config
			calls := []model.Call{
				host.shell(workbench + " list files"),
				host.shell(workbench + " list files/scripted/echo"),
				host.shell(workbench + " call files/scripted/echo"),
				host.shell(workbench + " call files/scripted/echo"),
			}
			if host.skill != nil {
				calls = append([]model.Call{host.skill("workbench-files")}, calls...)
			}
			m := model.Start(calls...)
			defer m.Close()
			host.run(ctx, d, m)
			c := modelConversation(m)

			Expect(c.read).To(And(ContainSubstring("workbench-files"), ContainSubstring(seven[0].description), ContainSubstring("workbench-memory")))
			tools, _ := json.Marshal(m.Requests()[0].Tools)
			Expect(c.results).To(HaveLen(len(calls)), string(tools))
			if host.skill != nil {
				Expect(slices.MaxFunc(m.Requests(), byResults).Text).To(ContainSubstring("`mcp-workbench list files/SERVER/TOOL`"))
				c.results = c.results[1:]
			}
			Expect(c.results[0]).To(ContainSubstring("echo"))
			Expect(c.results[1]).To(ContainSubstring("Example: mcp-workbench call files/scripted/echo"))
			Expect(c.results[2]).To(ContainSubstring("It says: hello"))
			Expect(c.results[3]).To(ContainSubstring("It says: hello"))
			Expect(d.hostsShown(ctx)).To(ConsistOf(And(
				HaveField("Name", "shell"), HaveField("Servers", ContainElement(HaveField("Calls", 2))),
			)))
		})
	}
})
