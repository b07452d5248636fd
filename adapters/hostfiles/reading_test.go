package hostfiles_test

import (
	"embed"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/tests/spec"
)

// project is the directory of the project, as the system that the specs run on writes it.
var project = filepath.FromSlash("/no/home/shop")

// machine is one with nothing in its environment.
func machine(os string) hostfiles.Machine {
	m := hostfiles.Machine{Home: "/no/home", Project: "/no/home/shop", Getenv: func(string) string { return "" }}
	m.Config = map[string]string{
		"linux": "/no/home/.config", "darwin": "/no/home/Library/Application Support", "windows": "/no/home/AppData/Roaming",
	}[os]
	return m
}

// file returns a host's file of a scope.
func file(host string, scope setup.Scope) hostfiles.File {
	GinkgoHelper()
	found, ok := hostfiles.Find(host)
	Expect(ok).To(BeTrue(), host)
	for _, file := range found.Files(machine("linux")) {
		if file.Scope == scope {
			return file
		}
	}
	Fail(host + " has no file of the scope " + string(scope))
	return hostfiles.File{}
}

func parsedServers(host string, scope setup.Scope, text string) []setup.Server {
	GinkgoHelper()
	return spec.Must(hostfiles.Parse(file(host, scope), []byte(text)))
}

var _ = Describe("An editor in a place of its own", func() {
	// on returns a machine whose home has these folders.
	on := func(folders ...string) hostfiles.Machine {
		GinkgoHelper()
		m := machine("linux")
		m.Home = GinkgoT().TempDir()
		m.Config = filepath.Join(m.Home, ".config")
		for _, folder := range folders {
			Expect(os.MkdirAll(filepath.Join(m.Home, folder), 0o700)).To(Succeed())
		}
		return m
	}
	file := func(id string, m hostfiles.Machine) string {
		GinkgoHelper()
		host, _ := hostfiles.Find(id)
		return filepath.ToSlash(spec.Must(filepath.Rel(m.Home, host.UserFile(m).Path)))
	}

	DescribeTable("is found with its file there", func(id, want string, folders ...string) {
		m := on(folders...)
		host, _ := hostfiles.Find(id)

		Expect(host.IsPresent(m)).To(BeTrue())
		Expect(file(id, m)).To(Equal(want))
	},
		Entry(nil, "vscode", ".vscode-server/data/User/mcp.json", ".vscode-server/data"),
		Entry("in a codespace", "vscode", ".vscode-remote/data/User/mcp.json", ".vscode-remote"),
		Entry(nil, "vscode-insiders", ".vscode-server-insiders/data/User/mcp.json", ".vscode-server-insiders/data/User"),
		Entry(nil, "vscode-insiders", ".config/Code - Insiders/User/mcp.json", ".config/Code - Insiders/User"),
		Entry(nil, "vscodium", ".vscodium-server/data/User/mcp.json", ".vscodium-server"),
		Entry(nil, "vscodium", ".config/VSCodium/User/mcp.json", ".config/VSCodium/User"),
		Entry(nil, "cursor", ".cursor/mcp.json", ".cursor-server"),
		Entry(nil, "windsurf", ".codeium/windsurf/mcp_config.json", ".windsurf-server"),
		Entry("and with a screen here, too", "vscode", ".config/Code/User/mcp.json", ".config/Code/User", ".vscode-server"),
		Entry("in code-server", "vscode", ".local/share/code-server/User/mcp.json", ".local/share/code-server/User"),
		Entry("as a Flatpak", "vscode", ".var/app/com.visualstudio.code/config/Code/User/mcp.json", ".var/app/com.visualstudio.code/config/Code/User"),
		Entry("as a Snap", "vscode", "snap/code/current/.config/Code/User/mcp.json", "snap/code/current/.config/Code/User"),
		Entry("of Arch Linux", "vscode", ".config/Code - OSS/User/mcp.json", ".config/Code - OSS/User"),
		Entry("as a Flatpak", "vscode-insiders", ".var/app/com.visualstudio.code.insiders/config/Code - Insiders/User/mcp.json",
			".var/app/com.visualstudio.code.insiders/config/Code - Insiders/User"),
		Entry("as a Snap", "vscode-insiders", "snap/code-insiders/current/.config/Code - Insiders/User/mcp.json",
			"snap/code-insiders/current/.config/Code - Insiders/User"),
		Entry("as a Flatpak", "vscodium", ".var/app/com.vscodium.codium/config/VSCodium/User/mcp.json", ".var/app/com.vscodium.codium/config/VSCodium/User"),
		Entry("as a Snap", "vscodium", "snap/codium/current/.config/VSCodium/User/mcp.json", "snap/codium/current/.config/VSCodium/User"),
		Entry("as a Flatpak", "zed", ".var/app/dev.zed.Zed/config/zed/settings.json", ".var/app/dev.zed.Zed/config/zed"),
		Entry("with an extension in code-server", "roo", ".local/share/code-server/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
			".local/share/code-server/User/globalStorage/rooveterinaryinc.roo-cline/settings"),
		Entry("with an extension", "roo", ".vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
			".vscode-server/data/User/globalStorage/rooveterinaryinc.roo-cline/settings"),
		Entry("with an extension", "roo", ".cursor-server/data/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
			".cursor-server/data/User/globalStorage/rooveterinaryinc.roo-cline/settings"),
		Entry("with an extension", "roo", ".config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
			".config/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/settings"),
	)

	It("has the file that exists, rather than another one", func() {
		m := on(".config/Code/User", ".vscode-server/data/User")
		Expect(os.WriteFile(filepath.Join(m.Home, ".vscode-server/data/User/mcp.json"), []byte("{}"), 0o600)).To(Succeed())

		Expect(file("vscode", m)).To(Equal(".vscode-server/data/User/mcp.json"))
	})

	It("is not present on a machine that has no folder of it", func() {
		for _, id := range []string{"vscode", "vscode-insiders", "vscodium", "cursor", "windsurf", "roo"} {
			host, _ := hostfiles.Find(id)
			Expect(host.IsPresent(on())).To(BeFalse(), id)
		}
	})
})

