package hostfiles

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
)

// Set returns the text of a host's file in which a server, in the host's form, is under a name. For
// an empty text it returns a whole file. Everything else in the text stays unchanged.
//
// Failures: those of textedit, with the path.
func Set(file File, text []byte, name string, server json.RawMessage) ([]byte, error) {
	if file.form == gooseForm || file.form == continueForm {
		server = withName(server, name)
	}
	edited, err := file.format().Set(text, file.at(text, name), server)
	if err != nil {
		return nil, fmt.Errorf("write %q into %s: %w", name, file.Path, err)
	}
	return edited, nil
}

// withName returns a server that begins with its name, where hosts with YAML write it.
func withName(server json.RawMessage, name string) json.RawMessage {
	var members struct{ Name string }
	if err := json.Unmarshal(server, &members); err != nil || members.Name != "" {
		return server
	}
	return json.RawMessage(`{"name":` + string(rawjson.Quote(name)) + "," + strings.TrimPrefix(string(server), "{"))
}

// Delete returns the text of a host's file without the server of a name. If the name is repeated, it
// removes each such server.
//
// Failures: those of textedit, with the path.
func Delete(file File, text []byte, name string) ([]byte, error) {
	for {
		edited, err := file.format().Delete(text, file.at(text, name))
		if err != nil {
			return nil, fmt.Errorf("remove %q from %s: %w", name, file.Path, err)
		}
		if again, err := Has(file, edited, name); err != nil || !again {
			return edited, err
		}
		text = edited // it has the name in two places
	}
}

// find returns the server of a name in the text of a host's file, as the host wrote it, nil if
// there is none.
//
// Failures: textedit.ErrSyntax.
func find(file File, text []byte, name string) (json.RawMessage, error) {
	members, err := file.read(text)
	for _, member := range members {
		if member.Name == name {
			return member.Value, nil
		}
	}
	return nil, err
}

// RemovalCommand returns a line for people with the host's own commands that remove servers from one of its files
// that is not the user's, "" if the host has none.
func (h Host) RemovalCommand(file File, servers []string) string {
	if h.Program == "" || file.Scope == setup.User {
		return ""
	}
	var commands []string
	for _, server := range servers {
		commands = append(commands, domain.QuotedCommand(h.Program+" mcp remove "+domain.ShellWord(server)+" -s "+string(file.Scope)))
	}
	return strings.Join(commands, ", ")
}

// Connected returns the names of the hosts whose files have an entry of a name that uses a configuration. Files that
// cannot be read have none.
func Connected(machine Machine, entry string, used Configuration) []string {
	var names []string
	for _, host := range Hosts() {
		for _, file := range host.Files(machine) {
			servers, _ := Read(file)
			uses := func(s setup.Server) bool {
				return s.Name == entry && !s.Settings.Disabled && used.UsedBy(s.Settings)
			}
			if slices.ContainsFunc(servers, uses) && !slices.Contains(names, host.Name) {
				names = append(names, host.Name)
			}
		}
	}
	return names
}

// Configuration is a configuration of the workbench, as the entries of hosts use it.
type Configuration struct {
	Path string
	// IsNamed reports whether the workbench uses it only if an entry names it.
	IsNamed bool
}

// UsedBy reports whether a host's entry for the workbench uses the configuration. An entry with an address leads to another
// workbench, with a configuration of its own.
func (c Configuration) UsedBy(entry setup.Settings) bool {
	path := ConfigurationOf(entry)
	if path == "" {
		return entry.URL == "" && !c.IsNamed
	}
	named, err := os.Stat(path)
	own, ownErr := os.Stat(c.Path)
	return err == nil && ownErr == nil && os.SameFile(named, own)
}

// ConfigurationOf returns the configuration that an entry for the workbench names, or "".
func ConfigurationOf(entry setup.Settings) string {
	for i, arg := range entry.Args {
		if path, ok := strings.CutPrefix(arg, "--config="); ok {
			return path
		}
		if arg == "--config" && i+1 < len(entry.Args) {
			return entry.Args[i+1]
		}
	}
	return entry.Env["WORKBENCH_CONFIG"]
}

// Has reports whether the text of a host's file has a server of a name.
//
// Failures: textedit.ErrSyntax.
func Has(file File, text []byte, name string) (bool, error) {
	server, err := find(file, text, name)
	return server != nil, err
}

// Values returns the values, not references, that the server of a name in a host's file has for the
// variables of an entry. A token counts only for the address that it was written for, and never for a
// program.
//
// Failures: those of Read.
func Values(file File, name string, entry Entry) (map[string]string, error) {
	servers, err := Read(file)
	values := map[string]string{}
	for _, server := range servers {
		if server.Name != name || server.Settings.URL != entry.URL {
			continue
		}
		if token, hasToken := strings.CutPrefix(server.Settings.Headers["Authorization"], "Bearer "); hasToken && entry.Token != "" {
			values[entry.Token] = token
		}
		for _, variable := range entry.Variables {
			if value, hasValue := server.Settings.Env[variable]; hasValue {
				values[variable] = value
			}
		}
	}
	return values, err
}

// HoldsValues reports whether a server, as a host wrote it, has values that may be secrets.
func HoldsValues(server json.RawMessage) bool {
	var given map[string]json.RawMessage
	if json.Unmarshal(server, &given) != nil {
		return true
	}
	for _, value := range keys.For[members]().Values(server) {
		if value.Key.Is(keys.Secret|keys.Data) && !rawjson.IsNull(value.Raw) {
			return true
		}
	}
	s := newSource(given)
	return masking.Inline("", s.list("args"), s.text("url")) != nil
}
