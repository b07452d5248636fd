package hostfiles_test

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
)

var _ = Describe("What a host's file says of a server", Label("FP01"), func() {
	DescribeTable("is kept as text if it is a number or a boolean", func(host, text string, want setup.Settings) {
		server := parsedServers(host, setup.User, text)[0]
		Expect(server.Settings.Args).To(Equal(want.Args))
		Expect(server.Settings.Env).To(Equal(want.Env))
		Expect(server.Notes).To(BeEmpty())
		Expect(server.IsBroken).To(BeFalse())
	},
		Entry("in JSON", "cursor", `{"mcpServers": {"s": {"command": "x", "args": ["--port", 8080, true], "env": {"ID": 12345678901234567890, "F": 1.50}}}}`,
			setup.Settings{Args: []string{"--port", "8080", "true"}, Env: map[string]string{"ID": "12345678901234567890", "F": "1.50"}}),
		Entry("in YAML", "continue", "mcpServers:\n  - name: s\n    command: x\n    args:\n      - --port\n      - 3000\n    env: {}\n",
			setup.Settings{Args: []string{"--port", "3000"}, Env: map[string]string{}}),
		Entry("in TOML", "codex", "[mcp_servers.s]\ncommand = \"x\"\nargs = [\"--port\", 3000]\nenv = { A = false }\n",
			setup.Settings{Args: []string{"--port", "3000"}, Env: map[string]string{"A": "false"}}),
		Entry("as the program with its arguments", "cursor", `{"mcpServers": {"s": {"command": ["x", "y"], "args": [1], "env": null}}}`,
			setup.Settings{Args: []string{"y", "1"}, Env: map[string]string{}}),
	)

	DescribeTable("marks the server as broken if it cannot be read", func(host, server, key string) {
		read := parsedServers(host, setup.User, `{"mcpServers": {"s": `+server+`}}`)[0]
		Expect(read.IsBroken).To(BeTrue())
		Expect(read.Settings.Untranslated).To(HaveKey(key))
		Expect(read.Notes).To(ContainElement(ContainSubstring(`"` + key + `" has the wrong type`)))
	},
		Entry(nil, "cursor", `{"command": "x", "args": "--port 80"}`, "args"),
		Entry(nil, "cursor", `{"command": "x", "args": ["a", {"b": 1}]}`, "args"),
		Entry(nil, "cursor", `{"command": "x", "env": ["A=b"]}`, "env"),
		Entry(nil, "cursor", `{"command": "x", "env": {"A": {"b": 1}}}`, "env"),
		Entry(nil, "cursor", `{"command": 1, "url": "https://x"}`, "command"),
		Entry(nil, "cursor", `{"url": "https://x", "headers": "A: b"}`, "headers"),
		Entry(nil, "cursor", `{"command": "x", "cwd": 1}`, "cwd"),
		Entry(nil, "cursor", `{"command": "x", "disabled": "sometimes"}`, "disabled"),
		Entry(nil, "cursor", `{"command": "x", "disabledTools": "rm"}`, "disabledTools"),
		Entry(nil, "gemini", `{"command": "x", "includeTools": {"a": 1}}`, "includeTools"),
		Entry(nil, "claude-code", `{"url": "https://x", "oauth": 1}`, "oauth"),
		Entry(nil, "claude-code", `{"url": "https://x", "oauth": {"clientId": 1}}`, "oauth.clientId"),
	)

	DescribeTable("switches it off in the form of any host", func(members string) {
		Expect(parsedServers("cursor", setup.User, `{"mcpServers": {"s": {"command": "x", `+members+`}}}`)[0].Settings.Disabled).To(BeTrue())
	},
		Entry(nil, `"enabled": false`), Entry(nil, `"enabled": "false"`), Entry(nil, `"isActive": false`),
		Entry(nil, `"disabled": true`), Entry(nil, `"disabled": "true"`), Entry(nil, `"disabled": false, "enabled": false`),
	)

	It("leaves it on otherwise", func() {
		server := parsedServers("cursor", setup.User, `{"mcpServers": {"s": {"command": "x", "enabled": true, "disabled": "false", "isActive": null}}}`)[0]
		Expect(server.Settings.Disabled).To(BeFalse())
		Expect(server.Notes).To(BeEmpty())
	})

	DescribeTable("has the lists of tools in the words of any host", func(host, members string, filters []string) {
		text := `{"mcpServers": {"s": {"command": "x", ` + members + `}}}`
		Expect(parsedServers(host, setup.User, text)[0].Settings.ToolFilters).To(Equal(filters))
	},
		Entry(nil, "cursor", `"enabledTools": ["r"]`, []string{"r"}), Entry(nil, "cursor", `"enabled_tools": ["r"]`, []string{"r"}),
		Entry(nil, "cursor", `"allowedTools": ["r"]`, []string{"r"}), Entry(nil, "cursor", `"available_tools": ["r"]`, []string{"r"}),
		Entry(nil, "gemini", `"tools": ["r"]`, []string{"r"}), Entry(nil, "claude-desktop", `"includeTools": []`, []string{}),
		Entry(nil, "cursor", `"disabled_tools": ["r"]`, []string{"*", "!r"}), Entry(nil, "kimi", `"blockedTools": ["r"]`, []string{"*", "!r"}),
		Entry(nil, "cursor", `"excludeTools": ["r"], "enabledTools": ["r", "s"]`, []string{"s"}),
		Entry(nil, "cursor", `"toolFilters": ["*"], "disabledTools": ["r"]`, []string{"*", "!r"}),
		Entry(nil, "cursor", `"tools": ["*"]`, nil),
	)

	DescribeTable("is broken with patterns of tools, which have no counterpart", func(members string) {
		server := parsedServers("cursor", setup.User, `{"mcpServers": {"s": {"command": "x", `+members+`}}}`)[0]
		Expect(server.IsBroken).To(BeTrue())
		Expect(server.Notes).To(ContainElement(ContainSubstring("has a pattern of tools")))
	},
		Entry(nil, `"disabledTools": ["delete_*"]`), Entry(nil, `"excludeTools": ["*"]`), Entry(nil, `"tools": ["*", "!delete_*"]`),
		Entry(nil, `"excludeTools": ["run(rm)"]`),
	)

	It("switches single tools off", func() {
		server := parsedServers("cursor", setup.User, `{"mcpServers": {"s": {"command": "x", "disabledTools": ["a"],
			"tools": {"b": {"enabled": false}, "c": false, "d": {"enabled": true}, "e": true}}}}`)[0]
		Expect(server.Settings.ToolFilters).To(Equal([]string{"*", "!a", "!b", "!c"}))
	})

	It("is left out with a note if hosts ignore it for this kind of server", func() {
		servers := parsedServers("claude-code", setup.User, `{"mcpServers": {
			"a": {"type": "sse", "url": "https://a/sse", "env": {"A": "b"}, "cwd": "/w", "args": ["x"]},
			"b": {"command": "x", "headers": {"A": "b"}}}}`)
		Expect(servers[0].Settings).To(Equal(setup.Settings{URL: "https://a/sse", Transport: "sse", Headers: map[string]string{}}))
		Expect(servers[0].Notes).To(HaveExactElements(HavePrefix(`"args" is left out`), HavePrefix(`"env" is left out`), HavePrefix(`"cwd" is left out`)))
		Expect(servers[1].Settings.Headers).To(BeEmpty())
		Expect(servers[1].Notes).To(HaveExactElements(`"headers" is left out, since it is only for addresses, and this server is a program`))
	})

	It("is left out with a note if the workbench sets the header itself", func() {
		server := parsedServers("windsurf", setup.User, `{"mcpServers": {"s": {"serverUrl": "https://a",
			"headers": {"accept": "application/json", "Content-Type": "application/json", "MCP-Protocol-Version": "2025-06-18", "X-Team": "blue"}}}}`)[0]
		Expect(server.Settings.Headers).To(Equal(map[string]string{"X-Team": "blue"}))
		Expect(server.Notes).To(HaveLen(3))
		Expect(server.Notes).To(HaveEach(HaveSuffix("is left out, since the workbench sets it itself")))
		Expect(server.Settings.Untranslated).To(BeEmpty())
	})

	It("names variables of Codex with their source", func() {
		server := parsedServers("codex", setup.User, "[mcp_servers.s]\ncommand = \"x\"\nenv_vars = [\"A\", { name = \"B\", source = \"local\" }, { name = \"C\", source = \"remote\" }]\n")[0]
		Expect(server.Settings.InheritEnv).To(Equal([]string{"A", "B", "C"}))
		Expect(server.Notes).To(HaveExactElements(`the host takes the variable C from "remote", and the workbench from its own environment`))
		Expect(server.Settings.Untranslated).To(HaveKey("env_vars"))
	})

	It("leaves an address of Goose without the variables of programs", func() {
		server := parsedServers("goose", setup.User, "extensions:\n  s: {type: streamable_http, uri: 'https://a', headers: {Authorization: Bearer $T}, env_keys: [T]}\n")[0]
		Expect(server.Settings.InheritEnv).To(BeEmpty())
		Expect(server.Settings.Headers).To(Equal(map[string]string{"Authorization": "Bearer ${T}"}))
		Expect(server.Notes).To(HaveExactElements(HavePrefix("Goose keeps the values of T")))
	})

	It("refers to the folder of the project as Claude Code does", func() {
		server := parsedServers("claude-code", setup.Project, `{"mcpServers": {"s": {"command": "${CLAUDE_PROJECT_DIR}/x", "args": ["${CLAUDE_PROJECT_DIR:-.}/y", "${Z}"]}}}`)[0]
		Expect(server.Settings.Command).To(Equal(project + "/x"))
		Expect(server.Settings.Args).To(Equal([]string{project + "/y", "${Z}"}))
	})

	It("refers to the separator of paths in its short form", func() {
		server := parsedServers("cursor", setup.User, `{"mcpServers": {"s": {"command": "x", "args": ["${userHome}${/}a${pathSeparator}b"]}}}`)[0]
		Expect(server.Settings.Args).To(Equal([]string{"${HOME}" + string(filepath.Separator) + "a" + string(filepath.Separator) + "b"}))
	})

	It("describes it", func() {
		Expect(parsedServers("copilot", setup.User, `{"mcpServers": {"s": {"command": "x", "description": "Plans jobs"}}}`)[0].Description).To(Equal("Plans jobs"))
		Expect(parsedServers("copilot", setup.User, `{"mcpServers": {"s": {"command": "x", "description": 1}}}`)[0].Description).To(BeEmpty())
	})

	It("is said in the notes if no key of the workbench means it, and comments are not", func() {
		server := parsedServers("cursor", setup.User, `{"mcpServers": {"s": {"command": "x", "sandbox": true, "_comment": "y", "$schema": "z", "tags": [1]}}}`)[0]
		Expect(server.Notes).To(HaveExactElements(`"sandbox" has no counterpart and is left out, so 'connect --replace' leaves the server in the host`))
	})
})