var _ = Describe("The files of a host", func() {
	const everywhere = "linux darwin windows"
	DescribeTable("are found in its usual places", func(host, systems string, want ...string) {
		found, _ := hostfiles.Find(host)
		for system := range strings.FieldsSeq(systems) {
			var paths []string
			for _, file := range found.Files(machine(system)) {
				paths = append(paths, string(file.Scope)+" "+filepath.ToSlash(file.Path))
			}
			Expect(paths).To(Equal(want), system)
		}
	},
		Entry(nil, "claude-desktop", "linux", "user /no/home/.config/Claude/claude_desktop_config.json"),
		Entry(nil, "claude-desktop", "darwin", "user /no/home/Library/Application Support/Claude/claude_desktop_config.json"),
		Entry(nil, "claude-desktop", "windows", "user /no/home/AppData/Roaming/Claude/claude_desktop_config.json"),
		Entry(nil, "claude-code", everywhere, "user /no/home/.claude.json", "local /no/home/.claude.json", "local /no/home/.claude.json", "project /no/home/shop/.mcp.json"),
		Entry(nil, "cursor", everywhere, "user /no/home/.cursor/mcp.json", "project /no/home/shop/.cursor/mcp.json"),
		Entry(nil, "vscode", "linux", "user /no/home/.config/Code/User/mcp.json", "project /no/home/shop/.vscode/mcp.json",
			"user /no/home/.config/Code/User/settings.json", "project /no/home/shop/.vscode/settings.json"),
		Entry(nil, "vscode", "darwin", "user /no/home/Library/Application Support/Code/User/mcp.json", "project /no/home/shop/.vscode/mcp.json",
			"user /no/home/Library/Application Support/Code/User/settings.json", "project /no/home/shop/.vscode/settings.json"),
		Entry(nil, "vscode", "windows", "user /no/home/AppData/Roaming/Code/User/mcp.json", "project /no/home/shop/.vscode/mcp.json",
			"user /no/home/AppData/Roaming/Code/User/settings.json", "project /no/home/shop/.vscode/settings.json"),
		Entry(nil, "windsurf", everywhere, "user /no/home/.codeium/windsurf/mcp_config.json"),
		Entry(nil, "codex", everywhere, "user /no/home/.codex/config.toml", "project /no/home/shop/.codex/config.toml"),
		Entry(nil, "gemini", everywhere, "user /no/home/.gemini/settings.json", "project /no/home/shop/.gemini/settings.json"),
		Entry(nil, "opencode", everywhere,
			"user /no/home/.config/opencode/opencode.json",
			"user /no/home/.config/opencode/opencode.jsonc",
			"user /no/home/.config/opencode/config.json",
			"project /no/home/shop/opencode.json",
			"project /no/home/shop/opencode.jsonc",
			"project /no/home/shop/.opencode/opencode.json",
			"project /no/home/shop/.opencode/opencode.jsonc",
		),
	)

	It("are found where variables of the host name them", func() {
		m := machine("linux")
		m.Getenv = func(name string) string {
			return map[string]string{"CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d", "XDG_CONFIG_HOME": "/x"}[name]
		}
		for host, path := range map[string]string{"codex": "/c/config.toml", "claude-code": "/d/.claude.json", "opencode": "/x/opencode/opencode.json"} {
			found, _ := hostfiles.Find(host)
			Expect(filepath.ToSlash(found.Files(m)[0].Path)).To(Equal(path))
		}
	})

	It("of a project are not searched in the home directory", func() {
		m := machine("linux")
		m.Project = m.Home
		for _, host := range hostfiles.Hosts() {
			for _, file := range host.Files(m) {
				Expect(file.Scope).To(Or(Equal(setup.User), Equal(setup.Local)))
			}
		}
	})
})

