package hostfiles

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// ClaudeRedirect is where Claude Code has the browser sent after a login, for a port
// that its user chose.
func ClaudeRedirect(port int) string { return fmt.Sprintf("http://localhost:%d/callback", port) }

// loginKeys are the members of a server behind a URL that are about logins. Cursor has
// "auth", and Codex has the scopes beside the object.
func (f form) loginKeys() []string {
	switch f {
	case editor:
		return []string{"oauth", "auth"}
	case codexForm:
		return []string{"oauth", "scopes"}
	}
	return []string{"oauth"}
}

// isRemote reports whether the server is behind a URL. A program is not logged in to.
func (s *source) isRemote() bool {
	return s.members["url"] != nil || s.members["httpUrl"] != nil || s.members["serverUrl"] != nil
}

// oauth takes over what a host says about logins at a server behind a URL, nil for
// nothing. Sources of the forms: the settings reference of each host, and for Codex its
// McpServerOAuthConfig.
func (s *source) oauth(form form) *OAuth {
	key := "oauth"
	if _, there := s.members[key]; !there && form == editor {
		key = "auth"
	}
	raw := s.members[key]
	if string(raw) == "false" {
		return &OAuth{Off: true}
	}
	l := login{source: s, key: key, members: map[string]json.RawMessage{}}
	if len(raw) > 0 && string(raw) != "true" && json.Unmarshal(raw, &l.members) != nil {
		s.note("%q is not of the type that it should be and is left out", key)
	}
	var settings OAuth
	for _, name := range slices.Sorted(maps.Keys(l.members)) {
		l.member(&settings, name)
	}
	if form == codexForm { // beside the object there
		settings.Scopes = get[[]string](s, "scopes")
	}
	if settings.ClientSecret != "" && settings.ClientID == "" {
		s.note("%q has a secret without a client, which is left out", key)
		settings.ClientSecret = ""
	}
	l.redirect(&settings, form)
	text, err := json.Marshal(settings)
	if err != nil || string(text) == "{}" {
		return nil
	}
	return &settings
}

// login reads the object of a host about logins. Hosts agree on what can be said, and
// differ in how it is spelled.
type login struct {
	*source
	key     string
	members map[string]json.RawMessage
	port    int
}

func (l *login) member(settings *OAuth, name string) {
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
	case "scopes", "scope":
		settings.Scopes, ok = scopes(raw)
	case "enabled": // hosts log in without it as well
	default:
		l.note("%q has no counterpart and is left out", l.key+"."+name)
	}
	if !ok {
		l.note("%q is not of the type that it should be and is left out", l.key+"."+name)
	}
}

// scopes reads a list, or a text with spaces between them.
func scopes(raw json.RawMessage) (all []string, ok bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.Fields(text), true
	}
	if json.Unmarshal(raw, &all) != nil {
		return nil, false
	}
	return all, true
}

// redirect settles where the browser is sent after a login. A client that was registered
// by hand is registered with the address of the host, so that stays the same.
func (l *login) redirect(settings *OAuth, f form) {
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
	case registered && slices.Contains([]form{plain, claude, editor}, f):
		settings.RedirectURI = ClaudeRedirect(l.port)
	case registered && f == opencodeForm:
		settings.RedirectURI = fmt.Sprintf("http://127.0.0.1:%d/mcp/oauth/callback", l.port)
	case l.port != 0:
		settings.CallbackPort = json.RawMessage(strconv.Itoa(l.port))
	}
}
