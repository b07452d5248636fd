package serverconfig

import (
	"bytes"
	"encoding/json"
)

// Scope is for whom a file counts.
type Scope string

const (
	// User counts for everything that the user does with the host.
	User Scope = "user"
	// Project counts in one project, and is usually committed with it.
	Project Scope = "project"
	// Local counts for one user in one project.
	Local Scope = "local"
)

// Source is the file that names a server.
type Source struct {
	// Host is the ID of the host whose file it is, "" if unknown.
	Host  string `json:"host,omitempty"`
	Scope Scope  `json:"scope,omitempty"`
	Path  string `json:"file"`
	// NoReferences is true if the host cannot pass variables of its environment on.
	NoReferences bool `json:"-"`
}

// IsForeign reports whether others than the user may have written the file: that of a
// project, or a file of no host on this machine.
func (s Source) IsForeign() bool { return s.Scope != User && s.Scope != Local }

// Server is a server in the file of a host, in the workbench's words.
type Server struct {
	File Source
	// Name is its name in that file.
	Name     string
	Settings Settings
	// Notes are what the host's file says and the workbench's configuration cannot, a line
	// each, without values.
	Notes []string
}

// Settings is a server in the workbench's configuration.
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
	Disabled    bool              `json:"disabled,omitempty"`
}

// OAuth is the key "oauth" of a server.
type OAuth struct {
	// Off is false in place of an object. The other fields do not count then.
	Off          bool     `json:"-"`
	ClientID     string   `json:"clientId,omitempty"`
	ClientSecret string   `json:"clientSecret,omitempty"`
	Issuer       string   `json:"issuer,omitempty"`
	Scopes       []string `json:"scopes,omitempty"`
	RedirectURI  string   `json:"redirectUri,omitempty"`
	// CallbackPort is a number, or a text with a variable.
	CallbackPort json.RawMessage `json:"callbackPort,omitempty"`
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
	return json.Unmarshal(text, (*oauthMembers)(o))
}

// Toolbox is a toolbox of the configuration, with its disabled servers.
type Toolbox struct {
	Name    string
	Servers []Server
}

// JSON returns a value as people write it, with the "&" of an address as it is.
func JSON(value any) (json.RawMessage, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(text.Bytes()), err
}
