package setup

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Lookup returns a variable of the environment.
type Lookup func(name string) (value string, set bool)

// IsSame reports whether two settings mean the same server: whether everything that reaches it is
// written in the same way. It ignores what matters only to the host or the workbench, such as filters.
// Settings with neither a program nor an address are never the same.
func (s Settings) IsSame(other Settings) bool {
	return s.isServer() && len(s.Differences(other, nil)) == 0
}

// IsLike reports whether two settings start the same program with the same arguments, or reach the same
// address. They may be two accounts.
func (s Settings) IsLike(other Settings) bool {
	return s.isServer() && len(s.Members)+len(other.Members) == 0 && s.Command == other.Command && s.URL == other.URL && slices.Equal(s.Args, other.Args)
}

// AsksMoreThan reports whether confirm names a tool or a pattern that it does not name in other settings.
func (s Settings) AsksMoreThan(other Settings) bool {
	return !slices.Contains(other.Confirm, "*") &&
		slices.ContainsFunc(s.Confirm, func(pattern string) bool { return !slices.Contains(other.Confirm, pattern) })
}

func (s Settings) isServer() bool { return s.Command != "" || s.URL != "" || len(s.Members) > 0 }

// Differences returns the keys of the settings that do not reach both servers alike, such as "args" or
// "env.TOKEN", sorted; it returns none for settings of the same server. Values are the same if they are
// written in the same way or, with a lookup, if they are after the variables of s are replaced.
func (s Settings) Differences(other Settings, lookup Lookup) []string {
	d := differences{lookup: lookup}
	d.add("transport", s.transport() == other.transport())
	d.text("command", s.Command, other.Command)
	d.add("args", slices.EqualFunc(s.Args, other.Args, d.isEqual))
	d.texts("env", s.Env, other.Env)
	d.text("cwd", s.Cwd, other.Cwd)
	d.set("inheritEnv", s.InheritEnv, other.InheritEnv)
	d.text("url", s.URL, other.URL)
	d.texts("headers", headers(s.Headers), headers(other.Headers))
	d.oauth(s.OAuth, other.OAuth)
	d.texts("", s.Untranslated, other.Untranslated)
	d.texts("", texts(s.Members), texts(other.Members))
	slices.Sort(d.keys)
	return slices.Compact(d.keys)
}

// transport returns the transport of the server, which settings need not contain.
func (s Settings) transport() string {
	switch {
	case s.URL == "":
		return cmp.Or(s.Transport, "stdio")
	case s.Transport == "", strings.HasPrefix(strings.ToLower(s.Transport), "streamable"):
		return "http"
	}
	return s.Transport
}

// texts returns members as they are written.
func texts(members map[string]json.RawMessage) map[string]string {
	texts := make(map[string]string, len(members))
	for name, value := range members {
		texts[name] = string(value)
	}
	return texts
}

// headers returns headers by their names in lower case, since the case of a name has no meaning.
func headers(headers map[string]string) map[string]string {
	folded := make(map[string]string, len(headers))
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		folded[strings.ToLower(name)] += headers[name]
	}
	return folded
}

// differences collects the keys in which two settings differ.
type differences struct {
	lookup Lookup
	keys   []string
}

func (d *differences) add(key string, same bool) {
	if !same {
		d.keys = append(d.keys, key)
	}
}

func (d *differences) text(key, first, other string) { d.add(key, d.isEqual(first, other)) }

// isEqual compares two values, of which the first may refer to variables.
func (d *differences) isEqual(first, other string) bool {
	return first == other || d.lookup != nil && expanded(first, d.lookup) == other
}

func (d *differences) texts(key string, first, other map[string]string) {
	if key != "" {
		key += "."
	}
	for name, value := range first {
		otherValue, exists := other[name]
		d.add(key+name, exists && d.isEqual(value, otherValue))
	}
	for name := range other {
		_, exists := first[name]
		d.add(key+name, exists)
	}
}

// set compares two lists whose order has no meaning.
func (d *differences) set(key string, first, other []string) {
	first, other = slices.Clone(first), slices.Clone(other)
	slices.Sort(first)
	slices.Sort(other)
	d.add(key, slices.Equal(slices.Compact(first), slices.Compact(other)))
}

func (d *differences) oauth(first, other *OAuth) {
	first, other = cmp.Or(first, &OAuth{}), cmp.Or(other, &OAuth{})
	d.add("oauth", first.Off == other.Off)
	d.text("oauth.clientId", first.ClientID, other.ClientID)
	d.text("oauth.clientSecret", first.ClientSecret, other.ClientSecret)
	d.text("oauth.issuer", first.Issuer, other.Issuer)
	d.set("oauth.scopes", first.Scopes, other.Scopes)
	d.text("oauth.redirectUri", first.RedirectURI, other.RedirectURI)
	d.text("oauth.callbackPort", strings.Trim(string(first.CallbackPort), `"`), strings.Trim(string(other.CallbackPort), `"`))
	d.texts("oauth", first.Untranslated, other.Untranslated)
}

// expanded returns a text with its variables replaced, as the configuration does it. A text whose
// variables are not all set is returned unchanged.
func expanded(text string, lookup Lookup) string {
	missing := false
	result := variable.ReplaceAllStringFunc(text, func(reference string) string {
		name, fallback, hasFallback := strings.Cut(reference[len("${"):len(reference)-1], ":-")
		value, set := lookup(name)
		if !set {
			value, missing = fallback, missing || !hasFallback
		}
		return value
	})
	if missing {
		return text
	}
	return result
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*(?:\([xX]86\))?(?::-[^}]*)?\}`)
