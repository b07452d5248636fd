package selection

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain"
)

const (
	// longLine is the length in bytes above which a line is cut to the part around its match.
	longLine = 500
	// margin is the number of bytes of a long line that are shown on each side of its match.
	margin = 200
)

// withoutRE2 follows the message about syntax that other engines have.
const withoutRE2 = "; the engine is RE2, without lookahead, lookbehind and references to groups: match more, and choose among the lines"

// runExpression returns the matching lines of a text with their numbers and one line before and
// after each, cut to maxOutput bytes. An expression that matches no line is tried again as what it means in a shell.
//
// Decision: as written comes first, since "/usr/bin/" and "-i" are texts too.
func runExpression(expression, text string) answer {
	compiled, err := regexp.Compile(otherSyntax.Replace(expression))
	if err != nil {
		failure := &domain.SelectionError{Kind: domain.SelectionSyntax, Message: err.Error()}
		if other := otherEngines.FindString(expression); other != "" {
			failure.Message = fmt.Sprintf("error parsing regexp: `%s` is not supported%s", other, withoutRE2)
		}
		return answer{Error: failure}
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if found := matchingLines(compiled, lines); found.Output != "" || found.More {
		return found
	}
	if inShell, err := regexp.Compile(shellExpression(expression)); err == nil {
		return matchingLines(inShell, lines)
	}
	return answer{}
}

// otherSyntax replaces the syntax of other engines by that of RE2: in a line, \Z is its end.
var otherSyntax = strings.NewReplacer(`\\`, `\\`, `\Z`, "$")

// otherEngines matches what RE2 refuses and other engines have.
var otherEngines = regexp.MustCompile(`\(\?(<?[=!]|>|P[=>]|\(|#)|\\[1-9kK]|[*+?}]\+`)

var (
	slashes = regexp.MustCompile(`^/(.+)/([gimsu]*)$`)
	called  = regexp.MustCompile(`^(?:[ef]?grep|rg|ack|ag)\s+(.+)$`)
	options = regexp.MustCompile(`^-([a-zA-Z]+)\s+(?:-e\s+)?(.+)$`)
)

// shellExpression returns what an expression means where shells and scripts write it: "/x/i" and "-i x" as "(?i)x", also behind
// "grep", quotes around it, and "a\|b" and "\<a\>" of a basic expression as "a|b" and "\ba\b". It returns other expressions
// unchanged.
func shellExpression(expression string) string {
	flags := ""
	if in := called.FindStringSubmatch(expression); in != nil {
		expression = strings.Trim(in[1], `'"`)
	}
	if in := slashes.FindStringSubmatch(expression); in != nil {
		expression, flags = in[1], in[2]
	} else if in := options.FindStringSubmatch(expression); in != nil {
		expression, flags = strings.Trim(in[2], `'"`), in[1]
	}
	expression = basic.Replace(expression)
	if strings.Contains(flags, "i") {
		return "(?i)" + expression
	}
	return expression
}

// basic makes the common syntax of what basic expressions have behind a backslash.
var basic = strings.NewReplacer(`\\`, `\\`, `\|`, "|", `\<`, `\b`, `\>`, `\b`)

func matchingLines(compiled *regexp.Regexp, lines []string) answer {
	var output strings.Builder
	last := -1 // the last line that is shown
	show := func(i int, mark string, from, to int) bool {
		line := strconv.Itoa(i+1) + mark + excerpt(strings.TrimSuffix(lines[i], "\r"), from, to) + "\n"
		if last >= 0 && i > last+1 {
			line = "--\n" + line
		}
		if output.Len()+len(line) > maxOutput {
			return false
		}
		output.WriteString(line)
		last = i
		return true
	}
	after := -1 // the line after the last match
	for i, line := range lines {
		found := compiled.FindStringIndex(line)
		switch {
		case found != nil:
			if i > 0 && last < i-1 && !show(i-1, "-", 0, 0) || !show(i, ":", found[0], found[1]) {
				return answer{Output: output.String(), More: true}
			}
			after = i + 1
		case i == after:
			if !show(i, "-", 0, 0) {
				return answer{Output: output.String(), More: true}
			}
		}
	}
	return answer{Output: output.String()}
}

// excerpt returns a line. It cuts a long one to the part around a match.
func excerpt(line string, from, to int) string {
	if len(line) <= longLine {
		return line
	}
	begin, end := max(0, from-margin), min(len(line), min(to, from+margin)+margin)
	for begin > 0 && !utf8.RuneStart(line[begin]) {
		begin--
	}
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end++
	}
	shown := line[begin:end]
	if begin > 0 {
		shown = fmt.Sprintf("… (from character %d) ", utf8.RuneCountInString(line[:begin])) + shown
	}
	if end < len(line) {
		shown += " …"
	}
	return shown
}
