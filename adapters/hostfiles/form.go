package hostfiles

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
)

// form says how hosts write a server. All forms have a program, its arguments and variables.
type form struct {
	// format is that of the file; JSON for the zero value.
	format *textedit.Format
	// folded are objects within a server whose members belong to the server.
	folded []string
	// read reads the members of a server and returns its kind; usual for nil.
	read func(*source, *setup.Settings) (kind string)
	// expand turns references to variables in a text into "${NAME}"; nil if the hosts expand nothing.
	expand func(s *source, text string) string
	// program is how the workbench is written as a program.
	program programForm
	// redirect is the address to which the host redirects the browser after a login, with %d for the port; "" if it is
	// not known.
	redirect string
}

var (
	plainForm  = &form{redirect: claudeRedirect}
	claudeForm = &form{redirect: claudeRedirect, expand: (*source).ofClaude, program: stdioForm}
	editorForm = &form{redirect: claudeRedirect, expand: (*source).ofEditors, program: stdioForm} // Cursor, VS Code, Windsurf
	codexForm  = &form{format: &textedit.TOML, read: (*source).codex}
	geminiForm = &form{read: (*source).gemini, expand: (*source).ofGemini} // Gemini CLI, Qwen Code

	opencodeForm = &form{
		read: (*source).opencode, expand: (*source).ofOpencode, redirect: "http://127.0.0.1:%d/mcp/oauth/callback",
		program: programForm{first: `"type":"local"`, line: true, env: "environment"},
	}

	// bracesForm is claudeForm without "type": Kiro, Amp, Warp.
	bracesForm = &form{expand: (*source).ofEditors}
	// copilotForm is claudeForm with a list of the tools that the model gets.
	copilotForm = &form{expand: (*source).inBraces, program: programForm{first: `"type":"stdio"`, rest: `"tools":["*"]`}}
	// zedForm had {"command": {"path", "args", "env"}} in earlier versions.
	zedForm = &form{folded: []string{"command"}}
	// clineForm is that of Cline and Roo Code.
	clineForm = &form{folded: []string{"transport"}, read: (*source).cline, expand: (*source).ofEditors, program: stdioForm}
	// crushForm has values that pass through a shell.
	crushForm = &form{read: (*source).crush, expand: (*source).ofCrush, program: stdioForm}

	kimiForm  = &form{read: (*source).kimi}
	gooseForm = &form{
		format: &textedit.YAML, read: (*source).goose, expand: (*source).withDollar,
		program: programForm{first: `"description":"","type":"stdio"`, command: "cmd", rest: `"enabled":true`},
	}
	continueForm = &form{format: &textedit.YAMLList, folded: []string{"transport", "requestOptions"}, read: (*source).continues, expand: (*source).ofContinue}
)

// format returns how a file is written. Some files of Continue are in JSON.
func (f File) format() textedit.Format {
	if f.form.format == nil || filepath.Ext(f.Path) == ".json" {
		return textedit.JSON
	}
	return *f.form.format
}

// isYAML reports whether the file is in YAML, some texts of which cannot be changed.
func (f File) isYAML() bool {
	return f.form.format != nil && f.form != codexForm && filepath.Ext(f.Path) != ".json"
}

// leftOut returns why a member that a form does not translate is left out, "" for one that does
// not change how the server works, such as its picture or a comment. It reports whether the member may reach the
// server.
//
// Decision: an unknown member may. So the server differs from the one in the configuration, and
// 'connect --replace' leaves it in the host.
func leftOut(key string) (why string, reachesServer bool) {
	if strings.HasPrefix(key, "_") || strings.HasPrefix(key, "$") || strings.HasPrefix(key, "//") {
		return "", false
	}
	switch key {
	case "description", "gallery", "version", "dev", "required", "name", "icon", "source", "metadata", "deferTools",
		"display_name", "bundled", "faviconUrl", "serverName", "title", "displayName", "comment", "comments", "note", "notes", "tags", "category",
		"author", "homepage", "repository", "documentation", "license", "id":
		return "", false
	case "envFile":
		return `has no counterpart for one server and is left out: "envFile" at the root of the configuration names a file of variables for all`, true
	case "timeout", "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec", "startupTimeoutMs", "toolTimeoutMs",
		"discoveryTimeoutMs", "connectionTimeout":
		return `is left out; "limits" sets how long the workbench waits`, false
	case "alwaysAllow", "autoApprove", "trust":
		return "is left out; the host asks before calls according to its own setting for the workbench", false
	}
	return "has no counterpart and is left out, so 'connect --replace' leaves the server in the host", true
}

// read returns the servers in a file's text as the host wrote them.
//
// Failures: textedit.ErrSyntax.
func (f File) read(text []byte) ([]textedit.Member, error) {
	var servers []textedit.Member
	for _, place := range f.places(text) {
		members, err := f.format().Read(text, place)
		if err != nil {
			return nil, fmt.Errorf("read the servers in %s: %w", f.Path, err)
		}
		if servers == nil {
			servers = members
			continue
		}
		for _, member := range members { // those of opencode 1 have a type, and the others count more
			isOther := func(known textedit.Member) bool { return known.Name == member.Name }
			if kindOf(member) != "" && !slices.ContainsFunc(servers, isOther) {
				servers = append(servers, member)
			}
		}
	}
	if f.form == gooseForm {
		servers = slices.DeleteFunc(servers, isOwnExtension)
	}
	return servers, nil
}

// isOwnExtension reports whether an extension is a part of Goose rather than a server.
func isOwnExtension(extension textedit.Member) bool {
	return !slices.Contains([]string{"stdio", "sse", "streamable_http"}, kindOf(extension))
}

// Describes reports whether files of hosts have servers of a kind. Those of other transports have the keys of the configuration.
func Describes(kind string) bool { return slices.Contains([]string{"stdio", "http", "sse"}, kind) }
