package oauth

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// The grants that a configuration may name.
const (
	grantAuthorizationCode = "authorization_code"
	grantClientCredentials = "client_credentials"
	grantJWTBearer         = "jwt-bearer"
)

var grants = []string{grantAuthorizationCode, grantClientCredentials, grantJWTBearer}

// Settings are the settings for logins of one server ("oauth"). The zero value means no settings.
type Settings struct {
	// Off is "oauth": false, Configured an object.
	Off        bool `json:"-"`
	Configured bool `json:"-"`
	// ClientID is a client that was registered by hand, "" for none.
	ClientID     string `json:"clientId" form:"any"`
	ClientSecret string `json:"clientSecret" form:"any" is:"secret"`
	// Issuer is the authorization server, "" for the one that the server names. The configured
	// client, its secret and its assertions are sent to no other. Grants without a user require
	// it, since otherwise the server alone would say where those are sent.
	Issuer string   `json:"issuer" is:"shown address" pattern:"^https://[^/?#]|^http://(localhost|127\\.|\\[::1\\])|\\$\\{"`
	Scopes []string `json:"scopes" is:"unordered" pattern:"^[^ \"\\\\]+$"`
	// RedirectURI is the address to which the authorization server sends the browser back, "" for
	// a local port.
	RedirectURI  string `json:"redirectUri" pattern:"^https://[^/?#]|^http://(localhost|127\\.|\\[::1\\])|\\$\\{"`
	CallbackPort port   `json:"callbackPort"`
	// ClientMetadataURL is where the client's metadata document is, "" for none.
	ClientMetadataURL string `json:"clientMetadataUrl" pattern:"^https://[^/?#]|\\$\\{"`
	// Resource is the "resource" of requests at the authorization server, the server's own for the zero value.
	Resource resource `json:"resource"`
	// Account distinguishes several logins at one server.
	Account string `json:"account" form:"any"`
	// Grant is one of the grants; "" for a login of the user.
	Grant string `json:"grant" pattern:"^(authorization_code|client_credentials|jwt-bearer)$|\\$\\{"`
	// PrivateKey is a key in PEM, or the name of a file with one.
	PrivateKey    string `json:"privateKey" form:"any" is:"file hidden"`
	AssertionFile string `json:"assertionFile" form:"any" is:"file shown"`
}

// Unattended reports whether the grant works without the user.
func (s Settings) Unattended() bool { return s.Grant != "" && s.Grant != grantAuthorizationCode }

// port is a port as a number or, from a variable, as text.
type port int

// UnmarshalJSON implements json.Unmarshaler.
func (p *port) UnmarshalJSON(raw []byte) error {
	number, err := strconv.ParseUint(strings.Trim(string(raw), `"`), 10, 16)
	*p = port(number)
	return err
}

// resource is a text, or false for requests without "resource" (RFC 8707), which some authorization servers refuse.
type resource struct {
	Text string
	Off  bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *resource) UnmarshalJSON(raw []byte) error {
	if string(raw) == "false" {
		*r = resource{Off: true}
		return nil
	}
	return json.Unmarshal(raw, &r.Text)
}

// JSONSchema returns the schema of a resource.
func (resource) JSONSchema(map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{map[string]any{"const": false}, map[string]any{"type": "string", "minLength": 1}}}
}

// parseSettings reads settings with their variables expanded. Nil means no settings. Its errors are
// those of Check.
func parseSettings(raw json.RawMessage) (Settings, error) {
	var settings Settings
	switch {
	case raw == nil:
		return settings, nil
	case string(raw) == "false":
		settings.Off = true
		return settings, nil
	}
	if problem := checkerOf(raw).problems.Join(); problem != nil {
		return Settings{}, problem
	}
	settings.Configured = true
	return settings, json.Unmarshal(raw, &settings)
}