var _ = Describe("A server of a host", func() {
	DescribeTable("is read as settings of the workbench", func(host string, scope setup.Scope, text string, want setup.Settings, notes ...string) {
		written := spec.Must(json.Marshal(want))
		servers := parsedServers(host, scope, text)
		Expect(servers).To(HaveLen(1))
		Expect(servers[0].Name).To(Equal("s"))
		Expect(json.Marshal(servers[0].Settings)).To(MatchJSON(written))
		Expect(servers[0].Notes).To(HaveExactElements(substrings(notes)...))
	},
		Entry("of Claude Desktop", "claude-desktop", setup.User,
			`{"mcpServers": {"s": {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}}}}`,
			setup.Settings{Command: "npx", Args: []string{"-y", "x"}, Env: map[string]string{"A": "b"}}),
		Entry("of Claude Desktop, with references that it does not expand", "claude-desktop", setup.User,
			`{"mcpServers": {"s": {"command": "npx", "args": ["${HOME}"]}}}`,
			setup.Settings{Command: "npx", Args: []string{"${HOME}"}}, `a value contains "${"`),
		Entry("of Claude Code", "claude-code", setup.User,
			`{"mcpServers": {"s": {"type": "http", "url": "https://x/${P:-mcp}", "headers": {"Authorization": "Bearer ${T}"}}}}`,
			setup.Settings{URL: "https://x/${P:-mcp}", Headers: map[string]string{"Authorization": "Bearer ${T}"}}),
		Entry("of Claude Code in a project", "claude-code", setup.Project,
			`{"mcpServers": {"s": {"command": "./run"}}}`, setup.Settings{Command: "./run", Cwd: project}),
		Entry("of Claude Code for one user in a project", "claude-code", setup.Local,
			`{"projects": {`+strconv.Quote(project)+`: {"mcpServers": {"s": {"type": "sse", "url": "https://x/sse"}}}}}`,
			setup.Settings{Transport: "sse", URL: "https://x/sse"}),
		Entry("of Cursor", "cursor", setup.Project,
			`{"mcpServers": {"s": {"command": "x", "args": ["${workspaceFolder}/a", "${env:B}", "${userHome}"], "envFile": ".env"}}}`,
			setup.Settings{Command: "x", Args: []string{project + "/a", "${B}", "${HOME}"}, Cwd: project}, `"envFile" has no counterpart`),
		Entry("of VS Code, with an input", "vscode", setup.User,
			`{"inputs": [{"id": "api-key"}], "servers": {"s": {"type": "stdio", "command": "x", "env": {"K": "${input:api-key}"}, "cwd": "${workspaceFolder}"}}}`,
			setup.Settings{Command: "x", Env: map[string]string{"K": "${API_KEY}"}, Cwd: "${workspaceFolder}"},
			`a different folder in each window`, `set the variable API_KEY`),
		Entry("of VS Code, with inputs that are named like variables of systems, or have a default", "vscode", setup.User,
			`{"inputs": [{"id": "path"}, {"id": "mode", "default": "ro"}, {"id": "odd", "default": "${x}"}], "servers": {"s": {"command": "x", "args": ["${input:path}", "${input:mode}", "${input:odd}"]}}}`,
			setup.Settings{Command: "x", Args: []string{"${INPUT_PATH}", "${MODE:-ro}", "${ODD}"}},
			`set the variable INPUT_PATH`, `set the variable MODE`, `set the variable ODD`),
		Entry("of Kiro in a project, below its folder", "kiro", setup.Project,
			`{"mcpServers": {"s": {"command": "x", "cwd": "srv"}}}`, setup.Settings{Command: "x", Cwd: filepath.Join(project, "srv")}),
		Entry("of VS Code, which expands ~", "vscode", setup.User,
			`{"servers": {"s": {"command": "~/bin/x", "args": ["~/a", "~", "~b", "a~/b"], "env": {"P": "~/p"}, "cwd": "~/d"}}}`,
			setup.Settings{Command: "${HOME}/bin/x", Args: []string{"${HOME}/a", "${HOME}", "~b", "a~/b"}, Env: map[string]string{"P": "~/p"}, Cwd: "${HOME}/d"}),
		Entry("of Windsurf", "windsurf", setup.User,
			`{"mcpServers": {"s": {"serverUrl": "https://x/mcp", "disabled": true, "disabledTools": ["rm"], "alwaysAllow": ["ls"], "name": "S"}}}`,
			setup.Settings{URL: "https://x/mcp", Disabled: true, ToolFilters: []string{"*", "!rm"}}, `"alwaysAllow" is left out; the host asks before calls`),
		Entry("of Codex", "codex", setup.User,
			"[mcp_servers.s]\ncommand = \"x\"\nargs = [\"y\"]\nenv_vars = [\"T\"]\nenabled_tools = [\"a\", \"b\"]\ndisabled_tools = [\"b\"]\nenabled = false\nstartup_timeout_sec = 20\n[mcp_servers.s.env]\nN = \"1\"\n",
			setup.Settings{Command: "x", Args: []string{"y"}, Env: map[string]string{"N": "1"}, InheritEnv: []string{"T"}, ToolFilters: []string{"a"}, Disabled: true},
			`"startup_timeout_sec" is left out; "limits" sets how long`),
		Entry("of Codex, elsewhere", "codex", setup.User,
			"[mcp_servers.s]\nurl = \"https://x\"\nbearer_token_env_var = \"T\"\nenv_http_headers = { \"X-Key\" = \"K\" }\nhttp_headers = { \"X-Id\" = \"1\" }\n",
			setup.Settings{URL: "https://x", Headers: map[string]string{"Authorization": "Bearer ${T}", "X-Key": "${K}", "X-Id": "1"}}),
		Entry("of Codex, with references that it does not expand", "codex", setup.User,
			"[mcp_servers.s]\ncommand = \"x\"\nargs = [\"${HOME}\"]\n",
			setup.Settings{Command: "x", Args: []string{"${HOME}"}}, `a value contains "${"`),
		Entry("of Gemini CLI", "gemini", setup.User,
			`{"mcpServers": {"s": {"command": "x", "env": {"K": "$TOKEN", "L": "${M}"}, "includeTools": [], "trust": true, "oauth": {}}}}`,
			setup.Settings{Command: "x", Env: map[string]string{"K": "${TOKEN}", "L": "${M}"}, ToolFilters: []string{}}, `"trust" is left out`),
		Entry("of Gemini CLI over HTTP+SSE", "gemini", setup.User,
			`{"mcpServers": {"s": {"url": "https://x/sse", "excludeTools": ["rm"]}}}`,
			setup.Settings{Transport: "sse", URL: "https://x/sse", ToolFilters: []string{"*", "!rm"}}),
		Entry("of Gemini CLI over streamable HTTP", "gemini", setup.User,
			`{"mcpServers": {"s": {"httpUrl": "https://x/mcp"}}}`, setup.Settings{URL: "https://x/mcp"}),
		Entry("of opencode", "opencode", setup.User,
			`{"mcp": {"s": {"type": "local", "command": ["x", "y"], "environment": {"K": "{env:T}", "F": "{file:k}"}, "enabled": false}}}`,
			setup.Settings{Command: "x", Args: []string{"y"}, Env: map[string]string{"K": "${T}", "F": "{file:k}"}, Disabled: true}, `"{file:…}" is not read`),
		Entry("of opencode, elsewhere", "opencode", setup.User,
			`{"mcp": {"s": {"type": "remote", "url": "https://x", "headers": {"A": "{env:T}"}}}}`,
			setup.Settings{URL: "https://x", Headers: map[string]string{"A": "${T}"}}),
		Entry("of opencode 2, one level deeper", "opencode", setup.User,
			`{"mcp": {"timeout": {"startup": 9}, "servers": {"s": {"type": "local", "command": ["x", "y"], "environment": {"K": "{env:T}"}, "disabled": true}}}}`,
			setup.Settings{Command: "x", Args: []string{"y"}, Env: map[string]string{"K": "${T}"}, Disabled: true}),
		Entry("with members of odd types", "cursor", setup.User,
			`{"mcpServers": {"s": {"command": 1, "args": "secret", "env": {"N": 5, "B": true, "Z": null}}}}`,
			setup.Settings{Env: map[string]string{"N": "5", "B": "true"}}, `"command" has the wrong type`, `"args" has the wrong type`),
		Entry("of Zed, with settings of an extension that has none", "zed", setup.User,
			`{"context_servers": {"s": {"command": "x", "settings": {}}}}`, setup.Settings{Command: "x"}),
		Entry("without a program and an address, whatever else it has", "cursor", setup.User,
			`{"mcpServers": {"s": {"launcher": "x", "package": "y"}}}`, setup.Settings{}),
		Entry("in a list, with its id", "cursor", setup.User,
			`{"mcpServers": [{"id": "s", "command": "x"}]}`, setup.Settings{Command: "x"}),
		Entry("that is not an object", "cursor", setup.User, `{"mcpServers": {"s": "secret"}}`, setup.Settings{}, "it is not an object"),
	)

	It("is marked when its host passes no variables on", func() {
		text := `{"mcpServers": {"s": {"command": "x"}}}`
		Expect(parsedServers("claude-desktop", setup.User, text)[0].File.NoReferences).To(BeTrue())
		Expect(parsedServers("cursor", setup.User, text)[0].File.NoReferences).To(BeFalse())
	})

	It("keeps its position among the others", func() {
		servers := parsedServers("cursor", setup.User, `{"mcpServers": {"z": {"command": "z"}, "a": {"command": "a"}}}`)
		Expect([]string{servers[0].Name, servers[1].Name}).To(Equal([]string{"z", "a"}))
	})

	It("is not found in a missing file", func() {
		missing := file("cursor", setup.User)
		missing.Path = filepath.Join(GinkgoT().TempDir(), "mcp.json")
		Expect(hostfiles.Read(missing)).To(BeEmpty())
	})

	It("is not read from a broken file, whose values are not shown", func() {
		_, err := hostfiles.Parse(file("cursor", setup.User), []byte(`{"mcpServers": {"s": secret}}`))
		Expect(err).To(MatchError(textedit.ErrSyntax))
		Expect(err).To(MatchError(ContainSubstring("mcp.json")))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	})
})

