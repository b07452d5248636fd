package selection

import (
	"regexp"
	"strings"
)

var (
	slashes = regexp.MustCompile(`^m?/(.+)/([gimsu]*)$`)
	called  = regexp.MustCompile(`^(?:[efz]?grep|rg|ack|ag)\s+`)
	// option is an option before a word.
	option = regexp.MustCompile(`^-(?:[a-zA-Z]\S*|-[a-z-]+(?:=\S*)?)(?:\s|$)`)
	// word is the first one of a command line: the quoted text or the other one.
	word = regexp.MustCompile(`^(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|(\S+))(?:\s+|$)`)
	// quoted is a text that is one word in quotation marks.
	quoted = regexp.MustCompile(`^(?:'[^']*'|"[^"]*")$`)
)

// longOptions are the letters of long options of grep that matter.
var longOptions = map[string]string{
	"--ignore-case": "i", "--invert-match": "v", "--fixed-strings": "F", "--word-regexp": "w", "--line-regexp": "x", "--regexp": "e",
	"--after-context": "A", "--before-context": "B", "--context": "C", "--max-count": "m",
}

// withValue are the letters of options that take a value.
const withValue = "eABCm"

// shellMeaning is the meaning of an expression in shells and scripts.
type shellMeaning struct {
	expressions []string // the likeliest first; empty if the expression has no other meaning
	isInverted  bool
}

// inShell returns what an expression means in a shell: "/x/i" and "-i x" as "(?i)x", also behind "grep" and before names of
// files, quotes around it, and "a\|b" and "\<a\>" of a basic expression as "a|b" and "\ba\b".
func inShell(text string) shellMeaning {
	text = strings.TrimSpace(text)
	if in := slashes.FindStringSubmatch(text); in != nil {
		return shellMeaning{expressions: []string{withFlags(in[1], in[2])}}
	}
	rest := called.ReplaceAllString(text, "")
	isCommand := rest != text
	var flags string
	if strings.HasPrefix(text, "fgrep") && isCommand {
		flags = "F"
	}
	var patterns []string
	for option.MatchString(rest) {
		name, after := nextWord(rest)
		letters, value, hasValue := name[1:], "", false
		if strings.HasPrefix(name, "--") {
			name, value, hasValue = strings.Cut(name, "=")
			letters = longOptions[name]
		} else if i := strings.IndexAny(letters, withValue); i >= 0 {
			letters, value, hasValue = letters[:i+1], letters[i+1:], i+1 < len(letters)
		}
		if strings.ContainsAny(letters, withValue) && !hasValue {
			value, after = nextWord(after)
		}
		if strings.HasSuffix(letters, "e") && value != "" {
			patterns = append(patterns, value)
		}
		flags += letters
		rest = after
	}
	meaning := shellMeaning{isInverted: strings.Contains(flags, "v")}
	switch first, _ := nextWord(rest); {
	case patterns != nil:
		meaning.expressions = []string{withFlags(strings.Join(patterns, "|"), flags)}
	case first == "":
	case isCommand && !quoted.MatchString(rest):
		meaning.expressions = []string{withFlags(rest, flags), withFlags(first, flags)} // the rest may be files
	case quoted.MatchString(rest):
		meaning.expressions = []string{withFlags(first, flags)}
	default:
		meaning.expressions = []string{withFlags(rest, flags)}
	}
	return meaning
}

// nextWord returns the first word of a command line, without its quotation marks, and the rest.
func nextWord(text string) (first, rest string) {
	in := word.FindStringSubmatch(text)
	if in == nil {
		return text, ""
	}
	return in[1] + in[2] + in[3], text[len(in[0]):]
}

// basic makes the common syntax of what basic expressions have behind a backslash.
var basic = strings.NewReplacer(`\\`, `\\`, `\|`, "|", `\<`, `\b`, `\>`, `\b`)

// withFlags returns an expression with the effect of options of grep.
func withFlags(expression, flags string) string {
	if strings.Contains(flags, "F") {
		expression = regexp.QuoteMeta(expression)
	} else {
		expression = basic.Replace(expression)
	}
	switch {
	case strings.Contains(flags, "x"):
		expression = "^(?:" + expression + ")$"
	case strings.Contains(flags, "w"):
		expression = `\b(?:` + expression + `)\b`
	}
	if strings.Contains(flags, "i") {
		expression = "(?i)" + expression
	}
	return expression
}
