package hostfiles

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/application/setup"
)

// claudeRedirect is the address to which Claude Code redirects the browser after a login, with %d for the port.
const claudeRedirect = "http://localhost:%d/callback"

// ClaudeRedirect returns the address to which Claude Code redirects the browser after a login,
// with a port that its user chose.
func ClaudeRedirect(port int) string { return fmt.Sprintf(claudeRedirect, port) }

// isRemote reports whether the server is behind a URL. Only those have logins.
func (s *source) isRemote() bool {
	return slices.ContainsFunc(keys.For[members]().With(keys.Address), func(k keys.Key) bool { return s.members[k.Name] != nil })
}

// oauth reads the members about logins of a server behind a URL, nil for none. Sources of the
// forms: the settings reference of each host, and for Codex its McpServerOAuthConfig.
func (s *source) oauth(form *form) *setup.OAuth {
	key := "oauth"
	s.known[key] = true
	if form == editorForm { // Cursor has "auth"
		s.known["auth"] = true
		if _, exists := s.members[key]; !exists {
			key = "auth"
		}
	}
	raw := s.members[key]
	if string(raw) == "false" {
		return &setup.OAuth{Off: true}
	}
	l := login{source: s, key: key, members: map[string]json.RawMessage{}}
	if len(raw) > 0 && string(raw) != "true" && json.Unmarshal(raw, &l.members) != nil {
		s.wrong(key)
	}
	var settings setup.OAuth
	for _, name := range slices.Sorted(maps.Keys(l.members)) {
		l.read(&settings, name)
	}
	for _, beside := range []string{"scopes", "oauthScopes"} { // Codex and Kiro can have them beside the object
		if list := s.list(beside); list != nil {
			settings.Scopes = list
		}
	}
	if settings.ClientSecret != "" && settings.ClientID == "" {
		s.note("%q has a secret without a client, which is left out", key)
		settings.ClientSecret = ""
	}
	l.setRedirect(&settings, form)
	text, err := json.Marshal(settings)
	if err != nil || string(text) == "{}" {
		return nil
	}
	return &settings
}

// login reads the object of a host about logins. Hosts agree on its members, and differ in
// their spelling.
type login struct {
	*source
	key     string
	members map[string]json.RawMessage
	port    int
}

// read reads one member into settings, or notes why it is left out. The names are data here: each is the spelling of a host.
func (l *login) read(settings *setup.OAuth, name string) {
	ok := true
	raw := l.members[name]
	switch name {
	case "clientId", "client_id", "CLIENT_ID":
		ok = json.Unmarshal(raw, &settings.ClientID) == nil
	case "clientSecret", "client_secret", "CLIENT_SECRET":
		ok = json.Unmarshal(raw, &settings.ClientSecret) == nil
	case "issuer", "authorization_server_issuer":
		ok = json.Unmarshal(raw, &settings.Issuer) == nil
	case "redirectUri", "redirect_uri", "callback_url":
		ok = json.Unmarshal(raw, &settings.RedirectURI) == nil
	case "callbackPort", "callback_port":
		ok = json.Unmarshal(raw, &l.port) == nil && l.port > 0 && l.port <= 65535
		if !ok {
			l.port = 0
		}
	case "scopes", "scope", "oauthScopes": // the last is that of Kiro
		settings.Scopes, ok = scopes(raw)
	case "enabled": // hosts log in without it as well
	case "authorizationUrl", "tokenUrl", "registrationUrl": // the workbench finds these addresses itself, so nothing is lost
		l.note("%q has no counterpart and is left out", l.key+"."+name)
	default:
		l.note("%q has no counterpart and is left out", l.key+"."+name)
		l.lose(l.key+"."+name, string(raw))
	}
	if !ok {
		l.note("%q has the wrong type and is left out", l.key+"."+name)
		l.lose(l.key+"."+name, string(raw))
		l.isBroken = true
	}
}

// scopes reads a list, or a text that is separated by spaces.
func scopes(raw json.RawMessage) (list []string, ok bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.Fields(text), true
	}
	if json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	return list, true
}

// setRedirect sets the address to which the browser is redirected after a login. A client that the user registered
// keeps the address of the host, since the authorization server knows no other.
func (l *login) setRedirect(settings *setup.OAuth, f *form) {
	if settings.RedirectURI != "" && !strings.Contains(settings.RedirectURI, "://") {
		l.hostAndPort(settings)
	}
	registered := settings.ClientID != "" && l.port != 0
	address, err := url.Parse(settings.RedirectURI)
	switch {
	case settings.RedirectURI != "" && err == nil && address.Scheme == "http" && address.Port() == "":
		if l.port == 0 {
			l.note("%q leaves the port open, which has no counterpart, and is left out", l.key+".callback_url")
			settings.RedirectURI = ""
			return
		}
		address.Host = strings.TrimSuffix(address.Host, ":") + ":" + strconv.Itoa(l.port)
		settings.RedirectURI = address.String()
	case settings.RedirectURI != "":
	case registered && f.redirect != "":
		settings.RedirectURI = fmt.Sprintf(f.redirect, l.port)
	case l.port != 0:
		settings.CallbackPort = json.RawMessage(strconv.Itoa(l.port))
	}
}

// hostAndPort takes the port of a redirect address that is only a host and a port, as Kiro writes it.
func (l *login) hostAndPort(settings *setup.OAuth) {
	address, err := url.Parse("http://" + settings.RedirectURI)
	if err != nil || address.Path != "" || !slices.Contains([]string{"127.0.0.1", "localhost", "::1"}, address.Hostname()) {
		return // it is checked as an address
	}
	number, err := strconv.ParseUint(address.Port(), 10, 16)
	if err != nil || number == 0 {
		return
	}
	settings.RedirectURI, l.port = "", int(number)
}
