package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// A Scope says where the servers of a file apply.
type Scope string

const (
	// User applies to everything that the user does with the host.
	User Scope = "user"
	// Project applies to one project, and is usually committed with it.
	Project Scope = "project"
	// Local applies to one user in one project.
	Local Scope = "local"
)

// A Source is the file that a server comes from.
type Source struct {
	// Host is the ID of the host whose file it is, "" if unknown.
	Host  string `json:"host,omitempty"`
	Scope Scope  `json:"scope,omitempty"`
	Path  string `json:"file"`
	// NoReferences reports whether the host cannot pass on variables of its environment.
	NoReferences bool `json:"-"`
}

// IsForeign reports whether someone other than the user may have written the file: the file of a
// project, or one that does not belong to a host on this machine.
func (s Source) IsForeign() bool { return s.Scope != User && s.Scope != Local }

// A Server is a server in the file of a host, translated for the workbench.
type Server struct {
	File Source
	// Name is its name in that file.
	Name     string
	Settings Settings
	// Toolbox is the toolbox that the user wants it in, "" for one that fits.
	Toolbox string
	// IsBroken reports whether a setting that the server needs cannot be read.
	IsBroken bool
	// Description is what the host's file says of it, "" for nothing.
	Description string
	// Notes list what the host's file sets and the workbench's configuration cannot, one line each,
	// without values.
	Notes []string
}

// Settings are a server in the workbench's configuration.
type Settings struct {
	Transport   string            `json:"transport,omitempty"`
	Command     string            `json:"command,omitempty"`
	Args        []string          `json:"args,omitempty"`
	Env         map[string]string `json:"env,omitempty"`
	Cwd         string            `json:"cwd,omitempty"`
	InheritEnv  []string          `json:"inheritEnv,omitempty"`
	URL         string            `json:"url,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	OAuth       *OAuth            `json:"oauth,omitempty"`
	ToolFilters []string          `json:"toolFilters,omitzero"`
	Confirm     []string          `json:"confirm,omitempty"`
	Disabled    bool              `json:"disabled,omitempty"`
	// From is where the settings come from, nil for a server that the user described.
	From *domain.Published `json:"from,omitempty"`
	// Untranslated are the settings of a host's file that reach the server and have no counterpart in the configuration, by key.
	Untranslated map[string]string `json:"-"`
	// Members are the other keys of the server in the configuration, as they are written: those of a transport whose
	// servers hosts do not know, those that a user set by name, and values that the fields above cannot hold.
	Members map[string]json.RawMessage `json:"-"`
}

// program is the program of a server in a host's file.
func (s Settings) program() domain.Program {
	return domain.Program{Command: s.Command, Args: s.Args, Env: s.Env, Cwd: s.Cwd}
}

// settingsMembers is Settings without its methods.
type settingsMembers Settings

// MarshalJSON implements json.Marshaler. Members follow the other keys, in the order of their names.
func (s Settings) MarshalJSON() ([]byte, error) { return joined(settingsMembers(s), s.Members) }

// joined returns an object with further members.
func joined(object any, members map[string]json.RawMessage) (json.RawMessage, error) {
	text, err := JSON(object)
	if err != nil || len(members) == 0 {
		return text, err
	}
	rest, err := JSON(members)
	if err != nil || len(text) == len("{}") {
		return rest, err
	}
	return slices.Concat(text[:len(text)-1], []byte(","), rest[1:]), nil
}

// OAuth is the key "oauth" of a server.
type OAuth struct {
	// Off is true if the value is false instead of an object. The other fields are then unused.
	Off          bool     `json:"-"`
	ClientID     string   `json:"clientId,omitempty"`
	ClientSecret string   `json:"clientSecret,omitempty"`
	Issuer       string   `json:"issuer,omitempty"`
	Scopes       []string `json:"scopes,omitempty"`
	RedirectURI  string   `json:"redirectUri,omitempty"`
	// CallbackPort is a number, or a string with a variable.
	CallbackPort json.RawMessage `json:"callbackPort,omitempty"`
	// Members is as in Settings.
	Members map[string]json.RawMessage `json:"-"`
}

// oauthMembers is OAuth without its methods.
type oauthMembers OAuth

// MarshalJSON implements json.Marshaler.
func (o OAuth) MarshalJSON() ([]byte, error) {
	if o.Off {
		return []byte("false"), nil
	}
	return joined(oauthMembers(o), o.Members)
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *OAuth) UnmarshalJSON(text []byte) error {
	if string(text) == "false" {
		*o = OAuth{Off: true}
		return nil
	}
	members, rest := split[oauthMembers](text)
	o.Members = rest
	return json.Unmarshal(members, (*oauthMembers)(o))
}

// ReadSettings returns the settings of a server in the text of a configuration. It reports whether the text is an object.
func ReadSettings(text json.RawMessage) (settings Settings, ok bool) {
	members, rest := split[settingsMembers](text)
	if err := json.Unmarshal(members, (*settingsMembers)(&settings)); err != nil {
		return Settings{}, false
	}
	if kind, isText := rest["type"]; isText && settings.Transport == "" { // as hosts call it
		settings.Transport = rawjson.Text(kind)
	}
	delete(rest, "type")
	if len(rest) > 0 {
		settings.Members = rest
	}
	return settings, true
}

// UnmarshalJSON implements json.Unmarshaler, as ReadSettings.
func (s *Settings) UnmarshalJSON(text []byte) error {
	settings, ok := ReadSettings(text)
	if !ok {
		return errors.New("read the settings of a server: want an object")
	}
	*s = settings
	return nil
}

// split returns an object with the members that a T can hold, and its other members, nil for none. Comments, which begin with
// "_" or "$", are in neither.
func split[T any](object json.RawMessage) (members json.RawMessage, rest map[string]json.RawMessage) {
	return rawjson.EditMembers(object, func(name string, value []byte) []byte {
		decoder := json.NewDecoder(bytes.NewReader(rawjson.Object{}.Raw(name, value).JSON()))
		decoder.DisallowUnknownFields()
		switch {
		case isIgnored(name):
			return nil
		case decoder.Decode(new(T)) == nil:
			return value
		case rest == nil:
			rest = map[string]json.RawMessage{}
		}
		rest[name] = bytes.Clone(value)
		return nil
	}), rest
}

// JSON returns a value as JSON without escapes for HTML, so that the address of a server keeps its "&".
func JSON(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
