package selection

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
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

// runExpression returns the matching lines of a text with their numbers and one line before and
// after each, cut to maxOutput bytes. An expression that matches no line is tried again as what it means in a shell,
// and then as the text that it is.
//
// Decision: as written comes first, since "/usr/bin/" and "-i" are texts too.
func runExpression(expression, text string) answer {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	search := func(expression string, isInverted bool) (found answer, isFound bool, err error) {
		compiled, err := regexp.Compile(otherSyntax.Replace(expression))
		if err != nil {
			return answer{}, false, err
		}
		found = matchingLines(compiled, lines, isInverted)
		return found, found.Output != "" || found.More, nil
	}
	found, isFound, wrong := search(expression, false)
	if isFound {
		return found
	}
	meant := inShell(expression)
	for _, meaning := range meant.expressions {
		if found, isFound, _ := search(meaning, meant.isInverted); isFound {
			return found
		}
	}
	if found, isFound, _ := search(regexp.QuoteMeta(expression), false); isFound {
		return found
	}
	if wrong != nil {
		return answer{Error: &domain.SelectionError{Kind: domain.SelectionSyntax, Message: explained(expression, wrong)}}
	}
	return answer{}
}

// withoutRE2 follows the message about syntax that other engines have.
const withoutRE2 = "; the engine is RE2, without lookahead, lookbehind and references to groups: match more, and choose among the lines"

// otherEngines is the syntax of other engines that RE2 refuses, with what to write instead.
var otherEngines = []struct {
	syntax  *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\(\?(?:<?[=!]|P[=>]|\(|#|\||[0-9R&])|\\[1-9kKGX]`), withoutRE2},
	{regexp.MustCompile(`\(\?>`), "; the engine is RE2: write (?: instead"},
	{regexp.MustCompile(`[*+?}]\+`), "; the engine is RE2: leave the second + out"},
}

// explained returns why an expression is refused, and what to write instead.
func explained(expression string, wrong error) string {
	for _, other := range otherEngines {
		if found := other.syntax.FindString(expression); found != "" {
			return fmt.Sprintf("error parsing regexp: `%s` is not supported%s", found, other.instead)
		}
	}
	text := wrong.Error()
	if failure, ok := errors.AsType[*syntax.Error](wrong); ok {
		switch failure.Code {
		case syntax.ErrMissingRepeatArgument:
			text += "; any text is .*, and the character itself is written behind a backslash"
		case syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrMissingBracket:
			text += "; a bracket of the text is written behind a backslash"
		default:
		}
	}
	return text
}

// otherSyntax replaces the syntax of other engines by that of RE2: in a line, \Z is its end.
var otherSyntax = strings.NewReplacer(`\\`, `\\`, `\Z`, "$", `\e`, `\x1b`, "[[:<:]]", `\b`, "[[:>:]]", `\b`)

// matchingLines returns the lines that match, or with isInverted those that do not.
func matchingLines(compiled *regexp.Regexp, lines []string, isInverted bool) answer {
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
		case isInverted && found == nil:
			found = []int{0, 0}
		case isInverted:
			found = nil
		}
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
