package selection

import (
	"slices"
	"strings"
)

// builtins are functions of jq that gojq lacks.
//
// Decision: what prints or asks for the surroundings in jq has no effect here, since there is only the output.
const builtins = `
def ascii: [.] | implode;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def debug: .;
def debug(m): .;
def get_search_list: [];
def have_decnum: true;
def have_literal_numbers: true;
def input_line_number: 0;
def isvalid(f): try (f | true) catch false;
def keys_unsorted: keys;
def leaf_paths: paths(scalars);
def pow10: pow(10; .);
def recurse_down: recurse;
def stderr: .;
def toarray: if type == "array" then . else [.] end;
.`

// variables are variables of jq that gojq lacks, and values their values.
var (
	variables = []string{"$__loc__", "$ARGS"}
	values    = []any{
		map[string]any{"file": "<top-level>", "line": 1},
		map[string]any{"positional": []any{}, "named": map[string]any{}},
	}
)

// formatOptions are the options of jq that decide only how its output looks: the long ones, and the letters of the short ones.
var (
	formatOptions = []string{
		"--raw-output", "--raw-output0", "--join-output", "--compact-output", "--color-output", "--monochrome-output", "--ascii-output",
		"--sort-keys", "--tab", "--unbuffered", "--exit-status",
	}
	formatLetters = "rjcCMaSe"
)

// unwrapped returns the program in a command line of jq, as people paste it: "jq -r '.a'", "'.a'", "-c .a". It reports
// false for other texts, and for options that change what the program means.
func unwrapped(text string) (program string, ok bool) {
	rest := strings.TrimSpace(text)
	if after, isCalled := strings.CutPrefix(rest, "jq "); isCalled {
		rest, ok = strings.TrimSpace(after), true
	}
	for strings.HasPrefix(rest, "-") {
		option, after, _ := strings.Cut(rest, " ")
		isShort := len(option) > 1 && strings.Trim(option[1:], formatLetters) == ""
		if !isShort && !slices.Contains(formatOptions, option) {
			return "", false
		}
		rest, ok = strings.TrimSpace(after), true
	}
	const single = `'\''` // is how shells write a single quote in single quotes
	switch {
	case len(rest) > 1 && rest[0] == '\'' && rest[len(rest)-1] == '\'':
		return strings.ReplaceAll(rest[1:len(rest)-1], single, "'"), true
	case ok && len(rest) > 1 && rest[0] == '"' && rest[len(rest)-1] == '"':
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\$`, "$", "\\`", "`").Replace(rest[1 : len(rest)-1]), true
	}
	return rest, ok
}

// isCommandLine reports whether a text that is no program looks like a command line of jq.
func isCommandLine(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "jq ") || strings.HasPrefix(text, "'") || strings.HasPrefix(text, "-")
}
