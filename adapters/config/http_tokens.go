package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"mcp-workbench/domain"
)

// toolboxNames returns the names of the toolboxes in the file, whatever is wrong with them.
func toolboxNames(members []member) []string {
	var names []string
	for _, m := range members {
		object, ok := m.value.Value.(*hujson.Object)
		if m.name != toolboxesKey || !ok {
			continue
		}
		for i := range object.Members {
			if name := unquoted(object.Members[i].Name.Value.(hujson.Literal)); !nameKeys.ignored(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (l *loader) tokens(n node, toolboxes []string) {
	entries, _ := l.object(n, nameKeys, "an object of tokens by name")
	for _, entry := range entries {
		l.http.Tokens = append(l.http.Tokens, l.token(entry, toolboxes))
	}
}

// token reads a token. What it says of the value never has the value in it.
func (l *loader) token(m member, toolboxes []string) Token {
	token := Token{Name: m.name, Toolboxes: []string{}}
	if m.name == "" {
		l.wrong(m.start, m.path, "an empty name", "at least one character")
	}
	members, ok := l.object(m.node, settingKeys, `an object with "value" and "toolboxes"`)
	if !ok {
		return token
	}
	for _, field := range members {
		switch field.name {
		case valueKey:
			token.Value, token.Unset = l.tokenValue(field.node)
		case toolboxesKey:
			token.Toolboxes = l.tokenToolboxes(field.node, toolboxes)
		default:
			l.unknownKey(field, tokenKeys)
		}
	}
	if !slices.ContainsFunc(members, isNamed(valueKey)) {
		l.wrong(m.offset(), m.path.member(valueKey), "nothing", `the token, for example "${CI_TOKEN}"`)
	}
	if !slices.ContainsFunc(members, isNamed(toolboxesKey)) {
		l.wrong(m.offset(), m.path.member(toolboxesKey), "nothing", `a list of toolboxes, ["*"] for all`)
	}
	return token
}

// MinTokenLength is the length in bytes from which a token is hard to guess.
const MinTokenLength = 16

// tokenValue reads the value of a token, or the first variable in it that has none: what is
// left of the token without it, others may know.
func (l *loader) tokenValue(n node) (value string, unset *domain.UnsetVariable) {
	const wanted = "a token of letters, digits and -._~+/="
	text, ok := n.text()
	switch {
	case !ok:
		l.wrongKind(n, wanted)
		return "", nil
	case text == "":
		l.wrong(n.offset(), n.path, "an empty token", wanted)
		return "", nil
	}
	result, unset := l.expanded(n, text)
	if unset == nil && result.empty != "" {
		unset = &domain.UnsetVariable{Variable: result.empty, KeyPath: n.path.String(), IsEmpty: true}
	}
	value = result.text
	switch {
	case unset != nil:
		l.warn(n.offset(), n.path, fmt.Sprintf("environment variable '%s' is %s, so this token lets nobody in", unset.Variable, unset.State()))
		return "", unset
	case value == "": // what was wrong is noted
	case !isToken(value):
		l.wrong(n.offset(), n.path, "characters that no Authorization header has in a token", wanted)
		return "", unset
	case slices.ContainsFunc(l.http.Tokens, func(t Token) bool { return t.Value == value }):
		l.wrong(n.offset(), n.path, "the value of another token", "a value of its own")
		return "", unset
	case len(value) < MinTokenLength:
		l.warn(n.offset(), n.path, fmt.Sprintf("has fewer than %d characters, so it can be guessed", MinTokenLength))
	}
	return value, nil
}

// expanded returns a text with its variables replaced, or the first of them that is not set,
// or empty when nothing else is there. It is "" when the text is wrong, which is noted.
func (l *loader) expanded(n node, text string) (result expansion, unset *domain.UnsetVariable) {
	result, err := expand(text, l.environment.expand)
	switch {
	case err != nil:
		l.wrong(n.offset(), n.path, err.Error(), wantedVariable)
		return expansion{}, nil
	case result.unset != "":
		return expansion{}, &domain.UnsetVariable{Variable: result.unset, KeyPath: n.path.String()}
	case result.text == "" && text != "":
		return expansion{}, &domain.UnsetVariable{Variable: result.empty, KeyPath: n.path.String(), IsEmpty: true}
	}
	return result, nil
}

// isToken reports whether a header can carry the text as a token (RFC 6750, section 2.1).
func isToken(text string) bool {
	for _, c := range []byte(strings.TrimRight(text, "=")) {
		if !isLetter(c) && !isDigit(c) && !strings.ContainsRune("-._~+/", rune(c)) {
			return false
		}
	}
	return strings.Trim(text, "=") != ""
}

// tokenToolboxes reads which toolboxes a token is for: nil for all. What cannot be read is none.
func (l *loader) tokenToolboxes(n node, toolboxes []string) []string {
	named := []string{}
	elements, ok := n.elements()
	if !ok {
		l.wrongKind(n, `a list of toolboxes, ["*"] for all`)
		return named
	}
	for _, element := range elements {
		name, isText := element.text()
		switch {
		case !isText:
			l.wrongKind(element, "the name of a toolbox")
		case name == "*" && len(elements) == 1:
			return nil
		case name == "*":
			l.wrong(element.offset(), element.path, `"*" beside names`, `["*"] for all toolboxes, or names only`)
		case !slices.Contains(toolboxes, name):
			l.wrong(element.offset(), element.path, strconv.Quote(shortened(name))+", which is no toolbox", suggestedToolbox(name, toolboxes))
		default:
			named = append(named, name)
		}
	}
	return named
}

func suggestedToolbox(name string, toolboxes []string) string {
	nearest, ok := domain.Nearest(name, toolboxes)
	switch {
	case ok:
		return strconv.Quote(nearest)
	case len(toolboxes) == 0:
		return `a toolbox of the configuration, which has none`
	}
	return oneOf(toolboxes)
}
