package configtext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/textedit"
)

// ErrNotThere says that the configuration has no such server.
var ErrNotThere = errors.New("no such server")

// Toolbox is a toolbox as it is written, with disabled servers and without judgement.
type Toolbox struct {
	Name        string
	Description string
	Servers     []Server
}

// Server is a server of a toolbox. Its settings are those by which servers are told
// apart, and whether it is disabled.
type Server struct {
	Name     string
	Settings hostfiles.Settings
}

// Toolboxes returns what the text of a configuration says, in its order. What is not of
// the kind that it should be is left out.
//
// Failures: textedit.ErrSyntax.
func Toolboxes(text []byte) ([]Toolbox, error) {
	members, err := textedit.ReadJSON(text, []string{"toolboxes"})
	if err != nil {
		return nil, fmt.Errorf("read the toolboxes: %w", err)
	}
	toolboxes := make([]Toolbox, 0, len(members))
	for _, member := range members {
		toolbox := Toolbox{Name: member.Name}
		// What is wrong with a description is for the check of the configuration.
		_ = json.Unmarshal(member.Value, &toolbox)
		servers, err := textedit.ReadJSON(text, []string{"toolboxes", member.Name, "mcpServers"})
		if err != nil {
			continue
		}
		toolbox.Name, toolbox.Servers = member.Name, nil
		for _, server := range servers {
			var is struct {
				Command  string
				Args     []string
				URL      string
				Disabled bool
			}
			if json.Unmarshal(server.Value, &is) == nil {
				settings := hostfiles.Settings{Command: is.Command, Args: is.Args, URL: is.URL, Disabled: is.Disabled}
				toolbox.Servers = append(toolbox.Servers, Server{Name: server.Name, Settings: settings})
			}
		}
		toolboxes = append(toolboxes, toolbox)
	}
	return toolboxes, nil
}

// New returns the text of a new configuration, which names its JSON Schema by a
// reference, "" for none. It has no toolboxes, and definitions take the form that fits
// the host.
func New(schema string) []byte {
	first := ""
	if schema != "" {
		quoted, _ := json.Marshal(schema) // a text can always be written
		first = "  \"$schema\": " + string(quoted) + ",\n"
	}
	return []byte("{\n" + first + "  \"definitions\": \"auto\",\n  \"toolboxes\": {}\n}\n")
}

// Add returns the text with a server in a toolbox, which is made, with the description,
// when it does not exist. A server of that name is replaced where it stands.
//
// Failures: those of textedit.SetJSON.
func Add(text []byte, toolbox, description, name string, settings hostfiles.Settings) ([]byte, error) {
	server, err := written(settings)
	if err != nil {
		return nil, err
	}
	path := []string{"toolboxes", toolbox}
	existing, err := textedit.ReadJSON(text, path)
	if err != nil {
		return nil, fmt.Errorf("add %q to %q: %w", name, toolbox, err)
	}
	value := server
	if existing == nil {
		value, err = written(struct {
			Description string                     `json:"description,omitempty"`
			Servers     map[string]json.RawMessage `json:"mcpServers"`
		}{description, map[string]json.RawMessage{name: server}})
		if err != nil {
			return nil, err
		}
	} else {
		path = append(path, "mcpServers", name)
	}
	edited, err := textedit.SetJSON(text, path, value)
	if err != nil {
		return nil, fmt.Errorf("add %q to %q: %w", name, toolbox, err)
	}
	return edited, nil
}

// Remove returns the text without a server, and without its toolbox when nothing is left
// in it.
//
// Failures: ErrNotThere; those of textedit.DeleteJSON.
func Remove(text []byte, toolbox, name string) ([]byte, error) {
	path := []string{"toolboxes", toolbox, "mcpServers"}
	servers, err := textedit.ReadJSON(text, path)
	if err != nil {
		return nil, fmt.Errorf("remove %q from %q: %w", name, toolbox, err)
	}
	there := false
	for _, server := range servers {
		there = there || server.Name == name
	}
	if !there {
		return nil, fmt.Errorf("remove %q from %q: %w", name, toolbox, ErrNotThere)
	}
	if path = append(path, name); len(servers) == 1 {
		path = path[:2]
	}
	edited, err := textedit.DeleteJSON(text, path)
	if err != nil {
		return nil, fmt.Errorf("remove %q from %q: %w", name, toolbox, err)
	}
	return edited, nil
}

// written returns a value as people write it, with "&" and "<" as they are.
func written(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// Masked returns a text for showing it, as hostfiles.Masked does. It is nil for a text
// that cannot be parsed.
func Masked(text []byte) []byte {
	if _, err := Toolboxes(text); err != nil {
		return nil
	}
	return hostfiles.MaskedServers(text)
}
