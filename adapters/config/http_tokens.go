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

// readTokens reads the tokens that let callers in. No two may have the same value. Problems and
// warnings never show a value.
func readTokens(r *reader, n tree.Node, toolboxes []string) []Token {
	entries, _ := r.Object(n, tree.NameKeys, "an object of tokens by name")
	var tokens []Token
	for _, entry := range entries {
		if entry.Name == "" {
			r.Wrong(entry.Key(), "an empty name", "at least one character")
		}
		token := tokenReading{Token{Name: entry.Name, Toolboxes: []string{}}, tokens, toolboxes}
		r.fill(entry.Node, `an object with "value" and "toolboxes"`, &token)
		tokens = append(tokens, token.Token)
	}
	return tokens
}

// tokenReading is a token while it is read, after others. Names are those of the toolboxes of all files.
type tokenReading struct {
	Token
	others []Token
	names  []string
}

// readField implements fieldReader.
func (t *tokenReading) readField(r *reader, field any, n tree.Node) bool {
	switch field {
	case &t.Value:
		t.Value, t.Unset = tokenValue(r, n, t.others)
	case &t.Toolboxes:
		t.Toolboxes = tokenToolboxes(&r.Findings, n, t.names)
	}
	return true
}

// MinTokenLength is the length in bytes below which a token is too easy to guess.
const MinTokenLength = 16

// tokenValue returns the value of a token, or the first variable in it that has no value: without
// that variable, others may know the rest of the token.
func tokenValue(r *reader, n tree.Node, others []Token) (value string, unset *domain.UnsetVariableError) {
	const wanted = "a token of letters, digits and -._~+/="
	text, ok := r.Text(n, wanted)
	if !ok {
		return "", nil
	}
	if text == "" {
		r.Wrong(n.Place(), "an empty token", wanted)
		return "", nil
	}
	result, missing, ok := r.valueOf(n, keys.Key{Trait: keys.Secret}, true, text)
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
func tokenToolboxes(f *tree.Findings, n tree.Node, names []string) []string {
	named := []string{}
	elements := f.List(n, `a list of toolboxes, ["*"] for all`)
	for _, element := range elements {
		name, ok := f.Text(element, "the name of a toolbox")
		switch {
		case !ok:
		case name == "*" && len(elements) == 1:
			return nil
		case name == "*":
			f.Wrong(element.Place(), `"*" beside names`, `["*"] for all toolboxes, or names only`)
		case !slices.Contains(names, name):
			f.Wrong(element.Place(), strconv.Quote(tree.Shortened(name))+", which matches no toolbox", suggestedToolbox(name, names))
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
