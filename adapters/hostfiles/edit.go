package hostfiles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"mcp-workbench/domain/serverconfig"
	"mcp-workbench/domain/textedit"
)

// Set returns the text of a host's file with the workbench's entry under a name, for
// an empty text a whole file. Everything else in it stays as it is.
//
// Failures: those of textedit, with the path.
func Set(file File, text []byte, name string, entry Entry) ([]byte, error) {
	path := append(slices.Clone(file.member), name)
	var edited []byte
	var err error
	if file.isTOML() {
		edited, err = textedit.SetTOML(text, path, table(entry))
	} else {
		host, _ := Find(file.Host)
		edited, err = textedit.SetJSON(text, path, file.form.written(entry, host.Expands))
	}
	if err != nil {
		return nil, fmt.Errorf("write %q into %s: %w", name, file.Path, err)
	}
	return edited, nil
}

// Delete returns the text of a host's file without the server of a name.
//
// Failures: those of textedit, with the path.
func Delete(file File, text []byte, name string) ([]byte, error) {
	remove := textedit.DeleteJSON
	if file.isTOML() {
		remove = textedit.DeleteTOML
	}
	edited, err := remove(text, append(slices.Clone(file.member), name))
	if err != nil {
		return nil, fmt.Errorf("take %q out of %s: %w", name, file.Path, err)
	}
	return edited, nil
}

// valueOf returns a server of a host's file as JSON.
func valueOf(file File, text []byte, name string) (json.RawMessage, error) {
	members, err := file.read(text, file.member)
	if err != nil {
		return nil, fmt.Errorf("read the servers in %s: %w", file.Path, err)
	}
	for _, member := range members {
		if member.Name == name {
			return member.Value, nil
		}
	}
	return nil, fmt.Errorf("take %q out of %s: %w", name, file.Path, textedit.ErrNotFound)
}

// notIn returns the servers of a record that a text does not have.
func notIn(file File, text []byte, kept *record) ([]removed, error) {
	if kept == nil {
		return nil, nil
	}
	var missing []removed
	for _, server := range kept.Removed {
		there, err := Has(file, text, server.Name)
		if err != nil {
			return nil, err
		}
		if !there {
			missing = append(missing, server)
		}
	}
	return missing, nil
}

// restore puts a server back that was taken out.
func restore(file File, text []byte, server removed) ([]byte, error) {
	path := append(slices.Clone(file.member), server.Name)
	var edited []byte
	var err error
	if file.isTOML() {
		var values map[string]any
		decoder := json.NewDecoder(bytes.NewReader(server.Value))
		decoder.UseNumber() // a whole number stays one
		if err = decoder.Decode(&values); err == nil {
			edited, err = textedit.SetTOML(text, path, values)
		}
	} else {
		edited, err = textedit.SetJSON(text, path, server.Value)
	}
	if err != nil {
		return nil, fmt.Errorf("put %q back into %s: %w", server.Name, file.Path, err)
	}
	return edited, nil
}

// Written returns the workbench's entry as JSON, for a host's own command.
func Written(file File, entry Entry) json.RawMessage {
	host, _ := Find(file.Host)
	return file.form.written(entry, host.Expands)
}

// Values returns the values that the server of a name in a host's file has for some
// variables, written out.
//
// Failures: those of Read.
func Values(file File, name string, variables []string) (map[string]string, error) {
	servers, err := Read(file)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for _, server := range servers {
		for _, variable := range variables {
			if value, there := server.Settings.Env[variable]; there && server.Name == name {
				values[variable] = value
			}
		}
	}
	return values, nil
}

// Has reports whether there is a server of a name in the text of a host's file.
//
// Failures: textedit.ErrSyntax.
func Has(file File, text []byte, name string) (bool, error) {
	members, err := file.read(text, file.member)
	if err != nil {
		return false, fmt.Errorf("read the servers in %s: %w", file.Path, err)
	}
	return slices.ContainsFunc(members, func(m textedit.Member) bool { return m.Name == name }), nil
}

// HoldsValues reports whether a server, as a host wrote it, has values that may be
// secrets.
func HoldsValues(server json.RawMessage) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(server, &members) != nil {
		return true
	}
	for _, key := range serverconfig.ValueKeys {
		if value := string(members[key]); value != "" && value != "{}" && value != "null" {
			return true
		}
	}
	for _, key := range []string{"oauth", "auth"} {
		var login map[string]json.RawMessage
		if json.Unmarshal(members[key], &login) == nil && slices.ContainsFunc(serverconfig.SecretKeys, func(name string) bool { return login[name] != nil }) {
			return true
		}
	}
	settings := Settings{Args: get[[]string](&source{members: members}, "args"), URL: get[string](&source{members: members}, "url")}
	return settings.HasInlineSecrets()
}
