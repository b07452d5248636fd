package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// tokens reads the tokens that let callers in. No two may have the same value. Problems and
// warnings never show a value.
func (r *reader) tokens(n tree.Node) []Token {
	entries, _ := r.Object(n, tree.NameKeys, "an object of tokens by name")
	var tokens []Token
	for _, entry := range entries {
		if entry.Name == "" {
			r.Wrong(entry.Key(), "an empty name", "at least one character")
		}
		token := tokenAmong{Token{Name: entry.Name, Toolboxes: []string{}}, tokens}
		r.fill(entry.Node, `an object with "value" and "toolboxes"`, &token)
		tokens = append(tokens, token.Token)
	}
	return tokens
}

// tokenAmong is a token that is read after others.
type tokenAmong struct {
	Token
	others []Token
}

// readField implements fieldReader.
func (t *tokenAmong) readField(r *reader, field any, n tree.Node) bool {
	switch field {
	case &t.Value:
		t.Value, t.Unset = r.tokenValue(n, t.others)
	case &t.Toolboxes:
		t.Toolboxes = r.tokenToolboxes(n)
	}
	return true
}

// MinTokenLength is the length in bytes below which a token is too easy to guess.
const MinTokenLength = 16

// tokenValue returns the value of a token, or the first variable in it that has no value: without
// that variable, others may know the rest of the token.
func (r *reader) tokenValue(n tree.Node, others []Token) (value string, unset *domain.UnsetVariableError) {
	const wanted = "a token of letters, digits and -._~+/="
	text, ok := r.Text(n, wanted)
	if !ok {
		return "", nil
	}
	if text == "" {
		r.Wrong(n.Place(), "an empty token", wanted)
		return "", nil
	}
	result, missing, ok := r.expanded(n, keys.Key{Trait: keys.Secret}, true, text)
	if len(missing) > 0 {
		unset = &missing[0]
	}
	if ok && result.empty != "" {
		unset = &domain.UnsetVariableError{Variable: result.empty, KeyPath: n.Path.String(), IsEmpty: true}
	}
	value = result.text
	switch {
	case unset != nil:
		r.WarnUnset(n, unset, "this token gives no access")
		return "", unset
	case value == "": // reported already
	case !isToken(value):
		r.Wrong(n.Place(), "characters that a token in an Authorization header cannot have", wanted)
		return "", nil
	case slices.ContainsFunc(others, func(t Token) bool { return t.Value == value }):
		r.Wrong(n.Place(), "the value of another token", "a value of its own")
		return "", nil
	case len(value) < MinTokenLength:
		r.Warn(n.Place(), fmt.Sprintf("has fewer than %d characters, so it can be guessed", MinTokenLength))
	}
	return value, nil
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

// tokenToolboxes reads which toolboxes a token is for: nil for all, an empty list if they cannot
// be read.
func (r *reader) tokenToolboxes(n tree.Node) []string {
	named := []string{}
	elements := r.List(n, `a list of toolboxes, ["*"] for all`)
	for _, element := range elements {
		name, ok := r.Text(element, "the name of a toolbox")
		switch {
		case !ok:
		case name == "*" && len(elements) == 1:
			return nil
		case name == "*":
			r.Wrong(element.Place(), `"*" beside names`, `["*"] for all toolboxes, or names only`)
		case !slices.Contains(r.names, name):
			r.Wrong(element.Place(), strconv.Quote(tree.Shortened(name))+", which matches no toolbox", suggestedToolbox(name, r.names))
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
	return tree.OneOf(toolboxes)
}