func substrings(texts []string) []any {
	matchers := make([]any, len(texts))
	for i, text := range texts {
		matchers[i] = ContainSubstring(strings.TrimSpace(text))
	}
	return matchers
}

//go:embed testdata/usual
var usualFiles embed.FS

// usual returns the file of a host as this host, or people, write it. Each has the server "git" and a value that must
// not be shown.
func usual(host hostfiles.Host) string {
	GinkgoHelper()
	file := "testdata/usual/" + host.ID + path.Ext(filepath.ToSlash(host.UserFile(machine("linux")).Path))
	text, err := usualFiles.ReadFile(file)
	Expect(err).NotTo(HaveOccurred(), "write adapters/hostfiles/%s: a file as %s writes it, with the server \"git\" as the others have it", file, host.Name)
	return string(text)
}

var _ = Describe("A text that is shown", func() {
	masked := func(host, text string) string {
		return string(hostfiles.Masked(file(host, setup.User), []byte(text)))
	}

	It("has no value of variables and headers, and no text outside of servers", func() {
		Expect(masked("cursor", `{"account": {"key": "S"}, "mcpServers": {"a": {"command": "c", "env": {"K": "S"}, "headers": {"H": "S"}}}}`)).To(Equal(
			`{"account": {"key": "•••"}, "mcpServers": {"a": {"command": "c", "env": {"K": "•••"}, "headers": {"H": "•••"}}}}`))
		Expect(masked("codex", "key = \"S\"\n[mcp_servers.a]\ncommand = \"c\"\n[mcp_servers.a.env]\nK = \"S\"\n")).To(Equal(
			"key = \"•••\"\n[mcp_servers.a]\ncommand = \"c\"\n[mcp_servers.a.env]\nK = \"•••\"\n"))
		Expect(masked("opencode", `{"provider": {"x": {"apiKey": "S"}}, "mcp": {"a": {"type": "local", "environment": {"K": "S"}}}}`)).To(Equal(
			`{"provider": {"x": {"apiKey": "•••"}}, "mcp": {"a": {"type": "local", "environment": {"K": "•••"}}}}`))
	})

	It("has no value of variables of opencode 2", func() {
		Expect(masked("opencode", `{"mcp": {"servers": {"a": {"type": "local", "command": ["c"], "environment": {"K": "S"}}}}}`)).To(Equal(
			`{"mcp": {"servers": {"a": {"type": "local", "command": ["c"], "environment": {"K": "•••"}}}}}`))
	})

	It("has the address of the schema, which hosts write themselves", func() {
		text := `{"$schema": "https://opencode.ai/config.json", "mcp": {}}`
		Expect(masked("opencode", text)).To(Equal(text))
	})

	It("has switches and numbers outside of servers, unless they have the name of a secret", func() {
		Expect(masked("cursor", `{"migrationVersion": 13, "onboarded": true, "theme": "dark", "token": 13, "pwd": 42, "secrets": [{"value": 7}], "mcpServers": {}}`)).To(Equal(
			`{"migrationVersion": 13, "onboarded": true, "theme": "•••", "token": "•••", "pwd": "•••", "secrets": [{"value": "•••"}], "mcpServers": {}}`))
		Expect(masked("cursor", "13")).To(BeElementOf("13", `"•••"`, ""))
		Expect(masked("codex", "version = 3\nsecret = 3\n[mcp_servers.a]\ncommand = \"c\"\n")).To(Equal(
			"version = 3\nsecret = \"•••\"\n[mcp_servers.a]\ncommand = \"c\"\n"))
	})

	It("has the name of the variable with a token, which is no secret", func() {
		text := "[mcp_servers.a]\nurl = \"https://h\"\nbearer_token_env_var = \"TEAM_TOKEN\"\n"
		Expect(masked("codex", text)).To(Equal(text))
	})

	It("has no secret of a login", func() {
		Expect(masked("cursor", `{"mcpServers": {"a": {"url": "https://h", "auth": {"CLIENT_ID": "i", "CLIENT_SECRET": "S"}, "oauth": {"clientSecret": "S"}}}}`)).To(Equal(
			`{"mcpServers": {"a": {"url": "https://h", "auth": {"CLIENT_ID": "i", "CLIENT_SECRET": "•••"}, "oauth": {"clientSecret": "•••"}}}}`))
		Expect(masked("codex", "[mcp_servers.a.oauth]\nclient_secret = \"S\"\n")).To(Equal("[mcp_servers.a.oauth]\nclient_secret = \"•••\"\n"))
		Expect(masked("gemini", `{"oauth": {"x": "S"}, "mcpServers": {}}`)).NotTo(ContainSubstring("S\""))
	})

	DescribeTable("has no secret of an argument or an address", func(server, shown string) {
		Expect(masked("cursor", `{"mcpServers": {"a": `+server+`}}`)).To(Equal(`{"mcpServers": {"a": ` + shown + `}}`))
	},
		Entry(nil, `{"command": "c", "args": ["--api-key", "secret-1", "--verbose", "yes"]}`, `{"command": "c", "args": ["--api-key", "•••", "--verbose", "yes"]}`),
		Entry(nil, `{"command": "c", "args": ["--github-token=secret-1"]}`, `{"command": "c", "args": ["--github-token=•••"]}`),
		Entry(nil, `{"command": "c", "args": ["postgres://me:secret-1@host/db"]}`, `{"command": "c", "args": ["postgres://me:•••@host/db"]}`),
		Entry(nil, `{"url": "https://host/mcp?k=secret-1&mode=ro"}`, `{"url": "https://host/mcp?k=•••&mode=ro"}`),
		Entry(nil, `{"command": "c", "args": ["--token", "${env:TOKEN}"]}`, `{"command": "c", "args": ["--token", "${env:TOKEN}"]}`),
	)

	DescribeTable("has the informative parts of a value", func(server, shown string) {
		Expect(masked("cursor", `{"mcpServers": {"a": `+server+`}}`)).To(Equal(`{"mcpServers": {"a": ` + shown + `}}`))
	},
		Entry("a reference", `{"env": {"K": "${env:A}", "L": "x${B}y${C:-s}"}}`, `{"env": {"K": "${env:A}", "L": "•••${B}•••${C:-•••}"}}`),
		Entry("a reference of Gemini CLI", `{"env": {"K": "$A_TOKEN", "L": "$ecret", "M": "$A_TOKEN/x", "N": "$SECRET"}}`, `{"env": {"K": "$A_TOKEN", "L": "•••", "M": "•••", "N": "•••"}}`),
		Entry("a variable that loads code", `{"env": {"NODE_OPTIONS": "-r ./x", "UV_INDEX_URL": "https://u:secret@h/"}}`,
			`{"env": {"NODE_OPTIONS": "-r ./x", "UV_INDEX_URL": "https://u:•••@h/"}}`),
		Entry("a host whose name is in the query", `{"url": "https://evil.example/?x=evil.example"}`, `{"url": "https://evil.example/?x=•••"}`),
		Entry("an argument that is called a secret elsewhere", `{"args": ["-c", "run this", "--token", "run this"]}`, `{"args": ["-c", "run this", "--token", "•••"]}`),
	)

	It("has the commands of servers with any name", func() {
		text := `{"mcpServers": {"env": {"command": "sh", "args": ["x"]}, "clientSecret": {"command": "y"}}}`
		Expect(masked("cursor", text)).To(Equal(text))
	})

	It("has no value of a server that is in a comment", func() {
		Expect(masked("cursor", "{\n  // \"old\": {\"env\": {\"K\": \"S\"}}\n  \"mcpServers\": {}\n}")).To(Equal(
			"{\n  // \"old\": {\"env\": {\"K\": \"•••\"}}\n  \"mcpServers\": {}\n}"))
	})

	It("is empty when it cannot be parsed", func() {
		Expect(hostfiles.Masked(file("cursor", setup.User), []byte(`{"a": secret}`))).To(BeNil())
	})
})

