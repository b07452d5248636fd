package config

import (
	"errors"
	"strings"

	"mcp-workbench/domain"
)

// Problems of a "${" in a value. The texts follow "found".
var (
	errUnclosed    = errors.New(`"${" without its "}"`)
	errNested      = errors.New(`"${" inside of "${…}"`)
	errNotVariable = errors.New(`"${…}" that does not name a variable`)
)

// wantedVariable describes what can be expanded.
const wantedVariable = `"${NAME}" or "${NAME:-default}"`

// isVariableName reports whether text looks like the name of a variable
// (POSIX.1-2017, 3.235, and lower case), or like ProgramFiles(x86) of Windows.
func isVariableName(text string) bool {
	if suffix := len(text) - len("(x86)"); suffix > 0 && strings.EqualFold(text[suffix:], "(x86)") {
		text = text[:suffix]
	}
	for i, c := range []byte(text) {
		if c != '_' && !isLetter(c) && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return text != ""
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// expansion is a text with its variables expanded.
type expansion struct {
	text string
	// secrets are the values that came from variables.
	secrets domain.Secrets
	// unset are the variables that are not set and have no default.
	unset []string
	// empty is the first variable with an empty value, "" if there is none.
	empty string
	// required are the variables without a default.
	required []string
}

// expand replaces each "${NAME}" by the value of the variable, and each
// "${NAME:-default}" by the value or, if the variable is not set, the default. Nothing
// else changes, and values are not expanded again.
func expand(text string, lookup func(name string) (value string, set bool)) (expansion, error) {
	var result expansion
	var expanded strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		expanded.WriteString(before)
		if !found {
			result.text = expanded.String()
			return result, nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		name, fallback, hasFallback := strings.Cut(inside, ":-")
		switch {
		case !closed:
			return expansion{}, errUnclosed
		case strings.Contains(inside, "${"):
			return expansion{}, errNested
		case !isVariableName(name):
			return expansion{}, errNotVariable
		}
		if !hasFallback {
			result.required = append(result.required, name)
		}
		value, set := lookup(name)
		if !set {
			value = fallback
		}
		if value == "" && (set || hasFallback) && result.empty == "" {
			result.empty = name
		}
		switch {
		case set:
			expanded.WriteString(value)
			result.secrets = append(result.secrets, domain.Secret{Value: value, Shown: "${" + name + "}"})
		case hasFallback:
			expanded.WriteString(value)
		default:
			result.unset = append(result.unset, name)
		}
		text = after
	}
}
