package config

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// parseEnvFile returns the variables of a file of environment variables, such as .env. An error names the first line that
// gives none though it should, and quotes no part of it. The lines around it count, but not those after a quote that does
// not end where it should, since they may belong to its value.
//
// A line is NAME=value, with an optional "export" before the name. Lines that are empty or begin with "#"
// are skipped. A value without quotes ends at the end of the line, or at white space that is followed by "#";
// white space around it is dropped. A value in quotes ('…', "…" or `…`) is kept verbatim and can span lines;
// in double quotes the escapes \n, \r, \t, \" and \\ are replaced. Only white space and a comment can follow
// the closing quote. If a name occurs twice, its last value counts. Windows line ends and a byte order mark
// are accepted.
//
// Decision: values are not expanded, as in --env-file of Docker and Node: a "$" in a password stays, and
// variables cannot refer to each other. Libraries for such files (godotenv, compose-go) expand.
func parseEnvFile(text []byte) (values map[string]string, first error) {
	p := envParser{rest: strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n"), line: 1}
	values = map[string]string{}
	for p.rest != "" {
		at, before := p.line, p.rest
		name, value, problem := p.next()
		if problem != "" && first == nil {
			first = fmt.Errorf("line %d: %s", at, problem)
		}
		switch {
		case problem != "" && p.rest == before: // a quote
			return values, first
		case problem == "" && name != "":
			values[name] = value
		}
	}
	return values, first
}

// envParser holds the rest of a text, and the number of its first line.
type envParser struct {
	rest string
	line int
}

// next reads one variable, or a line without one, whose name is "". It reads nothing if it cannot tell where a value ends.
func (p *envParser) next() (name, value, problem string) {
	line, after, _ := strings.Cut(p.rest, "\n")
	name, begin, found := strings.Cut(line, "=")
	name, begin = withoutExport(strings.TrimSpace(name)), strings.TrimLeft(begin, " \t")
	if found && isVariableName(name) && begin != "" && strings.IndexByte(quotes, begin[0]) >= 0 {
		value, problem = p.quoted(p.rest[len(line)-len(begin):])
		return name, value, problem
	}
	p.rest, p.line = after, p.line+1
	switch trimmed := strings.TrimSpace(line); {
	case strings.ContainsRune(line, 0):
		return "", "", "has a NUL character"
	case !utf8.ValidString(line):
		return "", "", "is not UTF-8"
	case trimmed == "" || trimmed[0] == '#':
		return "", "", ""
	case !found:
		return "", "", `has no "="`
	case !isVariableName(name):
		return "", "", "does not begin with the name of a variable"
	}
	return name, withoutComment(begin), ""
}

const quotes = "\"'`"

// quoted reads a value that begins with a quote, and the rest of the line after it.
func (p *envParser) quoted(text string) (value, problem string) {
	quote := text[0]
	end := closing(text, quote)
	if end < 0 {
		return "", "has a quote that is not closed"
	}
	value = text[1:end]
	rest, after, _ := strings.Cut(text[end+1:], "\n")
	rest = strings.TrimSpace(rest)
	switch {
	case strings.ContainsRune(value, 0):
		return "", "has a NUL character"
	case !utf8.ValidString(value):
		return "", "is not UTF-8"
	case rest != "" && rest[0] != '#':
		return "", "has more than a comment after the closing quote"
	}
	p.rest, p.line = after, p.line+strings.Count(value, "\n")+1
	if quote == '"' {
		value = escapes.Replace(value)
	}
	return value, ""
}

// closing returns the index of the quote that closes the one at the start of a text, -1 if there is none. In
// double quotes a backslash escapes the next character.
func closing(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote:
			return i
		}
	}
	return -1
}

var escapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r", `\t`, "\t", `\"`, `"`)

func withoutExport(name string) string {
	if after, found := strings.CutPrefix(name, "export"); found && strings.TrimLeft(after, " \t") != after {
		return strings.TrimSpace(after)
	}
	return name
}

// withoutComment returns a value without the white space around it, and without a comment, which begins with
// "#" at the start or after white space.
func withoutComment(value string) string {
	for i := range len(value) {
		if value[i] == '#' && (i == 0 || value[i-1] == ' ' || value[i-1] == '\t') {
			value = value[:i]
			break
		}
	}
	return strings.TrimSpace(value)
}