// JSONSchema returns the schema of the key "oauth" from that of an object with its keys.
func (Settings) JSONSchema(object map[string]any) map[string]any {
	object["dependentRequired"] = map[string]any{"clientSecret": []string{"clientId"}, "privateKey": []string{"grant", "issuer"}, "assertionFile": []string{"grant", "issuer"}}
	object["if"] = map[string]any{
		"properties": map[string]any{"grant": map[string]any{"enum": []string{grantClientCredentials, grantJWTBearer}}}, "required": []string{"grant"},
	}
	object["then"] = map[string]any{"required": []string{"issuer"}}
	return map[string]any{"anyOf": []any{map[string]any{"const": false}, object}}
}

// JSONSchema returns the schema of a port.
func (port) JSONSchema(map[string]any) map[string]any {
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "integer", "minimum": 1, "maximum": 65535}, map[string]any{"type": "string", "pattern": `^[0-9]{1,5}$|\$\{`},
	}}
}

// names are the keys of the settings.
var names = keys.For[Settings]().Names()

// Check inspects the settings without I/O and returns every domain.SettingError and domain.SettingWarningError about them,
// joined, or nil. Variables may be unexpanded. The errors show no value.
func Check(raw json.RawMessage) error {
	c := checkerOf(raw)
	return errors.Join(c.problems.Join(), c.warnings.Join())
}

// checkerOf returns a checker that checked settings.
func checkerOf(raw json.RawMessage) *checker {
	c := &checker{}
	if raw == nil || string(raw) == "false" {
		return c
	}
	if err := json.Unmarshal(raw, &c.members); err != nil || c.members == nil {
		c.problems.Add(rawjson.KindName(raw), `an object, or false for a server that is never logged in to`, "oauth")
		return c
	}
	for _, name := range names {
		c.member(name)
	}
	c.unknown()
	c.combinations()
	return c
}

// checker checks one object of settings.
type checker struct {
	members            map[string]json.RawMessage
	problems, warnings domain.SettingErrors
}

func (c *checker) wrong(found, wanted, name string) { c.problems.Add(found, wanted, "oauth", name) }

func (c *checker) member(name string) {
	raw, ok := c.members[name]
	if !ok {
		return
	}
	switch name {
	case "scopes":
		c.scopes(raw)
		return
	case "callbackPort":
		c.port(raw)
		return
	}
	text := rawjson.Text(raw)
	switch {
	case name == "resource" && string(raw) == "false":
	case name == "resource" && rawjson.Kind(raw) != '"':
		c.wrong(rawjson.KindName(raw), "a string, or false for requests without it", name)
	case rawjson.Kind(raw) != '"':
		c.wrong(rawjson.KindName(raw), "a string", name)
	case text == "":
		c.wrong("an empty string", "a string that is not empty", name)
	case strings.Contains(text, "${"):
	case name == "grant" && !slices.Contains(grants, text):
		c.wrong("an unknown grant", `"`+strings.Join(grants, `", "`)+`"`, name)
	case name == "issuer":
		c.address(text, name)
	case name == "clientMetadataUrl":
		if address, err := url.Parse(text); err != nil || address.Scheme != "https" || address.Host == "" || strings.Trim(address.Path, "/") == "" {
			c.wrong("another address", `an address that begins with "https://" and has a path`, name)
		}
	case name == "redirectUri":
		c.redirect(text)
	}
}

func (c *checker) address(text, name string) {
	if _, err := checkAddress(text); err != nil {
		c.wrong(err.Error(), `an address that begins with "https://"`, name)
	}
}

// redirect accepts a page on this machine, or an https page whose address the user pastes.
func (c *checker) redirect(text string) {
	address, err := checkAddress(text)
	switch {
	case err != nil:
		c.wrong(err.Error(), `"http://127.0.0.1:PORT/PATH", or an address that begins with "https://"`, "redirectUri")
	case address.Fragment != "":
		c.wrong("an address with a fragment", "an address without one", "redirectUri")
	}
}

