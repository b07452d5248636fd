package masking

import (
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// Mask is shown instead of a hidden value.
const Mask = "•••"

// ShownAddress returns an address with its secrets masked, and any other text as it is.
func ShownAddress(text string) string { return inAddress(text, shownSecret) }

// ShownVariable returns the value of a server's variable for display, with probable secrets
// masked. A value that decides which code runs is always shown.
func ShownVariable(name, value string) string {
	switch {
	case domain.CodeVariable(name) != "":
		return ShownWords(value)
	case LooksSecret(name, value):
		return Masked(value)
	}
	return value
}

// Masked returns a value with only its references to variables shown, without their defaults.
func Masked(value string) string {
	if isVariable().MatchString(value) {
		return value
	}
	var shown strings.Builder
	last := 0
	for _, at := range reference().FindAllStringSubmatchIndex(value, -1) {
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
	return commentedLine().ReplaceAllFunc(text, func(line []byte) []byte {
		return commentedValue().ReplaceAll(line, []byte(`$1"`+Mask+`"`))
	})
}

// Inline returns the parts of a command line and of an address that may be secrets, and are not shown.
func Inline(command string, args []string, address string) []string {
	return inline(command, args, address, func(string, string) bool { return true })
}

// HasInline reports whether an argument or an address seems to contain a secret. A value of a query
// counts only if it has the name of a secret or looks like one, unlike "project=shop".
func HasInline(command string, args []string, address string) bool {
	return len(inline(command, args, address, isNamedSecret)) > 0
}

func isNamedSecret(name, value string) bool {
	return name == "" || IsSecretName(name) || looksRandom(value)
}

// inline returns the parts of a command line and of an address that may be secrets, and that count with the name of
// their value in a query, "" for others.
func inline(command string, args []string, address string, counts func(name, value string) bool) []string {
	var secrets []string
	collect := func(name, text string) string {
		if !isClear(name, text) && reference().FindString(text) != text && counts(name, text) {
			secrets = append(secrets, text)
		}
		return text
	}
	inLine(command, args, collect)
	inAddress(address, collect)
	return secrets
}

// A replacement returns a text for a part that may be a secret, which has a name if it is a value of a query.
type replacement func(name, text string) string

// inNamed returns a text with the values replaced that are beside the name of a secret, as in NAME=value,
// "Name: value", a connection string or JSON. Hides reports whether a value of that name, before the rest of the text, may be hidden.
func inNamed(text string, replace replacement, hides func(name, value, rest string) bool) string {
	var shown strings.Builder
	for {
		at := namedValue().FindStringSubmatchIndex(text)
		if at == nil {
			return shown.String() + text
		}
		name, begin, end := text[at[2]:at[3]], max(at[4], at[6], at[8]), max(at[5], at[7], at[9])
		value := text[begin:end]
		isNamed := strongName().MatchString(name) || (IsSecretName(name) || name == "PWD" && strings.Contains(text, ";")) && !isPlain(value)
		looksSecret := secretPrefix().MatchString(value) || looksRandom(value) && !isHex().MatchString(value)
		if value != "" && (looksSecret || isNamed) && hides(name, value, text[end:]) {
			shown.WriteString(text[:begin] + replace("", value))
			text = text[end:]
			continue
		}
		shown.WriteString(text[:begin])
		text = text[begin:]
	}
}

// isUsed reports whether a text refers to a variable of that name, as a shell does. Then the value decides what
// runs, so a name alone must not hide it.
func isUsed(text, name string) bool {
	forms := []string{"$" + name, "${" + name, "%" + name + "%", "$env:" + name, "!" + name + "!"}
	return slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(text, form) })
}

// isLiteral reports whether a value in code is nothing but a value: it computes nothing, and its name is there once.
func isLiteral(code, name, value, rest string) bool {
	return !strings.ContainsAny(value, "$`%!") && !strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, ")") && mentions(code, name) == 1
}

