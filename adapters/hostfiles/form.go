package hostfiles

import (
	"encoding/json"
	"fmt"

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

// leftOut returns why a member that a form does not translate is left out, "" for one that does
// not change how the server works, such as its picture.
func leftOut(key string) string {
	switch key {
	case "description", "gallery", "version", "dev", "required", "name", "icon":
		return ""
	case "timeout", "startup_timeout_sec", "startup_timeout_ms", "tool_timeout_sec":
		return `is left out; "limits" sets how long the workbench waits`
	case "alwaysAllow", "autoApprove", "trust":
		return "is left out; the host asks before calls as it is set there for the workbench"
	}
	return "has no counterpart and is left out"
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
}

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
	}{Command: entry.Command, Args: entry.Args}
	host, _ := Find(file.Host)
	variables := entry.Values
	if host.Expands != nil {
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
	case claude, editor:
		server.Type, server.Env = "stdio", variables
	default:
		server.Env = variables
	}
	data, _ := json.Marshal(server) // texts can always be marshalled
	return data
}

// isTOML reports whether a file is in TOML rather than in JSON.
func (f File) isTOML() bool { return f.form == codexForm }

// read returns the servers in a file's text as the host wrote them.
//
// Failures: textedit.ErrSyntax.
func (f File) read(text []byte) ([]textedit.Member, error) {
	read := textedit.ReadJSON
	if f.isTOML() {
		read = textedit.ReadTOML
	}
	servers, err := read(text, f.member)
	if err != nil {
		return nil, fmt.Errorf("read the servers in %s: %w", f.Path, err)
	}
	return servers, nil
}
