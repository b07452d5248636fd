package hostfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain/textedit"
)

// ErrNoServers says that a file has no form in which a host keeps servers.
var ErrNoServers = errors.New("no servers")

// anyForms are the places where files of hosts have their servers, the most usual first.
var anyForms = []struct {
	member []string
	form   form
}{
	{[]string{"mcpServers"}, editor},
	{[]string{"servers"}, editor},
	{[]string{"mcp", "servers"}, editor}, // VS Code's settings.json
	{[]string{"mcp"}, opencodeForm},
}

// FileOf returns the file of a text whose host is not known, by what is in the text.
// A file of a known host on the machine is taken for what it is.
//
// Failures: ErrNoServers; textedit.ErrSyntax.
func FileOf(machine Machine, path string, text []byte) (File, error) {
	for _, host := range Hosts() {
		for _, file := range host.Files(machine) {
			if file.Path == path && file.Scope != Local {
				return file, nil
			}
		}
	}
	if strings.HasSuffix(path, ".toml") {
		return newFile("", "", path, codexForm, "mcp_servers"), nil
	}
	for _, any := range anyForms {
		file := newFile("", "", path, any.form, any.member...)
		members, err := textedit.ReadJSON(text, any.member)
		if errors.Is(err, textedit.ErrSyntax) {
			return File{}, fmt.Errorf("read the servers in %s: %w", path, err)
		}
		if err != nil || len(members) == 0 {
			continue
		}
		if any.form == editor && slices.ContainsFunc(members, isGemini) {
			file.form = geminiForm
		}
		return file, nil
	}
	return File{}, fmt.Errorf(`read the servers in %s: %w: want "mcpServers", "servers" or "mcp", as in the file of a host`, path, ErrNoServers)
}

// isGemini reports whether a server is written as only Gemini CLI does.
func isGemini(server textedit.Member) bool {
	return bytes.Contains(server.Value, []byte(`"httpUrl"`)) || bytes.Contains(server.Value, []byte(`"includeTools"`)) ||
		bytes.Contains(server.Value, []byte(`"excludeTools"`))
}

// ParseServer returns the server of a text as it stands in the file of a host of the
// "mcpServers" shape.
//
// Failures: a text that is no JSON object. None shows a value.
func ParseServer(name string, text []byte) (Server, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || object == nil {
		return Server{}, fmt.Errorf("read the server %q: want a JSON object, such as {\"command\": \"npx\", \"args\": []}", name)
	}
	return translate(File{form: claude}, textedit.Member{Name: name, Value: text}), nil
}

// Load returns the text of a file that a person named, at most as large as any list of
// servers.
func Load(path string) ([]byte, error) { return load(path) }

// MaxFile is the size in bytes from which a text is nobody's list of servers.
const MaxFile = maxFile
