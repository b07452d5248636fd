package hostfiles

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/adapters/textedit"
)

// mask stands for a value that is not shown.
const mask = "•••"

// valueKeys are the members of a server whose values may be secrets.
var valueKeys = append([]string{"env", "environment", "headers", "http_headers", "env_http_headers"}, secretKeys...)

// Masked returns the text of a host's file for showing it: without the values of
// variables and headers, without what looks like a secret in arguments and addresses,
// and without any value that is not about servers. It is nil for a text that cannot be
// parsed, and empty for an empty one.
func Masked(file File, text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	names := slices.Clone(valueKeys)
	for depth := range file.member {
		members, err := file.syntax.read(text, file.member[:depth])
		if err != nil {
			return nil
		}
		for _, member := range members {
			if member.Name != file.member[depth] && !slices.Contains(file.form.keys(), member.Name) {
				names = append(names, member.Name)
			}
		}
	}
	servers, err := Parse(file, text)
	if err != nil {
		return nil
	}
	settings := make([]Settings, len(servers))
	for i, server := range servers {
		settings[i] = server.Settings
	}
	cover := textedit.MaskJSON
	if file.syntax == tomlSyntax {
		cover = textedit.MaskTOML
	}
	return hide(cover(text, slices.Compact(names), `"`+mask+`"`), settings)
}

// MaskedServers is Masked for the text of the workbench's own configuration, which has
// these servers.
func MaskedServers(text []byte, servers []Settings) []byte {
	if len(text) == 0 {
		return text
	}
	return hide(textedit.MaskJSON(text, valueKeys, `"`+mask+`"`), servers)
}

// hide takes what looks like a secret in the arguments and addresses of servers out of
// a text, and the values in comments.
func hide(text []byte, servers []Settings) []byte {
	for _, server := range servers {
		for _, secret := range server.inline() {
			text = bytes.ReplaceAll(text, []byte(secret), []byte(mask))
		}
	}
	return commentedLine().ReplaceAllFunc(text, func(line []byte) []byte {
		return commentedValue().ReplaceAll(line, []byte(`$1"`+mask+`"`))
	})
}

// HasInlineSecrets reports whether an argument or the address looks like it holds one.
func (s Settings) HasInlineSecrets() bool { return len(s.inline()) > 0 }

// Expressions are compiled when they are needed, since every start of the program would
// pay otherwise.
var (
	// A server that was put into a comment keeps its secrets.
	commentedLine  = once(`(?m)^[ \t]*(//|#|/\*|\*).*$`)
	commentedValue = once(`([:=]\s*)"[^"]*"`)
	secretFlag     = once(`(?i)^--?[a-z0-9-]*(token|secret|passw|credential|api-?key|access-?key|private-?key)[a-z0-9-]*(=|$)`)
	shownQuery     = once(`^[A-Za-z_-]{0,5}$`) // too short to be a secret, and to be replaced everywhere
)

func once(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// inline returns what looks like a secret in the arguments and the address.
func (s Settings) inline() []string {
	var secrets []string
	for i, arg := range s.Args {
		flag := secretFlag().FindString(arg)
		switch {
		case strings.HasSuffix(flag, "="):
			secrets = append(secrets, strings.TrimPrefix(arg, flag))
		case flag != "" && i+1 < len(s.Args):
			secrets = append(secrets, s.Args[i+1])
		}
		secrets = append(secrets, inAddress(arg)...)
	}
	secrets = append(secrets, inAddress(s.URL)...)
	return slices.DeleteFunc(secrets, func(text string) bool {
		return shownQuery().MatchString(text) || strings.HasPrefix(text, "${")
	})
}

// inAddress returns the password and the values of the query of an address.
func inAddress(text string) []string {
	if !strings.Contains(text, "://") {
		return nil
	}
	address, err := url.Parse(text)
	if err != nil {
		return nil
	}
	var secrets []string
	if address.User != nil {
		if _, password, ok := strings.Cut(address.User.String(), ":"); ok {
			secrets = append(secrets, password)
		}
	}
	for pair := range strings.SplitSeq(address.RawQuery, "&") {
		if _, value, ok := strings.Cut(pair, "="); ok {
			secrets = append(secrets, value)
		}
	}
	return secrets
}
