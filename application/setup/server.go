package setup

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/domain"
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
	// Untranslated are the other settings that reach the server, by key: those of a host's file that the
	// configuration does not have, or those of the configuration that the fields above cannot hold.
	Untranslated map[string]string `json:"-"`
	// Members are the other keys of the server in the configuration, as they are written: those of a transport whose
	// servers hosts do not know, and those that a user set by name.
	Members map[string]json.RawMessage `json:"-"`
}

// settingsMembers is Settings without its methods.
type settingsMembers Settings

// MarshalJSON implements json.Marshaler. Members follow the other keys, in the order of their names.
func (s Settings) MarshalJSON() ([]byte, error) {
	text, err := JSON(settingsMembers(s))
	if err != nil || len(s.Members) == 0 {
		return text, err
	}
	members, err := JSON(s.Members)
	if err != nil || len(text) == len("{}") {
		return members, err
	}
	return slices.Concat(text[:len(text)-1], []byte(","), members[1:]), nil
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
	// Untranslated is as in Settings.
	Untranslated map[string]string `json:"-"`
}

// oauthMembers is OAuth without its methods.
type oauthMembers OAuth

// MarshalJSON implements json.Marshaler.
func (o OAuth) MarshalJSON() ([]byte, error) {
	if o.Off {
		return []byte("false"), nil
	}
	return JSON(oauthMembers(o))
}

// UnmarshalJSON implements json.Unmarshaler.
func (o *OAuth) UnmarshalJSON(text []byte) error {
	if string(text) == "false" {
		*o = OAuth{Off: true}
		return nil
	}
	if err := json.Unmarshal(text, (*oauthMembers)(o)); err != nil {
		return err
	}
	o.Untranslated = unknownMembers(text, "clientId", "clientSecret", "issuer", "scopes", "redirectUri", "callbackPort")
	return nil
}

// ReadSettings returns the settings of a server in the text of a configuration. Members of the wrong type
// are left out. It reports whether the text is an object.
func ReadSettings(text json.RawMessage) (settings Settings, ok bool) {
	var alias struct {
		Type string `json:"type"`
	}
	// Members after one of the wrong type are still read.
	if err := json.Unmarshal(text, &settings); err != nil && (len(text) == 0 || text[0] != '{') {
		return Settings{}, false
	}
	if err := json.Unmarshal(text, &alias); err == nil && settings.Transport == "" {
		settings.Transport = alias.Type
	}
	var inherits struct {
		Everything any `json:"inheritEnv"`
	}
	if err := json.Unmarshal(text, &inherits); err == nil {
		switch inherits.Everything {
		case true, "all":
			settings.Untranslated = map[string]string{"inheritEnv": "true"}
		case false:
			settings.Untranslated = map[string]string{"inheritEnv": "false"}
		}
	}
	if settings.Command == "" && settings.URL == "" && settings.Transport != "" { // of a transport that hosts do not know
		_ = json.Unmarshal(text, &settings.Members)
		maps.DeleteFunc(settings.Members, func(name string, _ json.RawMessage) bool {
			return slices.Contains([]string{"transport", "type", "disabled", "toolFilters", "confirm", "from"}, name) || strings.HasPrefix(name, "_")
		})
	}
	return settings, true
}

// unknownMembers returns the members of an object that are not among the known ones, as they are written;
// nil for none. It leaves out members that begin with "_" or "$".
func unknownMembers(object json.RawMessage, known ...string) map[string]string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(object, &members) // it is an object
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool {
		return slices.Contains(known, name) || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$")
	})
	if len(members) == 0 {
		return nil
	}
	rest := make(map[string]string, len(members))
	for name, value := range members {
		rest[name] = string(value)
	}
	return rest
}

// JSON returns a value as JSON without escapes for HTML, so that the address of a server keeps its "&".
func JSON(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
