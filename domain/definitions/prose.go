package definitions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mcp-workbench/domain"
)

// maxSentence is the number of characters of a sentence that are shown.
const maxSentence = 200

// clean removes from text what must not be shown (CONTRACT.md section 4), and all other
// control characters.
func clean(text string) string {
	text = domain.ShownText(text)
	control := func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }
	if strings.IndexFunc(text, control) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if control(r) {
			return -1
		}
		return r
	}, text)
}

// line returns text as one line with single spaces.
func line(text string) string { return joined(strings.FieldsSeq(text), len(text)) }

// joined returns words with a space between them, without a list of all of them, which would have several times the
// size of a long text.
func joined(words func(yield func(string) bool), size int) string {
	var text strings.Builder
	text.Grow(size)
	for word := range words {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(word)
	}
	return text.String()
}

// firstSentence splits a description after the first sentence that says something: headings before it, and the sign
// of the list that it may begin, are part of the rest. Labels and code before it are left out, except that a tool is
// deprecated, which stays in front. Both parts are clean, and the sentence is one line.
func firstSentence(description string) (sentence, rest string) {
	text := strings.TrimSpace(clean(description))
	first, start, label := sayingStart(text)
	end := start + sentenceEnd(text[start:])
	sentence, rest = line(label+text[start:end]), text[end:]
	if item, isItem := listItem(rest); isItem && strings.HasSuffix(sentence, ":") {
		end := sentenceEnd(item)
		sentence, rest = sentence+" "+line(item[:end]), item[end:]
		if _, hasMore := listItem(rest); hasMore {
			sentence += " …"
		}
	}
	rest = strings.TrimSpace(text[:first] + rest)
	if short := shorten(sentence, maxSentence); short != sentence {
		if left := strings.TrimPrefix(sentence, strings.TrimSuffix(short, "…")); rest != "" {
			rest = left + " " + rest
		} else {
			rest = left // a description can be long, so that it is not copied without need
		}
		return short, rest
	}
	return sentence, rest
}

// sentenceEnd returns the end of the first sentence: after a full stop, question or exclamation
// mark, before an empty line, before a list, before a heading, or before code.
func sentenceEnd(text string) int {
	for i, r := range text {
		switch r {
		case '.', '!', '?':
			behind := text[i+1:]
			if behind == "" || (behind[0] == ' ' || behind[0] == '\n' || behind[0] == '\t') && !abbreviated(text[:i], behind) {
				return i + 1
			}
		case '。':
			return i + len("。")
		case '\n':
			next := strings.TrimLeft(text[i+1:], " \t")
			if next == "" || strings.ContainsRune("\n-*#•<", firstRune(next)) || strings.HasPrefix(next, fence) || unicode.IsDigit(firstRune(next)) || isHeading(firstLine(next)) {
				return i
			}
		}
	}
	return len(text)
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// abbreviated reports whether a full stop does not end a sentence: it follows an abbreviation,
// or the text continues in lower case.
func abbreviated(before, behind string) bool {
	word := strings.ToLower(before[strings.LastIndexAny(before, " \n\t(")+1:])
	switch word {
	case "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "approx", "max", "min", "no":
		next := firstRune(strings.TrimLeft(behind, " \n\t"))
		return word != "etc" && word != "no" || unicode.IsLower(next)
	}
	return unicode.IsLower(firstRune(strings.TrimLeft(behind, " \n\t")))
}

// shorten cuts text to at most length characters, if possible at the end of a word, and marks
// the cut with an ellipsis.
func shorten(text string, length int) string {
	if len(text) <= length || utf8.RuneCountInString(text) <= length {
		return text
	}
	if length < 2 {
		return ""
	}
	cut := ""
	for i := range text {
		if length--; length == 0 {
			cut = text[:i]
			break
		}
	}
	if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 {
		cut = cut[:space]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

// isRule reports whether a word marks a sentence about a parameter as a rule for callers.
func isRule(word string) bool {
	switch word {
	case "cannot", "unless", "exactly", "json", "format", "formatted", "iso", "rfc", "yyyy", "utc", "base64", "comma", "separated",
		"absolute", "regex", "syntax":
		return true
	}
	return isUrgent(word)
}

// isUrgent reports whether a word does so anywhere in a description.
func isUrgent(word string) bool {
	switch word {
	case "must", "never", "only", "before":
		return true
	}
	return false
}

// holds reports whether text contains a wanted word.
func holds(text string, isWanted func(word string) bool) bool {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(text, between) {
		if len(word) <= len("formatted") && isWanted(strings.ToLower(word)) {
			return true
		}
	}
	return false
}
