package hostfiles

import (
	"cmp"
	"encoding/json"

	"mcp-workbench/domain/rawjson"
)

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

// programForm describes how hosts write a program. Its texts are members, as JSON without braces, "" for none.
type programForm struct {
	// first are the members before the command, and rest those behind it.
	first, rest string
	// command and env are the names of these members, "" for the usual ones.
	command, env string
	// line is true if the arguments are in the command, which is a list.
	line bool
}

var stdioForm = programForm{first: `"type":"stdio"`}

// addressForm describes how a host writes a server at an address. It is empty for a host whose
// file cannot have one. First and rest are further members, as in programForm.
type addressForm struct {
	first, rest string
	// url is the name of the member with the address.
	url string
	// token is the name of the member with the variable of the token, "" if the token is in
	// the header Authorization of "headers".
	token string
	// key is the name of a member with the token itself, used instead of "headers".
	key string
}

// TakesAddresses reports whether the host's file can have a server at an address.
func (h Host) TakesAddresses() bool { return h.address.url != "" }

// EntryJSON returns the workbench's entry as the host of a file writes servers.
func EntryJSON(file File, entry Entry) json.RawMessage {
	host, _ := Find(file.Host)
	if entry.URL != "" {
		return host.atAddress(entry)
	}
	form := file.form.program
	object := rawjson.Object{}.Members([]byte(form.first))
	command := cmp.Or(form.command, "command")
	switch {
	case form.line:
		object = object.Texts(command, append([]string{entry.Command}, entry.Args...))
	case len(entry.Args) > 0:
		object = object.Text(command, entry.Command).Texts("args", entry.Args)
	default:
		object = object.Text(command, entry.Command)
	}
	values := entry.Values
	if host.Expands != nil {
		values = map[string]string{}
		for _, name := range entry.Variables {
			values[name] = host.Expands(name)
		}
	}
	switch {
	case host.Forwards && len(entry.Variables) > 0:
		object = object.Texts("env_vars", entry.Variables)
	case !host.Inherits && len(values) > 0:
		object = object.Raw(cmp.Or(form.env, "env"), rawjson.MustMarshal(values))
	}
	return object.Members([]byte(form.rest)).JSON()
}

// atAddress returns the entry of a workbench at an address as the host writes servers, as JSON.
func (h Host) atAddress(entry Entry) json.RawMessage {
	object := rawjson.Object{}.Members([]byte(h.address.first)).Text(h.address.url, entry.URL)
	token, hasToken := entry.Values[entry.Token]
	if entry.Token != "" && h.Expands != nil {
		token, hasToken = h.Expands(entry.Token), true
	}
	switch {
	case entry.Token != "" && h.address.token != "":
		object = object.Text(h.address.token, entry.Token)
	case hasToken && h.address.key != "":
		object = object.Text(h.address.key, token)
	case hasToken:
		object = object.Raw("headers", rawjson.Object{}.Text("Authorization", "Bearer "+token).JSON())
	}
	return object.Members([]byte(h.address.rest)).JSON()
}