var _ = Describe("The login settings of a server in a host's file", func() {
	DescribeTable("are read as settings of the workbench", func(host, text, want string, notes ...string) {
		server := parsedServers(host, setup.User, text)[0]
		Expect(spec.Must(json.Marshal(server.Settings))).To(MatchJSON(want))
		Expect(server.Notes).To(HaveExactElements(substrings(notes)...))
	},
		Entry("of Claude Code, with the address that a registered client has there", "claude-code",
			`{"mcpServers": {"s": {"type": "http", "url": "https://x", "oauth": {"clientId": "${ID}", "callbackPort": 8080, "scopes": "read  write"}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "${ID}", "redirectUri": "http://localhost:8080/callback", "scopes": ["read", "write"]}}`),
		Entry("of Claude Code, with a port alone", "claude-code",
			`{"mcpServers": {"s": {"type": "http", "url": "https://x", "oauth": {"callbackPort": 8080}}}}`,
			`{"url": "https://x", "oauth": {"callbackPort": 8080}}`),
		Entry("of Claude Code, but for what has no counterpart", "claude-code",
			`{"mcpServers": {"s": {"type": "sse", "url": "https://x", "oauth": {"authServerMetadataUrl": "https://as/m", "xaa": true}}}}`,
			`{"url": "https://x", "transport": "sse"}`, `"oauth.authServerMetadataUrl" has no counterpart`, `"oauth.xaa" has no counterpart`),
		Entry("of Cursor", "cursor",
			`{"mcpServers": {"s": {"url": "https://x", "auth": {"CLIENT_ID": "a", "CLIENT_SECRET": "${env:S}", "scopes": ["b"]}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "a", "clientSecret": "${S}", "scopes": ["b"]}}`),
		Entry("of VS Code", "vscode",
			`{"servers": {"s": {"type": "http", "url": "https://x", "oauth": {"clientId": "${input:my-client}"}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "${MY_CLIENT}"}}`, `set the variable MY_CLIENT`),
		Entry("of Windsurf", "windsurf",
			`{"mcpServers": {"s": {"serverUrl": "https://x", "oauth": {"clientId": "a"}}}}`, `{"url": "https://x", "oauth": {"clientId": "a"}}`),
		Entry("of Codex", "codex",
			"[mcp_servers.s]\nurl = \"https://x\"\nscopes = [\"a\"]\noauth_resource = \"https://r\"\n"+
				"[mcp_servers.s.oauth]\nclient_id = \"i\"\nclient_secret = \"k\"\nauthorization_server_issuer = \"https://as\"\ntoken_endpoint_auth_method = \"none\"\n",
			`{"url": "https://x", "oauth": {"clientId": "i", "clientSecret": "k", "issuer": "https://as", "scopes": ["a"]}}`,
			`"oauth.token_endpoint_auth_method" has no counterpart`, `"oauth_resource" has no counterpart`),
		Entry("of Codex, with an address and its port", "codex",
			"[mcp_servers.s]\nurl = \"https://x\"\n[mcp_servers.s.oauth]\ncallback_url = \"http://127.0.0.1/callback/a\"\ncallback_port = 5555\n",
			`{"url": "https://x", "oauth": {"redirectUri": "http://127.0.0.1:5555/callback/a"}}`),
		Entry("of Codex, but for an address without a port", "codex",
			"mcp_oauth_callback_port = 4444\n[mcp_servers.s]\nurl = \"https://x\"\n[mcp_servers.s.oauth]\nclient_id = \"i\"\ncallback_url = \"http://127.0.0.1/callback/a\"\n",
			`{"url": "https://x", "oauth": {"clientId": "i"}}`, `"oauth.callback_url" leaves the port open`),
		Entry("of Gemini CLI", "gemini",
			`{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"enabled": true, "clientId": "a", "clientSecret": "$S", "issuer": "https://as", "scopes": ["b"],
				"redirectUri": "http://localhost:7777/oauth/callback?a=1&b=2", "authorizationUrl": "https://as/a", "tokenUrl": "https://as/t", "audiences": ["c"]}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "a", "clientSecret": "${S}", "issuer": "https://as", "scopes": ["b"], "redirectUri": "http://localhost:7777/oauth/callback?a=1&b=2"}}`,
			`"oauth.audiences" has no counterpart`, `"oauth.authorizationUrl" has no counterpart`, `"oauth.tokenUrl" has no counterpart`),
		Entry("of Gemini CLI, when they only enable logins", "gemini",
			`{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"enabled": true}}}}`, `{"url": "https://x"}`),
		Entry("of opencode, with the address that a registered client has there", "opencode",
			`{"mcp": {"s": {"type": "remote", "url": "https://x", "oauth": {"clientId": "a", "clientSecret": "{env:S}", "scope": "b c", "callbackPort": 9000}}}}`,
			`{"url": "https://x", "oauth": {"clientId": "a", "clientSecret": "${S}", "scopes": ["b", "c"], "redirectUri": "http://127.0.0.1:9000/mcp/oauth/callback"}}`),
		Entry("of opencode, where an address counts more than a port", "opencode",
			`{"mcp": {"s": {"type": "remote", "url": "https://x", "oauth": {"callbackPort": 9000, "redirectUri": "https://me/back"}}}}`,
			`{"url": "https://x", "oauth": {"redirectUri": "https://me/back"}}`),
		Entry("of Kiro, with a host and a port, and scopes beside", "kiro",
			`{"mcpServers": {"s": {"url": "https://x", "oauth": {"redirectUri": "127.0.0.1:8080"}, "oauthScopes": ["read"]}}}`,
			`{"url": "https://x", "oauth": {"callbackPort": 8080, "scopes": ["read"]}}`),
		Entry("of Kiro, with scopes inside", "kiro",
			`{"mcpServers": {"s": {"url": "https://x", "oauth": {"oauthScopes": ["read"]}}}}`, `{"url": "https://x", "oauth": {"scopes": ["read"]}}`),
		Entry("disabled", "opencode",
			`{"mcp": {"s": {"type": "remote", "url": "https://x", "oauth": false}}}`, `{"url": "https://x", "oauth": false}`),
		Entry("but for members of wrong types, whose values are not shown", "claude-code",
			`{"mcpServers": {"s": {"url": "https://x", "oauth": {"clientId": 1, "callbackPort": 70000, "scopes": [{}]}}, "t": {"url": "https://y", "oauth": "secret"}}}`,
			`{"url": "https://x"}`, `"oauth.callbackPort" has the wrong type`, `"oauth.clientId" has the wrong type`, `"oauth.scopes" has the wrong type`),
		Entry("but for settings that are not an object", "claude-code",
			`{"mcpServers": {"s": {"url": "https://x", "oauth": "secret"}}}`, `{"url": "https://x"}`, `"oauth" has the wrong type`),
		Entry("but for a secret without a client", "gemini",
			`{"mcpServers": {"s": {"httpUrl": "https://x", "oauth": {"clientSecret": "k"}}}}`, `{"url": "https://x"}`, `a secret without a client`),
		Entry("but for a program, which has no logins", "claude-code",
			`{"mcpServers": {"s": {"command": "x", "oauth": {"clientId": "a"}}}}`, `{"command": "x"}`, `"oauth" has no counterpart`),
	)

	It("keeps a server with a secret off the command line", func() {
		Expect(hostfiles.HoldsValues(json.RawMessage(`{"url": "https://x", "oauth": {"clientId": "a"}}`))).To(BeFalse())
		Expect(hostfiles.HoldsValues(json.RawMessage(`{"url": "https://x", "oauth": {"clientSecret": "k"}}`))).To(BeTrue())
	})
})
