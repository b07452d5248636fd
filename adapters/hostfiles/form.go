package hostfiles

import (
	"encoding/json"

	"mcp-workbench/domain/textedit"
)

// form is how a host writes a server.
type form int

const (
	plain     form = iota // command, args, env, nothing expanded
	claude                // the same, with ${VAR}
	editor                // Cursor, VS Code, Windsurf: ${env:VAR}, ${input:id}, ${workspaceFolder}
	codexForm             // TOML
	geminiForm
	opencodeForm
)

// keys are the members of a server that have a meaning for the workbench; the others
// of a form are noted (see leftOut).
func (f form) keys() []string {
	switch f {
	case codexForm:
		return []string{
			"command", "args", "env", "env_vars", "cwd", "url", "bearer_token_env_var", "http_headers", "env_http_headers",
			"enabled", "enabled_tools", "disabled_tools",
		}
	case geminiForm:
		return []string{"command", "args", "env", "cwd", "url", "httpUrl", "headers", "type", "includeTools", "excludeTools"}
	case opencodeForm:
		return []string{"type", "command", "environment", "url", "headers", "enabled", "cwd"}
	}
	return []string{"type", "transport", "command", "args", "env", "cwd", "url", "serverUrl", "headers", "disabled", "disabledTools", "toolFilters"}
}

// leftOut says why a member that a form does not translate is left out, "" for one that says
// nothing about how the server works, such as its picture.
func leftOut(key string) string {
	switch key {
	case "description", "gallery", "version", "dev", "required", "name", "icon":
		return ""
	case "timeout", "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec":
		return `is left out; "limits" says how long the workbench waits`
	case "alwaysAllow", "autoApprove", "trust":
		return "is left out; the host asks before calls as it is set there for the workbench"
	}
	return "has no counterpart and is left out"
}

// written returns the workbench's entry as the host writes servers, for a JSON file,
// with references to the variables.
func (f form) written(entry Entry, expands func(string) string) json.RawMessage {
	server := struct {
		Type        string            `json:"type,omitempty"`
		Command     any               `json:"command"`
		Args        []string          `json:"args,omitempty"`
		Env         map[string]string `json:"env,omitempty"`
		Environment map[string]string `json:"environment,omitempty"`
		Enabled     *bool             `json:"enabled,omitempty"`
	}{Command: entry.Command, Args: entry.Args}
	references := references(entry.Variables, expands)
	if expands == nil {
		references = entry.Values
	}
	switch f {
	case opencodeForm:
		on := true
		server.Type, server.Enabled = "local", &on
		server.Command, server.Args = append([]string{entry.Command}, entry.Args...), nil
		server.Environment = references
	case claude, editor:
		server.Type, server.Env = "stdio", references
	default:
		server.Env = references
	}
	data, err := json.Marshal(server)
	if err != nil {
		return json.RawMessage(`{}`) // texts can always be marshalled
	}
	return data
}

// table returns the workbench's entry for a TOML file.
func table(entry Entry) map[string]any {
	values := map[string]any{"command": entry.Command, "args": entry.Args}
	if len(entry.Variables) > 0 {
		values["env_vars"] = entry.Variables
	}
	return values
}

func references(variables []string, expands func(string) string) map[string]string {
	if expands == nil || len(variables) == 0 {
		return nil
	}
	written := make(map[string]string, len(variables))
	for _, variable := range variables {
		written[variable] = expands(variable)
	}
	return written
}

// isTOML reports whether a file is in TOML rather than in JSON.
func (f File) isTOML() bool { return f.form == codexForm }

// read returns the members of an object of a file's text.
func (f File) read(text []byte, path []string) ([]textedit.Member, error) {
	if f.isTOML() {
		return textedit.ReadTOML(text, path)
	}
	return textedit.ReadJSON(text, path)
}