var _ = Describe("A server that the configuration does not have whole", Label("FP01"), func() {
	doubles := func(host, text string, configured setup.Settings, set ...string) []hostfiles.Double {
		GinkgoHelper()
		in := file(host, setup.User)
		in.Path = filepath.Join(GinkgoT().TempDir(), "file")
		Expect(os.WriteFile(in.Path, []byte(text), 0o600)).To(Succeed())
		same, alike, err := hostfiles.Doubles(in, []setup.Settings{configured}, "workbench", compared(func(name string) (string, bool) {
			return "v", len(set) > 0 && name == set[0]
		}))
		Expect(err).NotTo(HaveOccurred())
		for _, name := range same {
			alike = append(alike, hostfiles.Double{Name: name})
		}
		return alike
	}

	It("stays with fewer tools than the configuration has", func() {
		stays := []hostfiles.Double{{Name: "s", Differs: []string{"toolFilters"}}}
		strict := `{"mcpServers": {"s": {"command": "x", "disabledTools": ["rm"]}}}`
		Expect(doubles("cursor", strict, setup.Settings{Command: "x"})).To(Equal(stays))
		Expect(doubles("cursor", strict, setup.Settings{Command: "x", ToolFilters: []string{"*", "!rm", "!ls"}})).To(Equal([]hostfiles.Double{{Name: "s"}}))
		Expect(doubles("cursor", strict, setup.Settings{Command: "x", ToolFilters: []string{"ls"}})).To(Equal([]hostfiles.Double{{Name: "s"}}))
		Expect(doubles("cursor", `{"mcpServers": {"s": {"command": "x"}}}`, setup.Settings{Command: "x", ToolFilters: []string{"ls"}})).To(Equal([]hostfiles.Double{{Name: "s"}}))
	})

	It("is not the host's if it is disabled only there", func() {
		off := setup.Settings{Command: "x", Disabled: true}
		Expect(doubles("cursor", `{"mcpServers": {"s": {"command": "x"}}}`, off)).To(Equal([]hostfiles.Double{{Name: "s", Differs: []string{"disabled"}}}))
		Expect(doubles("cursor", `{"mcpServers": {"s": {"command": "x", "disabled": true}}}`, off)).To(Equal([]hostfiles.Double{{Name: "s"}}))
	})

	It("is not the host's without a member that could not be read, or that import does not know", func() {
		kept := setup.Settings{Command: "x"}
		Expect(doubles("cursor", `{"mcpServers": {"s": {"command": "x", "args": [{}]}}}`, kept)).To(Equal([]hostfiles.Double{{Name: "s", Differs: []string{"args"}}}))
		Expect(doubles("cursor", `{"mcpServers": {"s": {"command": "x", "sandbox": true}}}`, kept)).To(Equal([]hostfiles.Double{{Name: "s", Differs: []string{"sandbox"}}}))
	})

	It("is the host's without addresses of logins, which the workbench finds itself, and not without other settings of them", func() {
		kept := setup.Settings{URL: "https://x", OAuth: &setup.OAuth{ClientID: "c"}}
		Expect(doubles("gemini", `{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"clientId": "c", "tokenUrl": "https://x/t"}}}}`, kept)).
			To(Equal([]hostfiles.Double{{Name: "s"}}))
		Expect(doubles("gemini", `{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"clientId": "c", "audiences": ["a"]}}}}`, kept)).
			To(Equal([]hostfiles.Double{{Name: "s", Differs: []string{"oauth.audiences"}}}))
	})

	It("is not Goose's without the values that Goose keeps", func() {
		const extension = "extensions:\n  s: {type: stdio, cmd: x, env_keys: [T]}\n"
		kept := setup.Settings{Command: "x", InheritEnv: []string{"T"}}
		Expect(doubles("goose", extension, kept)).To(Equal([]hostfiles.Double{{Name: "s", Differs: []string{"env_keys"}}}))
		Expect(doubles("goose", extension, kept, "T")).To(Equal([]hostfiles.Double{{Name: "s"}}))
	})
})