// mentions counts the places of a name in a text, where it is no part of a longer one.
func mentions(text, name string) (count int) {
	isPart := func(part string) bool { return part != "" && (isNameByte(part[0]) || isNameByte(part[len(part)-1])) }
	for at := 0; ; {
		next := strings.Index(text[at:], name)
		if next < 0 {
			return count
		}
		begin, end := at+next, at+next+len(name)
		if !isPart(text[max(0, begin-1):begin]) && !isPart(text[end:min(len(text), end+1)]) {
			count++
		}
		at = end
	}
}

func isNameByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// inAddress returns an address with its password, the values of its query and the parts of its path that look
// like secrets replaced. Any other text is returned unchanged.
func inAddress(text string, replace replacement) string {
	scheme, rest, found := strings.Cut(text, "://")
	if !found {
		return text
	}
	authority, path := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	authority = inAuthority(authority, replace)
	path, query, found := strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if secretPrefix().MatchString(part) || looksRandom(part) || isUUID().MatchString(part) {
			parts[i] = replace("", part)
		}
	}
	path = strings.Join(parts, "/")
	if found {
		query, fragment, hasFragment := strings.Cut(query, "#")
		pairs := strings.Split(query, "&")
		for i, pair := range pairs {
			if name, value, ok := strings.Cut(pair, "="); ok {
				pairs[i] = name + "=" + replace(name, value)
			}
		}
		path += "?" + strings.Join(pairs, "&")
		if hasFragment {
			path += "#" + fragment
		}
	}
	return scheme + "://" + authority + path
}

// inAuthority returns the authority of an address with its password, or a user that looks like a secret, replaced. The host stays.
func inAuthority(authority string, replace replacement) string {
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return authority
	}
	user, password, hasPassword := strings.Cut(authority[:at], ":")
	switch {
	case hasPassword:
		return user + ":" + replace("", password) + authority[at:]
	case secretPrefix().MatchString(user), looksRandom(user):
		return replace("", user) + authority[at:]
	}
	return authority
}

// ShownWords masks secrets in the addresses of a text.
func ShownWords(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = inAddress(word, shownSecret)
	}
	return strings.Join(words, " ")
}

// shownSecret returns a text for display where a secret is expected.
func shownSecret(name, text string) string {
	if isClear(name, text) {
		return text
	}
	return Masked(text)
}

// isClear reports whether a text where a secret is expected is clearly none: it is short, or a list of a few words in the
// query of an address, such as "tools=search,read-page", under a name that no secret has.
func isClear(name, text string) bool {
	return isShort().MatchString(text) || name != "" && !IsSecretName(name) && isWordList().MatchString(text)
}

var (
	commentedLine  = pattern(`(?m)^[ \t]*(//|#|/\*|\*).*$`)
	commentedValue = pattern(`([:=]\s*)"[^"]*"`)
	namedValue     = pattern(`([A-Za-z][A-Za-z0-9_.-]*)(?:\\?["'])?\s*[:=]\s*(?:\\?"([^"\\]*)|\\?'([^'\\]*)|(?:(?i:bearer|basic|token|apikey)\s+)?((?:\$\{[^}]*\}|[^\s"'\\;,&(){}<>|])*))`)
	isUUID         = pattern(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	reference      = pattern(`(\$?\{(?:env:)?[A-Za-z_][A-Za-z0-9_]*(?:\([xX]86\))?)(?::-[^}]*)?\}`)
	isWordList     = pattern(`^[a-z_-]{1,24}((?:,|%2[cC])[a-z_-]{1,24}){1,9}$`)
	isVariable     = pattern(`^\$[A-Z][A-Z0-9]*_[A-Z0-9_]*$`) // of Gemini CLI; one word alone may be a password
	isShort        = pattern(`^[A-Za-z_-]{0,5}$`)             // too short to be a secret, and to be replaced everywhere
)