func (c *checker) scopes(raw json.RawMessage) {
	var scopes []json.RawMessage
	if err := json.Unmarshal(raw, &scopes); err != nil || scopes == nil {
		c.wrong(rawjson.KindName(raw), "a list of strings", "scopes")
		return
	}
	for i, scope := range scopes {
		if text := rawjson.Text(scope); text == "" || strings.ContainsAny(text, " \"\\") {
			c.problems.Add("something else", "a scope, which is a string without spaces and quotes", "oauth", "scopes", strconv.Itoa(i))
		}
	}
}

func (c *checker) port(raw json.RawMessage) {
	if strings.Contains(rawjson.Text(raw), "${") {
		return
	}
	var number port
	if err := number.UnmarshalJSON(raw); err != nil || number == 0 {
		c.wrong("something else", "a port, from 1 to 65535", "callbackPort")
	}
}

func (c *checker) unknown() {
	for name := range c.members {
		if slices.Contains(names, name) || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$") {
			continue
		}
		wanted := "one of the keys that 'mcp-workbench help configuration oauth' describes"
		if near, ok := domain.Nearest(name, names); ok {
			wanted = `"` + near + `"`
		}
		c.wrong("an unknown key", wanted, name)
	}
}

// combinations checks members against each other.
func (c *checker) combinations() {
	has := func(name string) bool { return c.members[name] != nil }
	switch grant := rawjson.Text(c.members["grant"]); {
	case grant == grantClientCredentials && !has("clientId"):
		c.wrong("nothing", `the client that this grant is for`, "clientId")
	case grant == grantClientCredentials && has("clientSecret") == has("privateKey"):
		c.wrong("this grant", `"clientSecret" or "privateKey" with it`, "grant")
	case grant == grantJWTBearer && !has("assertionFile"):
		c.wrong("nothing", "the file with the assertion that this grant is for", "assertionFile")
	}
	for _, only := range []struct{ name, grant string }{{"privateKey", grantClientCredentials}, {"assertionFile", grantJWTBearer}} {
		grant := rawjson.Text(c.members["grant"])
		if has(only.name) && grant != only.grant && !strings.Contains(grant, "${") {
			c.wrong("this without its grant", `"grant": "`+only.grant+`" with it`, only.name)
		}
	}
	if c.handsOver() && !has("issuer") {
		c.wrong("nothing", wantedIssuer, "issuer")
	}
	if has("redirectUri") && has("callbackPort") {
		c.wrong(`this together with "redirectUri"`, "one of them", "callbackPort")
	}
	if has("clientSecret") && !has("clientId") {
		c.wrong("a secret without a client", `"clientId" with it`, "clientSecret")
	}
	if isAttended := slices.Contains([]string{"", grantAuthorizationCode}, rawjson.Text(c.members["grant"])); isAttended && has("clientSecret") && !has("issuer") {
		c.warnings.Warn(unboundSecret, "oauth", "clientSecret")
	}
}

// unboundSecret warns of a client secret without a configured issuer. For grants without a user
// that is an error. A user sees where they log in, so here it is a warning.
const unboundSecret = `has no "issuer" beside it, so it goes to the first authorization server that the server names: set ` +
	`"issuer" to the address of the one where the client was registered ('mcp-workbench login --list' shows the one in use)`

// wantedIssuer says where to find the issuer: not at the server, which could name any.
const wantedIssuer = `the authorization server that may get what is configured here, such as "https://idp.example.com": ` +
	`the one where the client, or the trust in the assertion, was set up ('mcp-workbench help logins' says how to find it)`

// handsOver reports whether the settings have secrets or assertions that are sent without asking the user.
func (c *checker) handsOver() bool {
	grant := rawjson.Text(c.members["grant"])
	return grant == grantClientCredentials || grant == grantJWTBearer || c.members["privateKey"] != nil || c.members["assertionFile"] != nil
}
