package hostfiles

import (
	"path/filepath"
	"slices"

	"mcp-workbench/domain/serverconfig"
)

// File is a place where a host keeps servers. It need not exist.
type File struct {
	serverconfig.Source

	member []string // the path of the servers in the file
	form   form
}

func newFile(host string, scope serverconfig.Scope, path string, form form, member ...string) File {
	return File{Source: serverconfig.Source{Host: host, Scope: scope, Path: path}, member: member, form: form}
}

// Host is a program that starts MCP servers.
type Host struct {
	// ID is its name in commands: "claude-code".
	ID string
	// Name is its name for people: "Claude Code".
	Name string
	// Expands writes a reference to a variable of the environment as the host expands it in
	// "env" and "headers"; nil if it expands none.
	Expands func(variable string) string
	// Forwards is true if the host passes variables on by name ("env_vars").
	Forwards bool
	// Note is what the user has to do in the host besides restarting it, "" for nothing.
	Note string

	form   form
	member []string
	// user returns its files for the user, and project are those below the folder of a project.
	user    func(Machine) []string
	project [][]string
}

// hosts are the hosts that are known, in the order in which they are shown.
var hosts = []Host{
	{ // https://modelcontextprotocol.io/docs/develop/connect-local-servers
		ID: "claude-desktop", Name: "Claude Desktop", form: plain, member: []string{"mcpServers"},
		user: func(m Machine) []string { return []string{m.config("Claude", "claude_desktop_config.json")} },
	},
	{ // https://code.claude.com/docs/en/mcp
		ID: claudeCode, Name: "Claude Code", form: claude, member: []string{"mcpServers"},
		Expands: func(v string) string { return "${" + v + "}" },
		user: func(m Machine) []string {
			return []string{filepath.Join(m.orHome("CLAUDE_CONFIG_DIR"), ".claude.json")}
		},
		project: [][]string{{".mcp.json"}},
	},
	{ // https://cursor.com/docs/context/mcp
		ID: "cursor", Name: "Cursor", Expands: envReference, form: editor, member: []string{"mcpServers"},
		user:    func(m Machine) []string { return []string{m.home(".cursor", "mcp.json")} },
		project: [][]string{{".cursor", "mcp.json"}},
	},
	{ // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
		ID: "vscode", Name: "VS Code", Expands: envReference, form: editor, member: []string{"servers"},
		user:    func(m Machine) []string { return []string{m.config("Code", "User", "mcp.json")} },
		project: [][]string{{".vscode", "mcp.json"}},
	},
	{ // https://docs.windsurf.com/windsurf/cascade/mcp
		ID: "windsurf", Name: "Windsurf", Expands: envReference, form: editor, member: []string{"mcpServers"},
		user: func(m Machine) []string { return []string{m.home(".codeium", "windsurf", "mcp_config.json")} },
	},
	{ // https://developers.openai.com/codex/mcp
		ID: "codex", Name: "Codex", Forwards: true, form: codexForm, member: []string{"mcp_servers"},
		user: func(m Machine) []string {
			return []string{filepath.Join(m.orHome("CODEX_HOME", ".codex"), "config.toml")}
		},
		project: [][]string{{".codex", "config.toml"}},
	},
	{ // https://geminicli.com/docs/tools/mcp-server
		ID: "gemini", Name: "Gemini CLI", form: geminiForm, member: []string{"mcpServers"},
		Note:    "Gemini CLI starts servers only in folders that you trust: run 'gemini' in a folder once and trust it",
		Expands: func(v string) string { return "$" + v },
		user:    func(m Machine) []string { return []string{m.home(".gemini", "settings.json")} },
		project: [][]string{{".gemini", "settings.json"}},
	},
	{ // https://opencode.ai/docs/config. It reads all of these files; its own command writes the .jsonc.
		ID: "opencode", Name: "opencode", form: opencodeForm, member: []string{"mcp"},
		Expands: func(v string) string { return "{env:" + v + "}" },
		user: func(m Machine) []string {
			return []string{m.dotConfig("opencode", "opencode.json"), m.dotConfig("opencode", "opencode.jsonc"), m.dotConfig("opencode", "config.json")}
		},
		project: [][]string{{"opencode.json"}, {"opencode.jsonc"}, {".opencode", "opencode.json"}, {".opencode", "opencode.jsonc"}},
	},
}

const claudeCode = "claude-code"

// envReference is how editors write a variable.
func envReference(variable string) string { return "${env:" + variable + "}" }

// Hosts returns the hosts that are known, in the order in which they are shown.
func Hosts() []Host { return slices.Clone(hosts) }

// IDs returns the IDs of the hosts that are known.
func IDs() []string {
	ids := make([]string, len(hosts))
	for i, host := range hosts {
		ids[i] = host.ID
	}
	return ids
}

// Find returns the host of an ID.
func Find(id string) (Host, bool) {
	i := slices.IndexFunc(hosts, func(h Host) bool { return h.ID == id })
	if i < 0 {
		return Host{}, false
	}
	return hosts[i], true
}

// Files returns where the host keeps servers on a machine: the files of the user first.
func (h Host) Files(m Machine) []File {
	var files []File
	for _, path := range h.user(m) {
		files = append(files, newFile(h.ID, serverconfig.User, path, h.form, h.member...))
	}
	project := m.project()
	if project == "" {
		return files
	}
	if h.ID == claudeCode { // which keeps servers for one user in one project beside its own
		files = append(files, newFile(h.ID, serverconfig.Local, files[0].Path, h.form, "projects", project, "mcpServers"))
	}
	for _, below := range h.project {
		files = append(files, newFile(h.ID, serverconfig.Project, m.project(below...), h.form, h.member...))
	}
	return files
}
