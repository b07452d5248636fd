package hostfiles_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

var _ = Describe("The files that a host reads besides its own", Label("FP03"), func() {
	var m hostfiles.Machine
	write := func(path, text string) {
		GinkgoHelper()
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(text), 0o600)).To(Succeed())
	}
	found := func(id string) (names []string, servers map[string]setup.Server) {
		GinkgoHelper()
		host, _ := hostfiles.Find(id)
		servers = map[string]setup.Server{}
		for _, file := range host.Files(m) {
			read := spec.Must(hostfiles.Read(file))
			for _, server := range read {
				Expect(server.File.Host).To(Equal(id))
				names = append(names, server.Name)
				servers[server.Name] = server
			}
		}
		return names, servers
	}

	BeforeEach(func() {
		home := GinkgoT().TempDir()
		m = machine("linux")
		m.Home, m.Config, m.Project = home, filepath.Join(home, ".config"), filepath.Join(home, "shop")
	})

	It("are those in the folders of Continue, in any form, and its earlier one", func() {
		write(filepath.Join(m.Home, ".continue", "mcpServers", "a.yaml"), "name: A\nmcpServers:\n  - name: a\n    command: x\n")
		write(filepath.Join(m.Home, ".continue", "mcpServers", "b.json"), `{"mcpServers": {"b": {"command": "x"}}}`)
		write(filepath.Join(m.Home, ".continue", "mcpServers", "c.txt"), "no server")
		write(filepath.Join(m.Project, ".continue", "mcpServers", "d.yml"), "mcpServers:\n  - name: d\n    command: x\n")
		write(filepath.Join(m.Home, ".continue", "config.json"), `{"experimental": {"modelContextProtocolServers": [{"transport": {"type": "stdio", "command": "npx", "args": ["-y", "e"]}}]}}`)

		names, servers := found("continue")
		Expect(names).To(Equal([]string{"a", "b", "", "d"}))
		Expect(servers["d"].Settings.Cwd).To(Equal(m.Project))
		Expect(servers[""].Settings.Args).To(Equal([]string{"-y", "e"}))
		host, _ := hostfiles.Find("continue")
		Expect(host.UserFile(m).Path).To(Equal(filepath.Join(m.Home, ".continue", "config.yaml")))
	})

	It("are the settings of VS Code, and those of a dev container", func() {
		write(filepath.Join(m.Config, "Code", "User", "settings.json"), `{"editor.fontSize": 12, "mcp": {"servers": {"a": {"command": "x"}}}}`)
		write(filepath.Join(m.Project, ".vscode", "settings.json"), `{"mcp": {"servers": {"b": {"command": "x"}}}}`)
		write(filepath.Join(m.Project, ".devcontainer", "devcontainer.json"), `{"customizations": {"vscode": {"mcp": {"servers": {"c": {"command": "x"}}}}}}`)
		names, _ := found("vscode")
		Expect(names).To(Equal([]string{"a", "b", "c"}))
	})

	It("say which servers Gemini CLI does not start", func() {
		write(filepath.Join(m.Home, ".gemini", "settings.json"), `{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}, "c": {"command": "c"}}, "mcp": {"excluded": ["b"]}}`)
		write(filepath.Join(m.Home, ".gemini", "mcp-server-enablement.json"), `{"c": {"enabled": false}, "a": {"enabled": true}}`)
		_, servers := found("gemini")
		Expect(servers["a"].Settings.Disabled).To(BeFalse())
		Expect(servers["a"].Notes).To(BeEmpty())
		Expect(servers["b"].Settings.Disabled).To(BeTrue())
		Expect(servers["b"].Notes).To(HaveExactElements(`"mcp.excluded" of the host switches it off`))
		Expect(servers["c"].Settings.Disabled).To(BeTrue())
	})

	It("say which servers Gemini CLI and Qwen Code start alone", func() {
		for _, text := range []string{
			`{"mcpServers": {"a": {"command": "a"}, "B": {"command": "b"}}, "mcp": {"allowed": ["b"]}}`,
			`{"mcpServers": {"a": {"command": "a"}, "B": {"command": "b"}}, "allowMCPServers": ["B"]}`,
		} {
			write(filepath.Join(m.Home, ".qwen", "settings.json"), text)
			_, servers := found("qwen")
			Expect(servers["a"].Settings.Disabled).To(BeTrue())
			Expect(servers["B"].Settings.Disabled).To(BeFalse())
		}
	})

	It("switch every server off if they cannot be read", func() {
		write(filepath.Join(m.Home, ".gemini", "settings.json"), `{"mcpServers": {"a": {"command": "a"}}}`)
		write(filepath.Join(m.Home, ".gemini", "mcp-server-enablement.json"), `{"a": `)
		_, servers := found("gemini")
		Expect(servers["a"].Settings.Disabled).To(BeTrue())
		Expect(servers["a"].Notes).To(HaveExactElements(HaveSuffix("mcp-server-enablement.json says which servers are off, and it cannot be read")))
	})

	It("say which servers of a project Claude Code does not start", func() {
		write(filepath.Join(m.Project, ".mcp.json"), `{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}, "c": {"command": "c"}, "d": {"command": "d"}}}`)
		write(filepath.Join(m.Home, ".claude.json"), `{"mcpServers": {"user": {"command": "u"}}, "projects": {`+strconv.Quote(m.Project)+`: {
			"disabledMcpjsonServers": ["a"], "disabledMcpServers": ["local", "user", "d"], "mcpServers": {"local": {"command": "l"}}}}}`)
		write(filepath.Join(m.Project, ".claude", "settings.local.json"), `{"disabledMcpjsonServers": ["b"]}`)
		_, servers := found("claude-code")
		off := map[string]bool{}
		for name, server := range servers {
			off[name] = server.Settings.Disabled
		}
		Expect(off).To(Equal(map[string]bool{"a": true, "b": true, "c": false, "d": true, "local": true, "user": false}))
	})

	It("are those of Claude Code for the working folder and the home folder, and it names those for others", func() {
		write(filepath.Join(m.Home, ".claude.json"), `{"projects": {`+strconv.Quote(m.Project)+`: {"mcpServers": {"shop": {"command": "a"}}},
			`+strconv.Quote(m.Home)+`: {"mcpServers": {"home": {"command": "b"}}}, "/w/other": {"mcpServers": {"z": {"command": "c"}, "y": {}}}, "/w/none": {}}}`)
		names, servers := found("claude-code")
		Expect(names).To(Equal([]string{"shop", "home"}))
		Expect(servers["home"].Settings.Cwd).To(Equal(m.Home))
		host, _ := hostfiles.Find("claude-code")
		file := host.UserFile(m)
		Expect(file.Elsewhere(spec.Must(os.ReadFile(file.Path)))).To(HaveExactElements(
			And(HaveField("Name", "y"), HaveField("Reason", ContainSubstring("the folder /w/other; 'mcp-workbench import claude-code' in that folder"))), HaveField("Name", "z")))
	})

	DescribeTable("have servers in the place of another host, which only their path reads", func(host, below, text string) {
		known, _ := hostfiles.Find(host)
		for _, file := range known.Files(m) {
			if filepath.ToSlash(file.Path) == filepath.ToSlash(filepath.Join(m.Home, below)) {
				Expect(hostfiles.Parse(file, []byte(text))).To(BeEmpty())
				Expect(file.Elsewhere([]byte(text))).To(HaveExactElements(And(HaveField("Name", "a"), HaveField("Reason", ContainSubstring(known.Name+" does not read")))))
				named := spec.Must(hostfiles.FileOf(m, file.Path, []byte(text)))
				Expect(spec.Must(hostfiles.Parse(named, []byte(text)))).To(HaveExactElements(HaveField("Name", "a")))
				return
			}
		}
		Fail("no such file")
	},
		Entry(nil, "vscode", "shop/.vscode/mcp.json", `{"mcpServers": {"a": {"command": "x"}}}`),
		Entry(nil, "copilot", "shop/.github/mcp.json", `{"servers": {"a": {"command": "x"}}}`),
		Entry(nil, "cursor", ".cursor/mcp.json", `{"servers": {"a": {"command": "x"}}}`),
		Entry(nil, "continue", ".continue/config.json", `{"mcpServers": {"a": {"command": "x"}}}`),
	)

	It("switch tools and servers of opencode off, whose agents may have them on", func() {
		write(filepath.Join(m.Home, ".config", "opencode", "opencode.json"), `{"tools": {"a_*": false, "b_rm": false, "b_ls": true, "write": false},
			"mcp": {"a": {"type": "local", "command": ["a"]}, "b": {"type": "local", "command": ["b"]}}}`)
		_, servers := found("opencode")
		Expect(servers["a"].Settings.Disabled).To(BeTrue())
		Expect(servers["a"].Settings.Untranslated).To(HaveKey("tools.a_*"))
		Expect(servers["b"].Settings.ToolFilters).To(Equal([]string{"*", "!rm"}))
	})

	DescribeTable("keep the tools of opencode that a longer pattern has on", func(tools string, disabled bool, filters []string) {
		write(filepath.Join(m.Home, ".config", "opencode", "opencode.json"), `{"tools": {`+tools+`}, "mcp": {"Big Data": {"type": "local", "command": ["a"]}}}`)
		_, servers := found("opencode")
		Expect(servers["Big Data"].Settings.Disabled).To(Equal(disabled))
		Expect(servers["Big Data"].Settings.ToolFilters).To(Equal(filters))
	},
		Entry("all but two off", `"Big_Data_ls": true, "Big_Data*": false, "Big_Data_get": true`, false, []string{"ls", "get"}),
		Entry("all tools of all servers off", `"*": false`, true, nil),
		Entry("one off", `"Big_Data_rm": false`, false, []string{"*", "!rm"}),
		Entry("a server on again", `"Big*": false, "Big_Data_*": true`, false, nil),
		Entry("a pattern without a counterpart", `"Big_Data_delete_*": false`, true, nil),
		Entry("a pattern that begins with one", `"*_delete": false`, true, nil),
		Entry("another server", `"other_*": false`, false, nil),
	)
})

