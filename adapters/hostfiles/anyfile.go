package hostfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain/serverconfig"
	"mcp-workbench/domain/textedit"
)

// ErrNoServers reports that a file does not have the form of any host.
var ErrNoServers = errors.New("no servers")

// anyForms are the members of hosts' files that contain servers, the most usual first.
var anyForms = []struct {
	member []string
	form   form
}{
	{[]string{"mcpServers"}, editor},
	{[]string{"servers"}, editor},
	{[]string{"mcp", "servers"}, editor}, // VS Code's settings.json
	{[]string{"mcp"}, opencodeForm},
	{[]string{"context_servers"}, zedForm},
	{[]string{"amp.mcpServers"}, bracesForm},
}

// FileOf returns the file for a text whose host is not known, according to the form of the
// text. If the path is that of a host on the machine, it returns the file of that host.
//
// Failures: ErrNoServers; textedit.ErrSyntax.
func FileOf(machine Machine, path string, text []byte) (File, error) {
	for _, host := range Hosts() {
		for _, file := range host.Files(machine) {
			if file.Path == path && file.Scope != serverconfig.Local {
				return file, nil
			}
		}
	}
	if strings.HasSuffix(path, ".toml") {
		return newFile("", "", path, codexForm, "mcp_servers"), nil
	}
	if strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml") {
		return yamlFile(path, text)
	}
	for _, candidate := range anyForms {
		file := newFile("", "", path, candidate.form, candidate.member...)
		members, err := textedit.ReadJSON(text, candidate.member)
		if errors.Is(err, textedit.ErrSyntax) {
			return File{}, fmt.Errorf("read the servers in %s: %w", path, err)
		}
		if err != nil || len(members) == 0 {
			continue
		}
		if candidate.form == editor && slices.ContainsFunc(members, isGemini) {
			file.form = geminiForm
		}
		if candidate.form == opencodeForm && !slices.ContainsFunc(members, isOpencode) {
			file.form = crushForm
		}
		return file, nil
	}
	return File{}, fmt.Errorf(`read the servers in %s: %w: want "mcpServers", "servers", "mcp" or "context_servers", as in the file of a host`, path, ErrNoServers)
}

// yamlFile returns the file for a text in YAML.
//
// Failures: ErrNoServers; textedit.ErrSyntax.
func yamlFile(path string, text []byte) (File, error) {
	for _, file := range []File{newFile("", "", path, gooseForm, "extensions"), newFile("", "", path, continueForm, "mcpServers")} {
		if members, err := file.read(text); len(members) > 0 || errors.Is(err, textedit.ErrSyntax) {
			return file, err
		}
	}
	return File{}, fmt.Errorf(`read the servers in %s: %w: want "extensions" or "mcpServers", as in the file of a host`, path, ErrNoServers)
}

// isGemini reports whether a server has members that only Gemini CLI knows.
func isGemini(server textedit.Member) bool {
	return bytes.Contains(server.Value, []byte(`"httpUrl"`)) || bytes.Contains(server.Value, []byte(`"includeTools"`)) ||
		bytes.Contains(server.Value, []byte(`"excludeTools"`))
}

// isOpencode reports whether a server has a kind that opencode writes; Crush has other kinds.
func isOpencode(server textedit.Member) bool {
	var kind struct{ Type string }
	_ = json.Unmarshal(server.Value, &kind) // a value that is not an object has no kind
	return kind.Type == "local" || kind.Type == "remote" || kind.Type == ""
}

// ParseServer returns the server of a text in the form of "mcpServers".
//
// Failures: a text that is not a JSON object. None shows a value.
func ParseServer(name string, text []byte) (serverconfig.Server, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return serverconfig.Server{}, fmt.Errorf("read the server %q: want a JSON object, such as {\"command\": \"npx\", \"args\": []}", name)
	}
	server := translate(File{form: claude}, textedit.Member{Name: name, Value: text})
	if server.IsBroken {
		return serverconfig.Server{}, fmt.Errorf("read the server %q: %s", name, strings.Join(server.Notes, "; "))
	}
	return server, nil
}
