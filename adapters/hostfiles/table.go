package hostfiles

import "path/filepath"

// hosts are the hosts that are known, in the order in which they are shown.
var hosts = []Host{
	{ // https://modelcontextprotocol.io/docs/develop/connect-local-servers
		ID: "claude-desktop", Name: "Claude Desktop", TakesAway: ownVariables, IsPackaged: true, form: plainForm, member: []string{"mcpServers"},
		user: func(m Machine) []string {
			return append(m.packagePaths("Claude_*", "Claude", "claude_desktop_config.json"), m.config("Claude", "claude_desktop_config.json"))
		},
	},
	{ // https://code.claude.com/docs/en/mcp
		ID: "claude-code", Name: "Claude Code", Program: "claude", form: claudeForm, member: []string{"mcpServers"},
		address: addressForm{first: `"type":"http"`, url: "url"},
		Expands: braces,
		user:    func(m Machine) []string { return []string{claudeFile(m)} },
		project: [][]string{{".mcp.json"}},
		local:   localOfClaude,
		boards:  boardsOfClaude,
		rules:   rulesOfClaude, namings: claudeNaming,
	},
	{ // https://cursor.com/docs/context/mcp
		ID: "cursor", Name: "Cursor", Expands: envReference, form: editorForm, member: []string{"mcpServers"},
		address: addressForm{url: "url"},
		user:    func(m Machine) []string { return []string{m.home(".cursor", "mcp.json")} },
		editor:  cursorEditor,
		project: [][]string{{".cursor", "mcp.json"}},
		rules:   rulesOfCursor, namings: cursorNaming,
	},
	{ // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
		ID: "vscode", Name: "VS Code", Expands: envReference, tilde: true, form: editorForm, member: []string{"servers"},
		address: addressForm{first: `"type":"http"`, url: "url"},
		user:    func(m Machine) []string { return vsCode.files(m, "mcp.json") },
		editor:  vsCode,
		project: [][]string{{".vscode", "mcp.json"}},
		also:    alsoVSCode,
	},
	{ // The same with another folder. A project's files are read as those of VS Code.
		ID: "vscode-insiders", Name: "VS Code Insiders", Expands: envReference, tilde: true, form: editorForm, member: []string{"servers"},
		address: addressForm{first: `"type":"http"`, url: "url"},
		user:    func(m Machine) []string { return vsCodeInsiders.files(m, "mcp.json") },
		also:    profilesOfEditor,
		editor:  vsCodeInsiders,
	},
	{ // The same
		ID: "vscodium", Name: "VSCodium", Expands: envReference, tilde: true, form: editorForm, member: []string{"servers"},
		address: addressForm{first: `"type":"http"`, url: "url"},
		user:    func(m Machine) []string { return vsCodium.files(m, "mcp.json") },
		also:    profilesOfEditor,
		editor:  vsCodium,
	},
	{ // https://docs.windsurf.com/windsurf/cascade/mcp
		ID: "windsurf", Name: "Windsurf", Expands: envReference, form: editorForm, member: []string{"mcpServers"},
		address: addressForm{url: "serverUrl"},
		user:    func(m Machine) []string { return []string{m.home(".codeium", "windsurf", "mcp_config.json")} },
		editor:  windsurfEditor,
	},
	{ // https://developers.openai.com/codex/mcp
		ID: "codex", Name: "Codex", Forwards: true, TakesAway: ownVariables, form: codexForm, member: []string{"mcp_servers"},
		address: addressForm{url: "url", token: "bearer_token_env_var"},
		user: func(m Machine) []string {
			return []string{filepath.Join(m.orHome("CODEX_HOME", ".codex"), "config.toml")}
		},
		project: [][]string{{".codex", "config.toml"}},
	},
	{ // https://geminicli.com/docs/tools/mcp-server
		ID: "gemini", Name: "Gemini CLI", TakesAway: certificates, form: geminiForm, member: []string{"mcpServers"},
		address: addressForm{url: "httpUrl"},
		Note:    "Gemini CLI starts servers only in folders that you trust: run 'gemini' in a folder once and trust it",
		Expands: func(v string) string { return "$" + v },
		user:    func(m Machine) []string { return []string{m.home(".gemini", "settings.json")} },
		project: [][]string{{".gemini", "settings.json"}},
		boards:  boardsOfGemini,
		rules:   rulesOfGemini, namings: geminiNaming,
	},
	{ // https://opencode.ai/docs/config. It reads all of these files; its own command writes the .jsonc.
		ID: "opencode", Name: "opencode", form: opencodeForm, member: []string{"mcp"},
		address: addressForm{first: `"type":"remote"`, url: "url"},
		Expands: func(v string) string { return "{env:" + v + "}" },
		user: func(m Machine) []string {
			return []string{m.dotConfig("opencode", "opencode.json"), m.dotConfig("opencode", "opencode.jsonc"), m.dotConfig("opencode", "config.json")}
		},
		project: [][]string{{"opencode.json"}, {"opencode.jsonc"}, {".opencode", "opencode.json"}, {".opencode", "opencode.jsonc"}},
		rules:   rulesOfOpencode, namings: opencodeNaming,
	},
	{ // https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
		ID: "copilot", Name: "GitHub Copilot CLI", Inherits: true, Expands: braces, form: copilotForm, member: []string{"mcpServers"},
		address: addressForm{first: `"type":"http"`, url: "url", rest: `"tools":["*"]`},
		user: func(m Machine) []string {
			return []string{filepath.Join(m.orHome("COPILOT_HOME", ".copilot"), "mcp-config.json")}
		},
		project: [][]string{{".github", "mcp.json"}}, // and .mcp.json, which is read as Claude Code's
	},
	{ // https://zed.dev/docs/ai/mcp
		ID: "zed", Name: "Zed", Inherits: true, form: zedForm, member: []string{"context_servers"},
		address: addressForm{url: "url"},
		user: func(m Machine) []string {
			if m.isWindows() {
				return []string{m.config("Zed", "settings.json")}
			}
			paths := []string{m.dotConfig("zed", "settings.json")}
			if flatpak := m.home(".var", "app", "dev.zed.Zed", "config", "zed"); isFolder(flatpak) {
				paths = append(paths, filepath.Join(flatpak, "settings.json"))
			}
			return paths
		},
		project: [][]string{{".zed", "settings.json"}},
		rules:   rulesOfZed, namings: zedNaming,
	},
	{ // https://docs.cline.bot/mcp/configuring-mcp-servers. Its extension expands ${env:NAME}, its CLI does not.
		ID: "cline", Name: "Cline", TakesAway: ownVariables, form: clineForm, member: []string{"mcpServers"},
		address: addressForm{first: `"type":"streamableHttp"`, url: "url"},
		user: func(m Machine) []string {
			data := m.Getenv("CLINE_DATA_DIR")
			if data == "" {
				data = filepath.Join(m.orHome("CLINE_DIR", ".cline"), "data")
			}
			earlier := extensionFiles(m, "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json")
			return append([]string{filepath.Join(data, "settings", "cline_mcp_settings.json")}, earlier...)
		},
	},
	{ // https://docs.roocode.com/features/mcp/using-mcp-in-roo
		ID: "roo", Name: "Roo Code", TakesAway: ownVariables, Expands: envReference, form: clineForm, member: []string{"mcpServers"},
		address: addressForm{first: `"type":"streamable-http"`, url: "url"},
		user: func(m Machine) []string {
			return extensionFiles(m, "rooveterinaryinc.roo-cline", "settings", "mcp_settings.json")
		},
		project: [][]string{{".roo", "mcp.json"}},
	},
	{ // https://kiro.dev/docs/mcp/configuration
		ID: "kiro", Name: "Kiro", Expands: braces, form: bracesForm, member: []string{"mcpServers"},
		address: addressForm{url: "url"},
		Note:    "Kiro passes on only the variables that you approve, when it asks or in its setting \"Mcp Approved Env Vars\"",
		user:    func(m Machine) []string { return []string{m.home(".kiro", "settings", "mcp.json")} },
		project: [][]string{{".kiro", "settings", "mcp.json"}},
	},
	{ // https://block.github.io/goose/docs/getting-started/using-extensions
		ID: "goose", Name: "Goose", Inherits: true, form: gooseForm, member: []string{"extensions"},
		address: addressForm{first: `"description":"","type":"streamable_http"`, url: "uri", rest: `"enabled":true`},
		user: func(m Machine) []string {
			if root := m.Getenv("GOOSE_PATH_ROOT"); root != "" {
				return []string{filepath.Join(root, "config", "config.yaml")}
			}
			if m.isWindows() {
				return []string{m.config("Block", "goose", "config", "config.yaml")}
			}
			return []string{m.dotConfig("goose", "config.yaml")}
		},
		rules: rulesOfGoose, namings: gooseNaming,
	},
	{ // https://docs.continue.dev/customize/deep-dives/mcp
		ID: "continue", Name: "Continue", Refuses: true, form: continueForm, member: []string{"mcpServers"},
		address: addressForm{first: `"type":"streamable-http"`, url: "url", key: "apiKey"},
		Expands: func(v string) string { return "${{ secrets." + v + " }}" },
		user: func(m Machine) []string {
			return []string{filepath.Join(m.orHome("CONTINUE_GLOBAL_DIR", ".continue"), "config.yaml")}
		},
		also: foldersOfContinue,
	},
	{ // https://lmstudio.ai/docs/app/mcp. Its own editor opens the file; earlier versions have the second one.
		ID: "lmstudio", Name: "LM Studio", form: plainForm, member: []string{"mcpServers"},
		address: addressForm{url: "url"},
		user: func(m Machine) []string {
			return []string{m.home(".lmstudio", "mcp.json"), m.home(".cache", "lm-studio", "mcp.json")}
		},
	},
	{ // https://ampcode.com/manual#mcp
		ID: "amp", Name: "Amp", Inherits: true, Expands: braces, form: bracesForm, member: []string{"amp.mcpServers"},
		address: addressForm{url: "url"},
		user: func(m Machine) []string {
			return []string{m.home(".config", "amp", "settings.json"), m.home(".config", "amp", "settings.jsonc")}
		},
		project: [][]string{{".amp", "settings.json"}, {".amp", "settings.jsonc"}},
		rules:   rulesOfAmp, namings: claudeNaming,
	},
	{ // https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp
		ID: "qwen", Name: "Qwen Code", form: geminiForm, member: []string{"mcpServers"},
		address: addressForm{url: "httpUrl"},
		Expands: func(v string) string { return "$" + v },
		user:    func(m Machine) []string { return []string{m.home(".qwen", "settings.json")} },
		project: [][]string{{".qwen", "settings.json"}},
		rules:   rulesOfQwen, namings: claudeNaming,
	},
	{ // https://github.com/charmbracelet/crush#mcps
		ID: "crush", Name: "Crush", Inherits: true, Expands: braces, form: crushForm, member: []string{"mcp"},
		address: addressForm{first: `"type":"http"`, url: "url"},
		user: func(m Machine) []string {
			if folder := m.Getenv("CRUSH_GLOBAL_CONFIG"); folder != "" {
				return []string{filepath.Join(folder, "crush.json")}
			}
			return []string{m.dotConfig("crush", "crush.json")}
		},
		project: [][]string{{"crush.json"}, {".crush.json"}},
	},
	{ // https://moonshotai.github.io/kimi-code/en/customization/mcp. The second file is that of Kimi CLI, which it replaces.
		ID: "kimi", Name: "Kimi Code CLI", Inherits: true, form: kimiForm, member: []string{"mcpServers"},
		address: addressForm{url: "url", token: "bearerTokenEnvVar"},
		user: func(m Machine) []string {
			return []string{
				filepath.Join(m.orHome("KIMI_CODE_HOME", ".kimi-code"), "mcp.json"),
				filepath.Join(m.orHome("KIMI_SHARE_DIR", ".kimi"), "mcp.json"),
			}
		},
		project: [][]string{{".kimi-code", "mcp.json"}},
	},
	{ // https://antigravity.google/docs/mcp. Versions of its editor have the second file.
		ID: "antigravity", Name: "Antigravity", form: plainForm, member: []string{"mcpServers"},
		address: addressForm{url: "serverUrl"},
		user: func(m Machine) []string {
			return []string{m.home(".gemini", "config", "mcp_config.json"), m.home(".gemini", "antigravity", "mcp_config.json")}
		},
		project: [][]string{{".agents", "mcp_config.json"}},
	},
	{ // https://docs.warp.dev/agent-platform/capabilities/mcp
		ID: "warp", Name: "Warp", Expands: braces, Refuses: true, form: bracesForm, member: []string{"mcpServers"},
		address: addressForm{url: "url"},
		user:    func(m Machine) []string { return []string{m.home(".warp", ".mcp.json")} },
		project: [][]string{{".warp", ".mcp.json"}},
	},
}

// claudeFile returns the file in which Claude Code keeps what it knows of its user.
func claudeFile(m Machine) string {
	return filepath.Join(m.orHome("CLAUDE_CONFIG_DIR"), ".claude.json")
}

// braces writes a variable as shells and many hosts do.
func braces(variable string) string { return "${" + variable + "}" }

// envReference writes a variable as editors do.
func envReference(variable string) string { return "${env:" + variable + "}" }
