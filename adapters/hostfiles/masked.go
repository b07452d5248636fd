package hostfiles

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/textedit"
)

// mask stands for a value that is not shown.
const mask = "•••"

// valueKeys are the members of a server whose values may be secrets.
var valueKeys = append([]string{"env", "environment", "headers", "http_headers", "env_http_headers"}, secretKeys...)

// Masked returns the text of a host's file for showing it: without the values of
// variables and headers, without what looks like a secret in arguments and addresses,
// and without any value that is not about servers. What a reader has to know of a value stays:
// which variables it takes, and what a variable says that decides about code
// (domain.CodeVariable). It is nil for a text that cannot be parsed, and empty for an empty
// one.
func Masked(file File, text []byte) []byte {
	switch {
	case len(text) == 0:
		return text
	case file.syntax == tomlSyntax:
		return maskedTOML(file, text)
	}
	if _, err := Parse(file, text); err != nil {
		return nil
	}
	return withoutComments(textedit.MaskJSON(text, func(value textedit.Value) (string, bool) {
		depth := len(file.member) + 1
		if len(value.Path) <= depth || !slices.Equal(value.Path[:depth-1], file.member) {
			return mask, true
		}
		return shownValue(value.Path[depth:], value)
	}))
}

// maskedTOML is Masked for TOML. Arrays and tables on one line are one value there.
func maskedTOML(file File, text []byte) []byte {
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
	text = textedit.MaskTOML(text, slices.Compact(names), mask)
	for _, server := range servers {
		for _, secret := range server.Settings.inline() {
			text = bytes.ReplaceAll(text, []byte(secret), []byte(mask))
		}
	}
	return withoutComments(text)
}

// MaskedServers is Masked for the text of the workbench's own configuration.
func MaskedServers(text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	return withoutComments(textedit.MaskJSON(text, func(value textedit.Value) (string, bool) {
		// toolboxes, a name, mcpServers, a name
		const depth = 4
		if len(value.Path) > depth && value.Path[0] == "toolboxes" && value.Path[2] == "mcpServers" {
			return shownValue(value.Path[depth:], value)
		}
		if slices.ContainsFunc(value.Path, func(name string) bool { return slices.Contains(valueKeys, name) }) {
			return maskedText(value.Text), true
		}
		return "", false
	}))
}

// withoutComments hides the values in comments.
func withoutComments(text []byte) []byte {
	return commentedLine().ReplaceAllFunc(text, func(line []byte) []byte {
		return commentedValue().ReplaceAll(line, []byte(`$1"`+mask+`"`))
	})
}

// shownValue returns what is shown of a value of a server, and whether that differs. The path
// begins at the server. Only members whose meaning is known hide anything: nothing that a
// server is called or given can hide what it runs.
func shownValue(path []string, value textedit.Value) (shown string, masked bool) {
	key, name := path[0], path[len(path)-1]
	switch {
	case (key == "env" || key == "environment") && domain.CodeVariable(name) != "":
		shown = shownWords(value.Text)
	case slices.Contains(valueKeys, key), slices.Contains(secretKeys, name):
		shown = maskedText(value.Text)
	case key == "args" || key == "command":
		shown = shownArgument(value.Before, value.Text)
	default:
		shown = shownAddress(value.Text)
	}
	return shown, shown != value.Text
}

// maskedText returns a value with the mask in the place of everything but references to
// variables, whose defaults may be secrets too.
func maskedText(value string) string {
	var shown strings.Builder
	last := 0
	for _, at := range reference().FindAllStringSubmatchIndex(value, -1) {
		nameBegin, nameEnd, end := at[2], at[3], at[1]
		if nameBegin > last {
			shown.WriteString(mask)
		}
		shown.WriteString(value[nameBegin:nameEnd])
		if nameEnd < end-1 {
			shown.WriteString(":-" + mask)
		}
		shown.WriteString("}")
		last = end
	}
	if last < len(value) || value == "" {
		shown.WriteString(mask)
	}
	return shown.String()
}

// shownArgument returns an argument behind another without what looks like a secret.
func shownArgument(before, arg string) string {
	if flag := secretFlag().FindString(arg); strings.HasSuffix(flag, "=") {
		return flag + shownSecret(arg[len(flag):])
	}
	if flag := secretFlag().FindString(before); flag != "" && !strings.HasSuffix(flag, "=") {
		return shownSecret(arg)
	}
	return shownAddress(arg)
}

// shownAddress returns an address without its password and the values of its query. Any
// other text stays.
func shownAddress(text string) string {
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
			authority = user + ":" + shownSecret(password) + authority[at:]
		}
	}
	path, query, found := strings.Cut(path, "?")
	if found {
		query, fragment, hasFragment := strings.Cut(query, "#")
		pairs := strings.Split(query, "&")
		for i, pair := range pairs {
			if name, value, ok := strings.Cut(pair, "="); ok {
				pairs[i] = name + "=" + shownSecret(value)
			}
		}
		path += "?" + strings.Join(pairs, "&")
		if hasFragment {
			path += "#" + fragment
		}
	}
	return scheme + "://" + authority + path
}

// shownSecret returns what is shown of a text where secrets stand.
func shownSecret(text string) string {
	if shownQuery().MatchString(text) {
		return text
	}
	return maskedText(text)
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
	reference      = once(`(\$?\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}`)
	shownQuery     = once(`^[A-Za-z_-]{0,5}$`) // too short to be a secret, and to be replaced everywhere
)

func once(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// inline returns what looks like a secret in the arguments and the address.
func (s Settings) inline() []string {
	var secrets []string
	before := ""
	for _, arg := range s.Args {
		secrets = append(secrets, inArgument(before, arg)...)
		before = arg
	}
	return append(secrets, inAddress(s.URL)...)
}

// inArgument returns what looks like a secret in an argument behind another.
func inArgument(before, arg string) []string {
	flag := secretFlag().FindString(arg)
	var secrets []string
	switch named := secretFlag().FindString(before); {
	case strings.HasSuffix(flag, "="):
		secrets = append(secrets, strings.TrimPrefix(arg, flag))
	case named != "" && !strings.HasSuffix(named, "="):
		secrets = append(secrets, arg)
	}
	return append(hidden(secrets), inAddress(arg)...)
}

// hidden returns those of the texts that are no references and may be secrets.
func hidden(texts []string) []string {
	return slices.DeleteFunc(texts, func(text string) bool {
		return shownQuery().MatchString(text) || reference().FindString(text) == text
	})
}

// shownWords is shownAddress for each of the words of a text.
func shownWords(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = shownAddress(word)
	}
	return strings.Join(words, " ")
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
	return hidden(secrets)
}
