package hostfiles

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
)

// ParseServer returns the server of a text in the form of any host: its settings, or the object around it that
// files have, as READMEs show it. Comments and trailing commas are accepted.
//
// Failures: a text without a server, or with several and none of that name; a setting of the wrong type. None
// shows a value.
func ParseServer(name string, text []byte) (setup.Server, error) {
	file, member, err := oneServer(name, text)
	if err != nil {
		return setup.Server{}, fmt.Errorf("read the server %q: %w", name, err)
	}
	member.Name, file.machine.System = name, runtime.GOOS
	server := translate(file, member)
	if server.IsBroken {
		return setup.Server{}, fmt.Errorf("read the server %q: %s", name, strings.Join(server.Notes, "; "))
	}
	return server, nil
}

// NameIn returns the name of the only server in a text in the form of any host, "" for none or several.
func NameIn(text []byte) string {
	_, member, err := oneServer("", text)
	var named struct{ Name string }
	if err == nil && member.Name == "" {
		_ = json.Unmarshal(member.Value, &named) // another form has no name
	}
	return cmp.Or(member.Name, named.Name)
}

// oneServer returns the server in a text as it is written, in a file of the form that it has.
func oneServer(name string, text []byte) (File, textedit.Member, error) {
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '"' { // a member without its object
		text = slices.Concat([]byte("{"), trimmed, []byte("}"))
	}
	members, err := textedit.ReadJSON(text, nil)
	if err != nil || len(bytes.TrimSpace(text)) == 0 {
		return File{}, textedit.Member{}, fmt.Errorf(`want a JSON object, such as {"command": "npx", "args": []}%s`, placeIn(err))
	}
	if err := published(text, ""); err != nil {
		return File{}, textedit.Member{}, err
	}
	settings := textedit.Member{Value: object(members)}
	if isSettings(members) {
		return File{form: formOf(settings)}, settings, nil
	}
	file, err := jsonFile("", text)
	if err == nil {
		members, err = file.read(text)
	} else if errors.Is(err, ErrNoServers) { // the members are servers
		file, err = File{form: plainForm}, nil
	}
	if i := slices.IndexFunc(members, func(m textedit.Member) bool { return m.Name == name }); i >= 0 {
		members = members[i : i+1]
	}
	switch {
	case err != nil:
		return File{}, textedit.Member{}, err
	case len(members) == 0:
		return File{}, textedit.Member{}, errors.New(`want "command" or "url"`)
	case len(members) > 1:
		return File{}, textedit.Member{}, errors.New("the text has several servers, and none of that name; 'mcp-workbench import -' reads them all")
	}
	if file.form == plainForm || file.form == editorForm {
		file.form = formOf(members[0])
	}
	file.Path, file.project = "", ""
	return file, members[0], nil
}

// placeIn returns the place of a mistake in a text, for a message.
func placeIn(err error) string {
	if err == nil {
		return ""
	}
	if _, place, found := strings.Cut(err.Error(), "it is not JSON "); found {
		return " (" + place + ")"
	}
	return ""
}

// isSettings reports whether members are those of a server rather than servers.
func isSettings(members []textedit.Member) bool {
	return slices.ContainsFunc(members, func(m textedit.Member) bool {
		isText := len(m.Value) > 0 && m.Value[0] == '"'
		isList := len(m.Value) > 0 && m.Value[0] == '['
		return isText || isList || slices.Contains([]string{"command", "env", "headers", "url", "httpUrl", "serverUrl"}, m.Name)
	})
}

// formOf returns the form of one server.
func formOf(server textedit.Member) *form {
	var opencode struct {
		Command     []json.RawMessage
		Environment map[string]json.RawMessage
	}
	_ = json.Unmarshal(server.Value, &opencode) // other forms have other members
	switch {
	case isGemini(server):
		return geminiForm
	case opencode.Command != nil || opencode.Environment != nil:
		return opencodeForm
	case bytes.Contains(server.Value, []byte("${env:")) || bytes.Contains(server.Value, []byte("${input:")) || bytes.Contains(server.Value, []byte("${userHome}")):
		return editorForm
	}
	return claudeForm
}

// object returns an object with members.
func object(members []textedit.Member) json.RawMessage {
	values := make(map[string]json.RawMessage, len(members))
	for _, member := range members {
		values[member.Name] = member.Value
	}
	written, _ := json.Marshal(values) // each value is JSON
	return written
}
