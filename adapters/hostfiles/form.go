package hostfiles

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/domain/serverconfig"
)

// form says how hosts write a server. All forms have a program, its arguments and variables.
type form struct {
	// format is that of the file; JSON for the zero value.
	format *textedit.Format
	// folded are objects within a server whose members belong to the server.
	folded []string
	// read reads the members of a server and returns its kind; usual for nil.
	read func(*source, *serverconfig.Settings) (kind string)
	// expand turns references to variables in a text into "${NAME}"; nil if the hosts expand nothing.
	expand func(v variables, text string) string
	// write sets what the form has besides "env"; nil for nothing.
	write func(server *program, entry Entry)
	// redirect is the address to which the host redirects the browser after a login, with %d for the port; "" if it is
	// not known.
	redirect string
}

var (
	plainForm  = &form{redirect: claudeRedirect}
	claudeForm = &form{redirect: claudeRedirect, expand: variables.ofClaude, write: writeStdio}
	editorForm = &form{redirect: claudeRedirect, expand: variables.ofEditors, write: writeStdio} // Cursor, VS Code, Windsurf
	codexForm  = &form{format: &textedit.TOML, read: (*source).codex, write: writeVariableNames}
	geminiForm = &form{read: (*source).gemini, expand: variables.ofGemini} // Gemini CLI, Qwen Code

	opencodeForm = &form{read: (*source).opencode, expand: variables.ofOpencode, write: writeOpencode, redirect: "http://127.0.0.1:%d/mcp/oauth/callback"}

	// bracesForm is claudeForm without "type": Kiro, Amp, Warp.
	bracesForm = &form{expand: variables.inBraces}
	// copilotForm is claudeForm with a list of the tools that the model gets.
	copilotForm = &form{expand: variables.inBraces, write: writeAllTools}
	// zedForm had {"command": {"path", "args", "env"}} in earlier versions.
	zedForm = &form{folded: []string{"command"}}
	// clineForm is that of Cline and Roo Code.
	clineForm = &form{folded: []string{"transport"}, read: (*source).cline, expand: variables.ofEditors, write: writeStdio}
	// crushForm has values that pass through a shell.
	crushForm = &form{read: (*source).crush, expand: variables.ofCrush, write: writeStdio}

	kimiForm     = &form{read: (*source).kimi}
	gooseForm    = &form{format: &textedit.YAML, read: (*source).goose, expand: variables.withDollar}
	continueForm = &form{format: &textedit.YAMLList, folded: []string{"transport", "requestOptions"}, read: (*source).continues, expand: variables.ofContinue}
)

// format returns how a file is written. Some files of Continue are in JSON.
func (f File) format() textedit.Format {
	if f.form.format == nil || filepath.Ext(f.Path) == ".json" {
		return textedit.JSON
	}
	return *f.form.format
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
		"author", "homepage", "repository", "documentation", "license":
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

// Entry is the workbench as a server of a host.
type Entry struct {
	// Command is the absolute path of the program.
	Command string
	Args    []string
	// Variables are the variables that the program needs from the host's environment.
	Variables []string
	// Values are the values of variables for a host without references.
	Values map[string]string

	// URL is the address of a workbench that listens, used instead of a command.
	URL string
	// Token is the variable with the token for the address, "" for none. It is one of Variables.
	Token string
}

// IsEmpty reports whether an entry names no workbench.
func (e Entry) IsEmpty() bool { return e.Command == "" && e.URL == "" }

// program is a server over stdio as hosts write it.
type program struct {
	Type        string            `json:"type,omitempty"`
	Command     any               `json:"command"`
	Args        []string          `json:"args,omitempty"`
	Env         map[string]string `json:"env,omitempty"`
	EnvVars     []string          `json:"env_vars,omitempty"`
	Environment map[string]string `json:"environment,omitempty"`
	Enabled     bool              `json:"enabled,omitempty"`
	Tools       []string          `json:"tools,omitempty"`
}

func writeStdio(server *program, _ Entry) { server.Type = "stdio" }

func writeAllTools(server *program, _ Entry) {
	server.Type, server.Tools = "stdio", []string{"*"}
}

func writeVariableNames(server *program, entry Entry) {
	server.Env, server.EnvVars = nil, entry.Variables
}

func writeOpencode(server *program, entry Entry) {
	server.Type, server.Enabled, server.Env, server.Environment = "local", true, nil, server.Env
	server.Command, server.Args = append([]string{entry.Command}, entry.Args...), nil
}

// EntryJSON returns the workbench's entry as the host of a file writes servers.
func EntryJSON(file File, entry Entry) json.RawMessage {
	host, _ := Find(file.Host)
	switch {
	case file.form == gooseForm:
		return goose(entry)
	case entry.URL != "":
		return host.atAddress(entry)
	}
	server := program{Command: entry.Command, Args: entry.Args, Env: entry.Values}
	switch {
	case host.Inherits:
		server.Env = nil // the program inherits them
	case host.Expands != nil:
		server.Env = map[string]string{}
		for _, name := range entry.Variables {
			server.Env[name] = host.Expands(name)
		}
	}
	if file.form.write != nil {
		file.form.write(&server, entry)
	}
	data, _ := json.Marshal(server) // texts can always be marshalled
	return data
}

// goose returns the workbench's entry as Goose writes extensions.
func goose(entry Entry) json.RawMessage {
	server := struct {
		Name        string            `json:"name,omitempty"`
		Description string            `json:"description"`
		Type        string            `json:"type"`
		Cmd         string            `json:"cmd,omitempty"`
		Args        []string          `json:"args,omitempty"`
		URI         string            `json:"uri,omitempty"`
		Headers     map[string]string `json:"headers,omitempty"`
		Enabled     bool              `json:"enabled"`
	}{Type: "stdio", Cmd: entry.Command, Args: entry.Args, Enabled: true}
	if entry.URL != "" {
		server.Type, server.URI = "streamable_http", entry.URL
		if token, has := entry.Values[entry.Token]; has {
			server.Headers = map[string]string{"Authorization": "Bearer " + token}
		}
	}
	data, _ := json.Marshal(server) // texts can always be marshalled
	return data
}

// read returns the servers in a file's text as the host wrote them.
//
// Failures: textedit.ErrSyntax.
func (f File) read(text []byte) ([]textedit.Member, error) {
	servers, err := f.format().Read(text, f.member)
	if err != nil {
		return nil, fmt.Errorf("read the servers in %s: %w", f.Path, err)
	}
	if f.form == gooseForm {
		servers = slices.DeleteFunc(servers, isOwnExtension)
	}
	return servers, nil
}

// isOwnExtension reports whether an extension is a part of Goose rather than a server.
func isOwnExtension(extension textedit.Member) bool {
	var kind struct{ Type string }
	_ = json.Unmarshal(extension.Value, &kind) // a value that is not a mapping has no type
	return !slices.Contains([]string{"stdio", "sse", "streamable_http"}, kind.Type)
}
