package hostfiles

import (
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
	// ID is what commands call it: "claude-code".
	ID string
	// Name is what people call it: "Claude Code".
	Name string
	// Files returns where it keeps servers on a machine: the user's files first. Connect
	// writes to the first of them that exists (see UserFile).
	Files func(Machine) []File
	// Expands writes a reference to a variable of the environment as the host expands
	// it in "env" and "headers"; nil when it expands none.
	Expands func(variable string) string
	// Forwards says that the host hands variables on by name ("env_vars").
	Forwards bool
	// Note is what a person has to do in the host besides starting it again, "" for
	// nothing.
	Note string
}

// Hosts returns the hosts that are known, in the order in which they are shown.
func Hosts() []Host {
	return []Host{claudeDesktop(), claudeCode(), cursor(), vsCode(), windsurf(), codex(), gemini(), opencode()}
}

// IDs returns the IDs of the hosts that are known.
func IDs() []string {
	var ids []string
	for _, host := range Hosts() {
		ids = append(ids, host.ID)
	}
	return ids
}

// Find returns the host of an ID.
func Find(id string) (Host, bool) {
	hosts := Hosts()
	i := slices.IndexFunc(hosts, func(h Host) bool { return h.ID == id })
	if i < 0 {
		return Host{}, false
	}
	return hosts[i], true
}

// claudeDesktop: https://modelcontextprotocol.io/docs/develop/connect-local-servers.
func claudeDesktop() Host {
	return Host{ID: "claude-desktop", Name: "Claude Desktop", Files: func(m Machine) []File {
		return []File{newFile("claude-desktop", serverconfig.User, m.config("Claude", "claude_desktop_config.json"), plain, "mcpServers")}
	}}
}

// claudeCode: https://code.claude.com/docs/en/mcp.
func claudeCode() Host {
	return Host{
		ID: "claude-code", Name: "Claude Code", Expands: func(v string) string { return "${" + v + "}" },
		Files: func(m Machine) []File {
			path := m.home(".claude.json")
			if directory := m.Getenv("CLAUDE_CONFIG_DIR"); directory != "" {
				path = m.orHome("CLAUDE_CONFIG_DIR") + "/.claude.json"
			}
			files := []File{newFile("claude-code", serverconfig.User, path, claude, "mcpServers")}
			if project := m.project(); project != "" {
				files = append(
					files,
					newFile("claude-code", serverconfig.Local, path, claude, "projects", project, "mcpServers"),
					newFile("claude-code", serverconfig.Project, m.project(".mcp.json"), claude, "mcpServers"),
				)
			}
			return files
		},
	}
}

// cursor: https://cursor.com/docs/context/mcp.
func cursor() Host {
	return Host{
		ID: "cursor", Name: "Cursor", Expands: envReference,
		Files: func(m Machine) []File {
			return withProject(
				newFile("cursor", serverconfig.User, m.home(".cursor", "mcp.json"), editor, "mcpServers"),
				m.project(".cursor", "mcp.json"),
			)
		},
	}
}

// vsCode: https://code.visualstudio.com/docs/copilot/reference/mcp-configuration.
func vsCode() Host {
	return Host{
		ID: "vscode", Name: "VS Code", Expands: envReference,
		Files: func(m Machine) []File {
			return withProject(
				newFile("vscode", serverconfig.User, m.config("Code", "User", "mcp.json"), editor, "servers"),
				m.project(".vscode", "mcp.json"),
			)
		},
	}
}

// windsurf: https://docs.windsurf.com/windsurf/cascade/mcp.
func windsurf() Host {
	return Host{ID: "windsurf", Name: "Windsurf", Expands: envReference, Files: func(m Machine) []File {
		return []File{newFile("windsurf", serverconfig.User, m.home(".codeium", "windsurf", "mcp_config.json"), editor, "mcpServers")}
	}}
}

// codex: https://developers.openai.com/codex/mcp.
func codex() Host {
	return Host{
		ID: "codex", Name: "Codex", Forwards: true,
		Files: func(m Machine) []File {
			user := newFile("codex", serverconfig.User, m.orHome("CODEX_HOME", ".codex")+"/config.toml", codexForm, "mcp_servers")
			return withProject(user, m.project(".codex", "config.toml"))
		},
	}
}

// gemini: https://geminicli.com/docs/tools/mcp-server.
func gemini() Host {
	return Host{
		ID: "gemini", Name: "Gemini CLI", Note: "Gemini CLI starts servers only in folders that you trust: run 'gemini' in a folder once and trust it",
		Expands: func(v string) string { return "$" + v },
		Files: func(m Machine) []File {
			return withProject(
				newFile("gemini", serverconfig.User, m.home(".gemini", "settings.json"), geminiForm, "mcpServers"),
				m.project(".gemini", "settings.json"),
			)
		},
	}
}

// opencode: https://opencode.ai/docs/config. It reads all of these files; its own
// command writes the one with comments.
func opencode() Host {
	return Host{
		ID: "opencode", Name: "opencode", Expands: func(v string) string { return "{env:" + v + "}" },
		Files: func(m Machine) []File {
			var files []File
			add := func(scope serverconfig.Scope, path string) {
				files = append(files, newFile("opencode", scope, path, opencodeForm, "mcp"))
			}
			for _, name := range []string{"opencode.json", "opencode.jsonc", "config.json"} {
				add(serverconfig.User, m.dotConfig("opencode", name))
			}
			if m.project() != "" {
				for _, below := range [][]string{{"opencode.json"}, {"opencode.jsonc"}, {".opencode", "opencode.json"}, {".opencode", "opencode.jsonc"}} {
					add(serverconfig.Project, m.project(below...))
				}
			}
			return files
		},
	}
}

// envReference is how editors write a variable.
func envReference(variable string) string { return "${env:" + variable + "}" }

// withProject returns the user's file, and the same in the project when there is one.
func withProject(user File, path string) []File {
	if path == "" {
		return []File{user}
	}
	project := user
	project.Scope, project.Path = serverconfig.Project, path
	return []File{user, project}
}
