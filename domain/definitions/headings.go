package definitions

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// maxHeading and maxMarkedHeading are the numbers of words of a heading: of a line with a colon at its end, and of
	// a line that is marked as a heading.
	maxHeading       = 3
	maxMarkedHeading = 8
)

// summaryStart returns where the text of a description begins that says what a tool does: behind the heading that
// it begins with, or behind a later one that announces the purpose. A heading that another one follows at once is
// the only summary that there is.
func summaryStart(text string) int {
	if !isHeading(firstLine(text)) {
		return 0
	}
	start := 0
	for at, l := range eachLine(text) {
		if isHeading(l) && (at == 0 || announcesPurpose(l)) {
			start = at + len(l)
			if announcesPurpose(l) {
				break
			}
		}
	}
	body := strings.TrimLeft(text[start:], " \t\n")
	if body == "" || isHeading(firstLine(body)) {
		return 0
	}
	if item, isItem := listItem(body); isItem {
		body = item
	}
	return len(text) - len(body)
}

// isHeading reports whether a line is a heading: a few words before a colon, or in the markup of headings, or a
// picture and a word. Words that lead to a list, such as "Use this to:", are no heading.
func isHeading(l string) bool {
	l = strings.TrimSpace(l)
	bare := strings.TrimFunc(l, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".!?", r)
	})
	words, last := 0, ""
	for word := range strings.FieldsSeq(bare) {
		if words, last = words+1, word; words > max(maxHeading, maxMarkedHeading) {
			return false
		}
	}
	tag := strings.HasPrefix(l, "<") && strings.HasSuffix(l, ">")
	if words == 0 || unicode.IsLower(firstRune(bare)) && !tag || strings.ContainsAny(bare, ".!?。") {
		return false
	}
	ended := strings.TrimRight(l, "*_# ")
	switch {
	case strings.HasSuffix(ended, ":"), strings.HasSuffix(ended, "："):
		return words <= maxHeading && !leadsOn(last)
	case strings.HasPrefix(l, "#"), strings.HasPrefix(l, "**") && strings.HasSuffix(l, "**"), tag:
		return words <= maxMarkedHeading
	}
	return unicode.Is(unicode.So, firstRune(l)) && words == 1
}

// leadsOn reports whether a sentence goes on after a word, so that a colon behind it makes no heading.
func leadsOn(word string) bool {
	return slices.Contains([]string{"of", "to", "for", "with", "by", "from", "in", "on", "as", "and", "or", "the", "these", "either"}, strings.ToLower(word))
}

// announcesPurpose reports whether the text below a heading says what a tool does.
func announcesPurpose(heading string) bool {
	return isHeading(heading) && holds(heading, func(word string) bool {
		return slices.Contains([]string{"purpose", "description", "summary", "overview"}, word)
	})
}

// listItem returns the text behind the sign of a list at the beginning of a text, and whether there is one.
func listItem(text string) (item string, isItem bool) {
	text = strings.TrimLeft(text, " \t\n")
	number := strings.TrimLeft(text, "0123456789")
	signs := "-*•"
	if number != text {
		text, signs = number, ".)"
	}
	if text == "" || !strings.ContainsRune(signs, firstRune(text)) {
		return "", false
	}
	behind := text[len(string(firstRune(text))):]
	item = strings.TrimLeft(behind, " \t")
	return item, item != behind && item != "" && item[0] != '\n'
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	l, _, _ := strings.Cut(text, "\n")
	return l
}

// eachLine returns an iterator over the lines of a text, with the place where each begins.
func eachLine(text string) func(yield func(at int, l string) bool) {
	return func(yield func(int, string) bool) {
		at := 0
		for l := range strings.SplitSeq(text, "\n") {
			if !yield(at, l) {
				return
			}
			at += len(l) + 1
		}
	}
}
