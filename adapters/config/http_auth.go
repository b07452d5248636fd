package config

import (
	"fmt"
	"slices"

	"mcp-workbench/domain/webaddress"
)

// auth reads whose tokens count besides the configured ones.
func (l *loader) auth(n node) *Auth {
	auth := &Auth{}
	members, ok := l.object(n, settingKeys, `an object with "issuer" and "resource"`)
	if !ok {
		return auth
	}
	text := func(m member, wanted string, fits func(string) bool) string {
		written, ok := m.text()
		if !ok {
			l.wrongKind(m.node, wanted)
			return ""
		}
		result, unset := l.expanded(m.node, written)
		switch {
		case unset != nil && auth.Unset == nil:
			auth.Unset = unset
			l.warn(m.offset(), m.path, fmt.Sprintf("environment variable '%s' is %s, so nothing can be served over HTTP", unset.Variable, unset.State()))
		case unset == nil && !fits(result.text):
			l.wrong(m.offset(), m.path, m.shown(), wanted)
		}
		return result.text
	}
	for _, field := range members {
		switch field.name {
		case issuerKey:
			auth.Issuer = text(field, "the https URL of an authorization server", webaddress.IsIssuer)
		case resourceKey:
			auth.Resource = text(field, "the URL that hosts call, for example https://mcp.example.com/mcp", webaddress.IsResource)
		case scopesKey:
			auth.Scopes = l.places(field.node, "a scope: characters of ASCII without spaces, quotes and backslashes", webaddress.IsScope)
		default:
			l.unknownKey(field, authKeys)
		}
	}
	for _, key := range []string{issuerKey, resourceKey} {
		if !slices.ContainsFunc(members, isNamed(key)) {
			l.wrong(n.offset(), n.path.member(key), "nothing", map[string]string{
				issuerKey:   "the URL of the authorization server",
				resourceKey: "the URL that hosts call, which tokens have to be for",
			}[key])
		}
	}
	return auth
}
