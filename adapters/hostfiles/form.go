package hostfiles

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
)

// form says how a host writes a server.
type form int

const (
	plain      form = iota // command, args, env, nothing expanded
	claude                 // the same, with ${VAR}
	editor                 // Cursor, VS Code, Windsurf: ${env:VAR}, ${input:id}, ${workspaceFolder}
	codexForm              // TOML
	geminiForm             // Gemini CLI, Qwen Code: $VAR, ${VAR}
	opencodeForm
	bracesForm  // as claude, without "type": Kiro, Amp, Warp
	copilotForm // as claude, with a list of the tools that the model gets
	zedForm
	clineForm // Cline, Roo Code: an address without "type" is HTTP+SSE
	crushForm // all values pass through a shell
	kimiForm
	gooseForm    // YAML, a mapping
	continueForm // YAML, a list, and ${{ secrets.VAR }}
)

// leftOut returns why a member that a form does not translate is left out, "" for one that does
// not change how the server works, such as its picture or a comment. It reports whether the member may reach the
// server.
//
// Decision: a member that is not known may. So the server differs from the one in the configuration, and
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

// Written returns the workbench's entry as the host writes servers, as JSON.
func Written(file File, entry Entry) json.RawMessage {
	server := struct {
		Type        string            `json:"type,omitempty"`
		Command     any               `json:"command"`
		Args        []string          `json:"args,omitempty"`
		Env         map[string]string `json:"env,omitempty"`
		EnvVars     []string          `json:"env_vars,omitempty"`
		Environment map[string]string `json:"environment,omitempty"`
		Enabled     bool              `json:"enabled,omitempty"`
		Tools       []string          `json:"tools,omitempty"`
	}{Command: entry.Command, Args: entry.Args}
	host, _ := Find(file.Host)
	if entry.URL != "" {
		return host.atAddress(entry)
	}
	variables := entry.Values
	switch {
	case host.Inherits:
		variables = nil // the program inherits them
	case host.Expands != nil:
		variables = map[string]string{}
		for _, name := range entry.Variables {
			variables[name] = host.Expands(name)
		}
	}
	switch file.form {
	case codexForm:
		server.EnvVars = entry.Variables
	case opencodeForm:
		server.Type, server.Enabled, server.Environment = "local", true, variables
		server.Command, server.Args = append([]string{entry.Command}, entry.Args...), nil
	case gooseForm:
		return goose(entry)
	case copilotForm:
		server.Type, server.Env, server.Tools = "stdio", variables, []string{"*"}
	case claude, editor, clineForm, crushForm:
		server.Type, server.Env = "stdio", variables
	default:
		server.Env = variables
	}
	data, _ := json.Marshal(server) // texts can always be marshalled
	return data
}

// isTOML reports whether a file is in TOML rather than in JSON.
func (f File) isTOML() bool { return f.form == codexForm }

// isYAML reports whether a file is in YAML.
func (f File) isYAML() bool {
	return (f.form == gooseForm || f.form == continueForm) && filepath.Ext(f.Path) != ".json"
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
	read := textedit.ReadJSON
	if f.isTOML() {
		read = textedit.ReadTOML
	} else if f.isYAML() {
		read = textedit.ReadYAML
	}
	servers, err := read(text, f.member)
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
