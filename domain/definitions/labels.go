package definitions

import (
	"slices"
	"strings"
	"unicode"
)

// fence is at the beginning and at the end of code in Markdown.
const fence = "```"

// maxLabels is the number of labels and blocks of code that are passed over in front of a summary.
const maxLabels = 4

// labels say what kind of tool a tool is, but not what it does. Many servers begin all their descriptions with the same
// one, with or without the name of what it is about, in a sentence of its own.
var (
	labels = []string{
		"read only", "readonly", "read", "write", "writes", "destructive", "non destructive", "mutating", "idempotent", "safe", "deprecated",
		"legacy", "obsolete", "beta", "alpha", "experimental", "preview", "internal", "stable", "premium", "paid", "free", "pro", "new",
	}
	labelled = []string{
		"tool", "endpoint", "method", "function", "operation", "command", "call", "action", "api", "query", "request", "access",
	}
	beforeLabels = []string{"now", "currently", "still", "a", "an", "in"}
)

// sayingStart returns where the text of a description begins that says what a tool does: behind headings, and from first
// on behind labels and code. The label is what a summary has to keep of them, with a blank behind it, or "". A text that
// has nothing else begins behind its headings.
func sayingStart(text string) (first, start int, label string) {
	first = summaryStart(text)
	start = first
	otherwise := first // the best that there is if nothing says more
	for range maxLabels {
		rest := text[start:]
		end := sentenceEnd(rest)
		sentence := line(rest[:end])
		following := strings.TrimLeft(rest[end:], " \t\n")
		switch {
		case strings.HasPrefix(rest, fence):
			_, behind, isClosed := strings.Cut(rest[len(fence):], fence)
			if !isClosed {
				return first, otherwise, ""
			}
			following = strings.TrimLeft(behind, " \t\n`")
		case isLabel(sentence):
			if strings.Contains(strings.ToLower(sentence), "deprecated") {
				label = strings.Trim(sentence, "*_ ") + " "
			}
		case strings.HasSuffix(sentence, ":") && strings.HasPrefix(following, fence):
			if otherwise == first && !strings.HasPrefix(strings.ToLower(sentence), "example") {
				otherwise = start
			}
		default:
			return first, start, label
		}
		if strings.IndexFunc(following, unicode.IsLetter) < 0 {
			return first, otherwise, ""
		}
		start = len(text) - len(following)
		start += summaryStart(following)
	}
	return first, otherwise, ""
}

// isLabel reports whether a sentence says nothing but what kind of tool it is.
func isLabel(sentence string) bool {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if verb := max(slices.Index(words, "is"), slices.Index(words, "been")); verb > 0 && (words[0] == "this" || words[0] == "the") {
		subject := words[1:verb]
		if slices.Contains(subject, "has") {
			subject = subject[:slices.Index(subject, "has")]
		}
		if len(subject) > 2 || len(subject) > 0 && !slices.Contains(labelled, subject[len(subject)-1]) {
			return false
		}
		words = words[verb+1:]
		for len(words) > 0 && slices.Contains(beforeLabels, words[0]) {
			words = words[1:]
		}
	}
	if last := len(words) - 1; last > 0 && slices.Contains(labelled, words[last]) {
		words = words[:last]
	}
	return slices.Contains(labels, strings.Join(words, " "))
}
