package serverconfig

import (
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Mask is shown instead of a hidden value.
const Mask = "•••"

// SecretKeys are the login settings whose values are secrets, in files of hosts and of the workbench.
var SecretKeys = []string{"clientSecret", "client_secret", "CLIENT_SECRET", "privateKey"}

// ValueKeys are the members of a server whose values may be secrets.
var ValueKeys = append([]string{"env", "environment", "envs", "apiKey", "headers", "http_headers", "env_http_headers"}, SecretKeys...)

// ShownValue returns a value of a server for display, with its secrets masked. The path begins below the server, and before
// is the preceding element in a list. Only members with a known meaning are masked, so that no name or
// value of a server can hide what it runs.
func ShownValue(path []string, text, before string) string {
	key, name := path[0], path[len(path)-1]
	switch {
	case (key == "env" || key == "environment") && domain.CodeVariable(name) != "":
		return shownWords(text)
	case slices.Contains(ValueKeys, key), slices.Contains(SecretKeys, name):
		return Masked(text)
	case key == "args" || key == "command":
		return inArgument(before, text, shownSecret)
	}
	return inAddress(text, shownSecret)
}

// ShownVariable returns the value of a server's variable for display, with probable secrets
// masked. A value that decides which code runs is always shown.
func ShownVariable(name, value string) string {
	switch {
	case domain.CodeVariable(name) != "":
		return shownWords(value)
	case looksSecret(name, value):
		return Masked(value)
	}
	return value
}

// Masked returns a value with only its references to variables shown, without their defaults.
func Masked(value string) string {
	var shown strings.Builder
	last := 0
	for _, at := range reference.FindAllStringSubmatchIndex(value, -1) {
		nameBegin, nameEnd, end := at[2], at[3], at[1]
		if nameBegin > last {
			shown.WriteString(Mask)
		}
		shown.WriteString(value[nameBegin:nameEnd])
		if nameEnd < end-1 {
			shown.WriteString(":-" + Mask)
		}
		shown.WriteString("}")
		last = end
	}
	if last < len(value) || value == "" {
		shown.WriteString(Mask)
	}
	return shown.String()
}

// MaskedComments returns the text of a file with the values in its comments masked: a server that was
// commented out still contains its secrets.
func MaskedComments(text []byte) []byte {
	return commentedLine.ReplaceAllFunc(text, func(line []byte) []byte {
		return commentedValue.ReplaceAll(line, []byte(`$1"`+Mask+`"`))
	})
}

// InlineSecrets returns the parts of the arguments and the address that look like secrets.
func (s Settings) InlineSecrets() []string {
	var secrets []string
	collect := func(text string) string {
		if !isShort.MatchString(text) && reference.FindString(text) != text {
			secrets = append(secrets, text)
		}
		return text
	}
	before := ""
	for _, arg := range s.Args {
		inArgument(before, arg, collect)
		before = arg
	}
	inAddress(s.URL, collect)
	return secrets
}

// HasInlineSecrets reports whether an argument or the address seems to contain a secret.
func (s Settings) HasInlineSecrets() bool { return len(s.InlineSecrets()) > 0 }

// inArgument returns an argument with its probable secrets replaced: the value of a flag whose name
// suggests a secret, and the secrets in an address. Before is the preceding argument.
func inArgument(before, arg string, replace func(string) string) string {
	if flag := secretFlag.FindString(arg); strings.HasSuffix(flag, "=") {
		return flag + replace(arg[len(flag):])
	}
	if flag := secretFlag.FindString(before); flag != "" && !strings.HasSuffix(flag, "=") {
		return replace(arg)
	}
	return inAddress(arg, replace)
}

// inAddress returns an address with its password and the values of its query replaced. Any other text
// is returned unchanged.
func inAddress(text string, replace func(string) string) string {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return text
	}
	authority, path := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		if user, password, ok := strings.Cut(authority[:at], ":"); ok {
			authority = user + ":" + replace(password) + authority[at:]
		}
	}
	path, query, found := strings.Cut(path, "?")
	if found {
		query, fragment, hasFragment := strings.Cut(query, "#")
		pairs := strings.Split(query, "&")
		for i, pair := range pairs {
			if name, value, ok := strings.Cut(pair, "="); ok {
				pairs[i] = name + "=" + replace(value)
			}
		}
		path += "?" + strings.Join(pairs, "&")
		if hasFragment {
			path += "#" + fragment
		}
	}
	return scheme + "://" + authority + path
}

// shownWords masks secrets in the addresses of a text.
func shownWords(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = inAddress(word, shownSecret)
	}
	return strings.Join(words, " ")
}

// shownSecret returns a text for display where a secret is expected.
func shownSecret(text string) string {
	if isShort.MatchString(text) {
		return text
	}
	return Masked(text)
}

var (
	commentedLine  = regexp.MustCompile(`(?m)^[ \t]*(//|#|/\*|\*).*$`)
	commentedValue = regexp.MustCompile(`([:=]\s*)"[^"]*"`)
	secretFlag     = regexp.MustCompile(`(?i)^--?[a-z0-9-]*(token|secret|passw|credential|api-?key|access-?key|private-?key)[a-z0-9-]*(=|$)`)
	reference      = regexp.MustCompile(`(\$?\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}`)
	isShort        = regexp.MustCompile(`^[A-Za-z_-]{0,5}$`) // too short to be a secret, and to be replaced everywhere
)