var _ = Describe("A file that is named", Label("FP03"), func() {
	parsedAt := func(path, text string) []setup.Server {
		GinkgoHelper()
		in := spec.Must(hostfiles.FileOf(machine("linux"), path, []byte(text)))
		return spec.Must(hostfiles.Parse(in, []byte(text)))
	}

	DescribeTable("has no server if the member of a host is empty", func(name, text string) {
		Expect(parsedAt("/x/"+name, text)).To(BeEmpty())
	},
		Entry(nil, "mcp.json", `{"mcpServers": {}}`), Entry(nil, "opencode.json", `{"mcp": {}}`), Entry(nil, "settings.json", `{"amp.mcpServers": {}}`),
		Entry(nil, "v.json", `{"servers": {}, "inputs": []}`), Entry(nil, "settings.json", `{"mcp": {"servers": {}}}`),
		Entry(nil, "a.yaml", "mcpServers: []\n"), Entry(nil, "b.yaml", "extensions: {}\n"), Entry(nil, "c.yml", "name: x\nmcpServers:\n"),
		Entry(nil, "d.yaml", "---\n# nothing yet\n...\n"), Entry(nil, "e.yaml", ""),
		Entry("of the host itself", "f.yaml", "extensions:\n  developer:\n    type: builtin\n    enabled: true\n"),
	)

	DescribeTable("has no servers that are for the MCP registry, and names them", func(text, names, adds string) {
		_, err := hostfiles.FileOf(machine("linux"), "/x/server.json", []byte(text))

		Expect(err).To(MatchError(hostfiles.ErrNoServers))
		Expect(err).To(MatchError(ContainSubstring("it describes " + names + " for the MCP registry; 'mcp-workbench add " + adds)))

		_, err = hostfiles.ParseServer("x", []byte(text))
		Expect(err).To(MatchError(ContainSubstring("it describes " + names)))
	},
		Entry("an entry", `{"name": "io.github.a/b", "version": "1.0.0", "packages": [{"registryType": "npm"}]}`, "io.github.a/b", "/x/server.json' adds it"),
		Entry("an answer about one", `{"server": {"name": "io.github.a/b", "remotes": [{"type": "sse"}]}, "_meta": {}}`, "io.github.a/b", "/x/server.json' adds it"),
		Entry("an answer about several", `{"servers": [{"server": {"name": "a/b", "remotes": [{}]}}, {"name": "c/d", "packages": [{}]}], "metadata": {}}`, "a/b, c/d", "NAME' adds one of it"),
	)

	It("is one of opencode 2, whose programs are in the form of opencode", func() {
		Expect(parsedAt("/x/opencode.jsonc", `{"mcp": {"servers": {"s": {"type": "local", "command": ["x", "y"], "environment": {"K": "{env:T}"}}}}}`)[0].Settings).To(Equal(
			setup.Settings{Command: "x", Args: []string{"y"}, Env: map[string]string{"K": "${T}"}}))
	})

	It("has the servers of opencode 1 and 2, which read both", func() {
		text := `{"mcp": {"timeout": {"startup": 9}, "a": {"type": "local", "command": ["x"]}, "b": {"type": "local", "command": ["y"]}, "servers": {"b": {"type": "local", "command": ["z"]}}}}`
		servers := parsedAt("/x/opencode.json", text)
		Expect(servers).To(HaveExactElements(HaveField("Name", "b"), HaveField("Name", "a")))
		Expect(servers[0].Settings.Command).To(Equal("z"))

		file := spec.Must(hostfiles.FileOf(machine("linux"), "/x/opencode.json", []byte(text)))
		Expect(string(spec.Must(hostfiles.Delete(file, []byte(text), "b")))).To(Equal(
			`{"mcp": {"timeout": {"startup": 9}, "a": {"type": "local", "command": ["x"]}, "servers": {}}}`))
		Expect(string(hostfiles.Masked(file, []byte(`{"mcp": {"a": {"type": "local", "environment": {"K": "S"}}, "servers": {}}}`)))).To(Equal(
			`{"mcp": {"a": {"type": "local", "environment": {"K": "•••"}}, "servers": {}}}`))
		Expect(string(spec.Must(hostfiles.Set(file, []byte(text), "a", json.RawMessage(`{"type":"local","command":["w"]}`))))).To(ContainSubstring(
			`"timeout": {"startup": 9}, "a": {"type":"local","command":["w"]}`))
	})

	It("is that of a dev container", func() {
		folder := GinkgoT().TempDir()
		servers := parsedAt(filepath.Join(folder, ".devcontainer", "devcontainer.json"),
			"// a comment\n"+`{"image": "x", "customizations": {"vscode": {"mcp": {"servers": {"s": {"command": "x", "args": ["${workspaceFolder}"]}}}}}}`)
		Expect(servers).To(HaveLen(1))
		Expect(servers[0].Settings.Args).To(Equal([]string{folder}))
		Expect(servers[0].File.IsForeign()).To(BeTrue())
	})

	It("is one of a project elsewhere, which its servers start in", func() {
		folder := GinkgoT().TempDir()
		servers := parsedAt(filepath.Join(folder, ".mcp.json"), `{"mcpServers": {"s": {"command": "./run", "args": ["${CLAUDE_PROJECT_DIR}/a"]}}}`)
		Expect(servers[0].Settings.Cwd).To(Equal(folder))
		Expect(servers[0].Settings.Args).To(Equal([]string{folder + "/a"}))
		Expect(servers[0].File.IsForeign()).To(BeTrue())
		Expect(parsedAt(filepath.Join(folder, ".vscode", "mcp.json"), `{"servers": {"s": {"command": "x", "args": ["${workspaceFolder}"]}}}`)[0].Settings.Args).To(Equal([]string{folder}))
	})

	DescribeTable("is one of a project of an editor that is no host here", func(below string) {
		folder := GinkgoT().TempDir()
		servers := parsedAt(filepath.Join(folder, below), `{"mcpServers": {"s": {"command": "node", "args": ["dist/a.js", "${workspaceFolder}"]}, "t": {"command": "x", "cwd": "srv"}}}`)
		Expect(servers[0].Settings.Cwd).To(Equal(folder))
		Expect(servers[0].Settings.Args[1]).To(Equal(folder))
		Expect(servers[1].Settings.Cwd).To(Equal(filepath.Join(folder, "srv")))
		Expect(servers[0].IsBroken).To(BeFalse())
	},
		Entry(nil, ".trae/mcp.json"), Entry(nil, ".junie/mcp/mcp.json"), Entry(nil, ".kilocode/mcp.json"), Entry(nil, ".windsurf/mcp.json"),
		Entry(nil, ".kiro/settings/mcp.json"), Entry(nil, ".idea/mcp.json"), Entry(nil, ".factory/mcp.json"), Entry(nil, ".claude/mcp.json"),
		Entry(nil, ".copilot/mcp-config.json"), Entry(nil, ".omp/agent/mcp.json"), Entry(nil, ".devcontainer.json"),
	)

	It("has the folder of the project in place of the default of its variable", func() {
		folder := GinkgoT().TempDir()
		text := `{"mcpServers": {"s": {"command": "x", "args": ["${workspaceFolder:-.}/a"]}}}`
		read := parsedAt(filepath.Join(folder, ".factory", "mcp.json"), text)[0]
		Expect(read.IsBroken).To(BeFalse())
		Expect(read.Settings.Args).To(Equal([]string{folder + "/a"}))
	})

	It("belongs to no project if such a folder is in the home folder", func() {
		m := machine("linux")
		m.Home = GinkgoT().TempDir()
		for _, below := range []string{".factory/mcp.json", ".config/mcp/mcp.json"} {
			text := []byte(`{"mcpServers": {"s": {"command": "x"}}}`)
			in := spec.Must(hostfiles.FileOf(m, filepath.Join(m.Home, below), text))
			Expect(spec.Must(hostfiles.Parse(in, text))[0].Settings.Cwd).To(BeEmpty(), below)
		}
	})

	DescribeTable("may be that of a plugin or an extension, whose folder its host sets", func(below, reference string) {
		folder := GinkgoT().TempDir()
		read := parsedAt(filepath.Join(folder, below), `{"mcpServers": {"s": {"command": "node", "args": ["`+reference+`/a.js"], "env": {"D": "`+reference+`"}}}}`)[0]
		Expect(read.Settings.Args).To(Equal([]string{folder + "/a.js"}))
		Expect(read.Settings.Env).To(HaveKeyWithValue("D", folder))
	},
		Entry(nil, ".mcp.json", "${CLAUDE_PLUGIN_ROOT}"), Entry(nil, ".claude-plugin/plugin.json", "${CLAUDE_PLUGIN_ROOT}"), Entry(nil, ".codex-plugin/plugin.json", "${CLAUDE_PLUGIN_ROOT}"), Entry(nil, "gemini-extension.json", "${extensionPath}"),
		Entry(nil, "mcp.json", "${__dirname}"),
	)

	It("may belong to a project that is a plugin", func() {
		m := machine("linux")
		m.Project = GinkgoT().TempDir()
		Expect(os.Mkdir(filepath.Join(m.Project, ".claude-plugin"), 0o700)).To(Succeed())
		text := []byte(`{"mcpServers": {"s": {"command": "node", "args": ["${CLAUDE_PLUGIN_ROOT}/a.js"]}}}`)
		in := spec.Must(hostfiles.FileOf(m, filepath.Join(m.Project, ".mcp.json"), text))
		Expect(spec.Must(hostfiles.Parse(in, text))[0].Settings.Args).To(Equal([]string{m.Project + "/a.js"}))
	})

	It("names the file in which a plugin has its servers", func() {
		manifest, servers := filepath.FromSlash("/x/.claude-plugin/plugin.json"), domain.ShellWord(filepath.FromSlash("/x/.mcp.json"))
		_, err := hostfiles.FileOf(machine("linux"), manifest, []byte(`{"name": "p", "mcpServers": "./.mcp.json"}`))
		Expect(err).To(MatchError(hostfiles.ErrNoServers))
		Expect(err).To(MatchError(ContainSubstring("they are in ./.mcp.json; 'mcp-workbench import " + servers + "' imports them")))
	})

	DescribeTable("has variables of an editor's window, which are named as that", func(below, reference, helps string) {
		server := parsedAt(filepath.Join(GinkgoT().TempDir(), below), `{"mcpServers": {"s": {"command": "x", "args": ["`+reference+`/a"]}}}`)[0]
		Expect(server.IsBroken).To(BeTrue())
		Expect(server.Notes).To(ContainElement(And(HavePrefix(reference), HaveSuffix(helps))))
	},
		Entry(nil, ".cursor/mcp.json", "${file}", "write a fixed value in its place"),
		Entry(nil, ".cursor/mcp.json", "${relativeFileDirname}", "write a fixed value in its place"),
		Entry(nil, ".mcp.json", "${execPath}", "write a fixed value in its place"),
		Entry(nil, ".cursor/mcp.json", "${config:python.path}", "write its value instead"),
		Entry(nil, ".mcp.json", "${command:pick}", "write its value instead"),
		Entry("the folder of another project", ".cursor/mcp.json", "${workspaceFolder:other}", "write the folder instead"),
		Entry("a folder of none", "mcp.json", "${cwd}", "write the folder instead"),
	)

	DescribeTable("is one of a profile of an editor", func(id, folder string) {
		m := machine("linux")
		m.Config = GinkgoT().TempDir()
		path := filepath.Join(m.Config, folder, "User", "profiles", "5552b383", "mcp.json")
		Expect(os.MkdirAll(filepath.Dir(path), 0o700)).To(Succeed())
		Expect(os.WriteFile(path, []byte(`{"servers": {"s": {"command": "x"}}}`), 0o600)).To(Succeed())
		host, _ := hostfiles.Find(id)

		Expect(host.Files(m)).To(ContainElement(HaveField("Path", path)))
		Expect(host.UserFile(m).Path).To(Equal(filepath.Join(m.Config, folder, "User", "mcp.json")))
	},
		Entry(nil, "vscode", "Code"), Entry(nil, "vscode-insiders", "Code - Insiders"), Entry(nil, "vscodium", "VSCodium"),
	)

	It("may have variables of editors in a file of Claude Code, and values that its host asks for", func() {
		folder := GinkgoT().TempDir()
		server := parsedAt(filepath.Join(folder, ".mcp.json"), `{"mcpServers": {"s": {"command": "x", "args": ["${workspaceFolder}", "${env:A}", "${user_config.api_key}", "${workspaceFolder:`+
			filepath.Base(folder)+`}"]}}}`)[0]
		Expect(server.Settings.Args).To(Equal([]string{folder, "${A}", "${API_KEY}", folder}))
		Expect(server.Notes).To(ContainElement(ContainSubstring("set the variable API_KEY")))
		Expect(server.IsBroken).To(BeFalse())
	})

	It("has servers for a window or a plugin that cannot start here, and says what to write", func() {
		servers := parsedAt("/x/mcp.json", `{"mcpServers": {"s": {"command": "x", "args": ["${workspaceFolder}"]}}}`)
		Expect(servers[0].IsBroken).To(BeTrue())
		Expect(servers[0].Notes).To(ContainElement(ContainSubstring("write the folder instead")))
		Expect(servers[0].Settings.Args).To(Equal([]string{"${workspaceFolder}"}))
		plugin := parsedServers("claude-code", setup.User, `{"mcpServers": {"s": {"command": "x", "args": ["${CLAUDE_PLUGIN_ROOT}"]}}}`)[0]
		Expect(plugin.IsBroken).To(BeTrue())
	})

	DescribeTable("gives its folder to servers with relative paths", func(server string, isIn bool) {
		folder := GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "server.py"), nil, 0o600)).To(Succeed())
		read := parsedAt(filepath.Join(folder, "m.json"), `{"mcpServers": {"s": `+server+`}}`)[0]
		if isIn {
			Expect(read.Settings.Cwd).To(Equal(folder))
			Expect(read.Notes).To(ContainElement(ContainSubstring("relative paths")))
		} else {
			Expect(read.Settings.Cwd).NotTo(Equal(folder))
			Expect(read.Notes).To(BeEmpty())
		}
	},
		Entry(nil, `{"command": "node", "args": ["./dist/index.js"]}`, true), Entry(nil, `{"command": "./run.sh"}`, true),
		Entry(nil, `{"command": "bin/run"}`, true), Entry(nil, `{"command": "x", "cwd": "."}`, true), Entry(nil, `{"command": "python", "args": ["server.py"]}`, true),
		Entry(nil, `{"command": "npx", "args": ["-y", "@a/b"]}`, false), Entry(nil, `{"command": "/x/run"}`, false),
		Entry(nil, `{"command": "${HOME}/run"}`, false), Entry(nil, `{"command": "./run", "cwd": "/w"}`, false), Entry(nil, `{"url": "https://x"}`, false),
	)

	It("may have the addresses of mcporter", func() {
		for _, key := range []string{"baseUrl", "base_url", "serverUrl"} {
			Expect(parsedAt("/x/mcporter.json", `{"mcpServers": {"a": {"`+key+`": "https://x"}}}`)[0].Settings.URL).To(Equal("https://x"))
		}
	})

	It("may have a list of tables", func() {
		Expect(parsedAt("/x/config.toml", "[[mcp_servers]]\nname = \"a\"\ntransport = \"stdio\"\ncommand = \"npx\"\nargs = [\"-y\", \"a-mcp\"]\n")[0].Settings.Command).To(Equal("npx"))
	})
})
