package hostfiles_test

import (
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
)

var _ = Describe("A host's own places and forms", func() {
	DescribeTable("are known on each system", func(id, linux, darwin, windows string) {
		host, known := hostfiles.Find(id)
		Expect(known).To(BeTrue())
		for system, want := range map[string]string{"linux": linux, "darwin": darwin, "windows": windows} {
			m := machine(system)
			m.System = system
			Expect(filepath.ToSlash(host.UserFile(m).Path)).To(Equal("/no/home/"+want), system)
		}
	},
		Entry(nil, "copilot", ".copilot/mcp-config.json", ".copilot/mcp-config.json", ".copilot/mcp-config.json"),
		Entry(nil, "zed", ".config/zed/settings.json", ".config/zed/settings.json", "AppData/Roaming/Zed/settings.json"),
		Entry(nil, "cline", ".cline/data/settings/cline_mcp_settings.json", ".cline/data/settings/cline_mcp_settings.json",
			".cline/data/settings/cline_mcp_settings.json"),
		Entry(nil, "roo", ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
			"Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
			"AppData/Roaming/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"),
		Entry(nil, "kiro", ".kiro/settings/mcp.json", ".kiro/settings/mcp.json", ".kiro/settings/mcp.json"),
		Entry(nil, "lmstudio", ".lmstudio/mcp.json", ".lmstudio/mcp.json", ".lmstudio/mcp.json"),
		Entry(nil, "amp", ".config/amp/settings.json", ".config/amp/settings.json", ".config/amp/settings.json"),
		Entry(nil, "qwen", ".qwen/settings.json", ".qwen/settings.json", ".qwen/settings.json"),
		Entry(nil, "crush", ".config/crush/crush.json", ".config/crush/crush.json", ".config/crush/crush.json"),
		Entry(nil, "kimi", ".kimi-code/mcp.json", ".kimi-code/mcp.json", ".kimi-code/mcp.json"),
		Entry(nil, "antigravity", ".gemini/config/mcp_config.json", ".gemini/config/mcp_config.json", ".gemini/config/mcp_config.json"),
		Entry(nil, "warp", ".warp/.mcp.json", ".warp/.mcp.json", ".warp/.mcp.json"),
		Entry(nil, "goose", ".config/goose/config.yaml", ".config/goose/config.yaml", "AppData/Roaming/Block/goose/config/config.yaml"),
		Entry(nil, "continue", ".continue/config.yaml", ".continue/config.yaml", ".continue/config.yaml"),
	)

	DescribeTable("follow the host's own variables", func(id, variable, want string) {
		m := machine("linux")
		m.Getenv = func(name string) string { return map[string]string{variable: "/elsewhere"}[name] }
		host, _ := hostfiles.Find(id)
		Expect(filepath.ToSlash(host.UserFile(m).Path)).To(Equal("/elsewhere/" + want))
	},
		Entry(nil, "copilot", "COPILOT_HOME", "mcp-config.json"),
		Entry(nil, "cline", "CLINE_DIR", "data/settings/cline_mcp_settings.json"),
		Entry(nil, "cline", "CLINE_DATA_DIR", "settings/cline_mcp_settings.json"),
		Entry(nil, "crush", "CRUSH_GLOBAL_CONFIG", "crush.json"),
		Entry(nil, "kimi", "KIMI_CODE_HOME", "mcp.json"),
		Entry(nil, "zed", "XDG_CONFIG_HOME", "zed/settings.json"),
		Entry(nil, "goose", "GOOSE_PATH_ROOT", "config/config.yaml"),
		Entry(nil, "continue", "CONTINUE_GLOBAL_DIR", "config.yaml"),
	)

	DescribeTable("become the workbench's", func(id, member, text string, want setup.Settings, notes ...string) {
		servers := parsedServers(id, setup.User, `{"`+member+`": {"s": `+text+`}}`)
		Expect(servers).To(HaveLen(1))
		got := servers[0].Settings
		for _, values := range []*map[string]string{&got.Env, &got.Headers} {
			if len(*values) == 0 {
				*values = nil
			}
		}
		Expect(got).To(Equal(want))
		Expect(servers[0].Notes).To(HaveLen(len(notes)))
		for i, note := range notes {
			Expect(servers[0].Notes[i]).To(ContainSubstring(note))
		}
	},
		Entry("a list of tools: copilot", "copilot", "mcpServers", `{"type": "local", "command": "a", "tools": ["x", "y"], "env": {"A": "${B}"}}`,
			setup.Settings{Command: "a", Env: map[string]string{"A": "${B}"}, ToolFilters: []string{"x", "y"}}),
		Entry("all tools: copilot", "copilot", "mcpServers", `{"type": "sse", "url": "https://a", "tools": ["*"]}`,
			setup.Settings{URL: "https://a", Transport: "sse"}),
		Entry("an earlier form: zed", "zed", "context_servers",
			`{"source": "custom", "enabled": false, "command": {"path": "a", "args": ["b"], "env": {"A": "1"}}}`,
			setup.Settings{Command: "a", Args: []string{"b"}, Env: map[string]string{"A": "1"}, Disabled: true}),
		Entry("an extension has no program: zed", "zed", "context_servers", `{"settings": {"key": 1}}`,
			setup.Settings{}, "an extension of Zed starts it"),
		Entry("a transport: cline", "cline", "mcpServers",
			`{"transport": {"type": "streamableHttp", "url": "https://a", "headers": {"A": "${env:B}"}}, "disabled": true}`,
			setup.Settings{URL: "https://a", Headers: map[string]string{"A": "${B}"}, Disabled: true}),
		Entry("an address without a type: cline", "cline", "mcpServers", `{"url": "https://a"}`,
			setup.Settings{URL: "https://a", Transport: "sse"}),
		Entry("what needs no yes: roo", "roo", "mcpServers", `{"command": "a", "alwaysAllow": ["x"], "disabledTools": ["y"]}`,
			setup.Settings{Command: "a", ToolFilters: []string{"*", "!y"}}, `"alwaysAllow" is left out`),
		Entry("a folder: warp", "warp", "mcpServers", `{"command": "a", "working_directory": "/w"}`,
			setup.Settings{Command: "a", Cwd: "/w"}),
		Entry("tools: amp", "amp", "amp.mcpServers", `{"command": "a", "args": ["${B}"], "includeTools": ["x"]}`,
			setup.Settings{Command: "a", Args: []string{"${B}"}, ToolFilters: []string{"x"}}),
		Entry("both kinds of references: qwen", "qwen", "mcpServers", `{"httpUrl": "https://a", "headers": {"A": "$B ${C}"}, "trust": true}`,
			setup.Settings{URL: "https://a", Headers: map[string]string{"A": "${B} ${C}"}}, `"trust" is left out`),
		Entry("what a shell expands: crush", "crush", "mcp",
			`{"type": "stdio", "command": "a", "env": {"A": "$B", "C": "$(cat d)"}, "disabled_tools": ["x"]}`,
			setup.Settings{
				Command: "a", Env: map[string]string{"A": "${B}", "C": "$(cat d)"}, ToolFilters: []string{"*", "!x"},
				Untranslated: map[string]string{"$(…)": "$(cat d)"},
			}, "a command of a shell"),
		Entry("a token: kimi", "kimi", "mcpServers", `{"url": "https://a", "bearerTokenEnvVar": "B", "enabled": false, "enabledTools": ["x"]}`,
			setup.Settings{URL: "https://a", Headers: map[string]string{"Authorization": "Bearer ${B}"}, Disabled: true, ToolFilters: []string{"x"}}),
		Entry("names of variables: goose", "goose", "extensions",
			`{"type": "stdio", "enabled": false, "cmd": "a", "args": ["$B"], "env_keys": ["C"], "available_tools": ["x"], "timeout": 1}`,
			setup.Settings{Command: "a", Args: []string{"${B}"}, InheritEnv: []string{"C"}, ToolFilters: []string{"x"}, Disabled: true},
			"Goose keeps the values of C", `"timeout"`),
		Entry("an address: goose", "goose", "extensions", `{"type": "streamable_http", "uri": "https://a", "headers": {"A": "1"}}`,
			setup.Settings{URL: "https://a", Headers: map[string]string{"A": "1"}}),
		Entry("an address: antigravity", "antigravity", "mcpServers", `{"serverUrl": "https://a", "disabledTools": ["x"]}`,
			setup.Settings{URL: "https://a", ToolFilters: []string{"*", "!x"}}),
	)

	It("are a list in Continue, whose references become the workbench's", func() {
		servers := parsedServers("continue", setup.User, "mcpServers:\n  - name: s\n    url: https://a\n    apiKey: ${{ secrets.B }}\n"+
			"    requestOptions: {headers: {C: 'd ${{secrets.E}}'}}\n")
		Expect(servers).To(HaveLen(1))
		Expect(servers[0].Name).To(Equal("s"))
		Expect(servers[0].Settings.Headers).To(Equal(map[string]string{"Authorization": "Bearer ${B}", "C": "d ${E}"}))
		Expect(servers[0].Notes).To(BeEmpty())
	})

	It("leave out what is a part of Goose", func() {
		Expect(parsedServers("goose", setup.User, "extensions:\n  developer: {type: builtin, enabled: true}\n  x: 1\n")).To(BeEmpty())
	})

	It("show no value of an object within a server", func() {
		for id, text := range map[string]string{
			"zed":   `{"context_servers": {"s": {"command": {"path": "a", "env": {"TOKEN": "hidden-value"}}}}}`,
			"cline": `{"mcpServers": {"s": {"transport": {"type": "sse", "url": "https://a", "headers": {"TOKEN": "hidden-value"}}}}}`,
		} {
			masked := string(hostfiles.Masked(file(id, setup.User), []byte(text)))
			Expect(masked).To(And(ContainSubstring(`"TOKEN"`), Not(ContainSubstring("hidden"))), id)
		}
	})

	It("write no variable for a host that passes its whole environment on", func() {
		for _, host := range hostfiles.Hosts() {
			written := string(hostfiles.EntryJSON(host.UserFile(machine("linux")), hostfiles.Entry{Command: "/w", Variables: []string{"A_TOKEN"}}))
			if host.Inherits {
				Expect(written).NotTo(ContainSubstring("A_TOKEN"), host.ID)
			} else if host.PassesOn(hostfiles.Entry{}) {
				Expect(written).To(ContainSubstring("A_TOKEN"), host.ID)
			}
		}
	})
})
