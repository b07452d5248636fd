package finding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is the length in bytes after which the rest of a word is ignored.
const maxWord = 64

// eachWord calls a function for each word of a text, in lower case: a run of letters and digits, split
// where a capital letter begins a word, as in "readFile" and "HTTPServer". Scripts without spaces between
// words have no such runs, so each of their characters is a word, and each pair of neighbours.
func eachWord(text string, each func(word string)) {
	var word []byte
	var previous rune
	end := func() {
		if len(word) > 0 {
			each(string(word))
		}
		word = word[:0]
	}
	for i, r := range text {
		switch {
		case isDense(r):
			end()
			each(string(r))
			if isDense(previous) {
				each(string([]rune{previous, r}))
			}
		case unicode.IsMark(r): // belongs to the letter before it
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		default:
			if beginsWord(previous, r, text[i+utf8.RuneLen(r):]) {
				end()
			}
			if len(word) < maxWord {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
		}
		previous = r
	}
	end()
}

// beginsWord reports whether a letter begins a word although the character before it is no space: "F" in
// "readFile", and "S" in "HTTPServer", but not "L" in "URLs".
func beginsWord(previous, r rune, rest string) bool {
	switch {
	case !unicode.IsUpper(r):
		return false
	case unicode.IsLower(previous):
		return true
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsUpper(previous) && unicode.IsLower(next) && next != 's'
}

// isDense reports whether a character belongs to a script without spaces between words.
func isDense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// stopWords say nothing about a tool.
var stopWords = newWordSet(`a about after all also am an and any are as at be been but by can could do does for from
		had has have how i if in into is it its let may me my need not of on or our out please should so some such
		than that the their them then there these they this to us using via want was we were what when where which
		while who will with would you your`)

func newWordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// suffixes are endings of words and their replacements. An ending is replaced if at least that many bytes
// precede it. The first that applies counts.
var suffixes = []struct {
	end, replacement string
	least            int
}{
	{"ization", "iz", 3},
	{"ations", "at", 3},
	{"ation", "at", 3},
	{"ition", "it", 4},
	{"ction", "ct", 3},
	{"sion", "s", 4},
	{"ments", "", 4},
	{"ment", "", 4},
	{"ingly", "", 4},
	{"ing", "", 3},
	{"edly", "", 4},
	{"ied", "y", 3},
	{"ed", "", 3},
	{"ly", "", 4},
	{"ator", "at", 3},
	{"er", "", 4},
	{"or", "", 4},
	{"al", "", 5},
}

// stem cuts English endings, so that "list", "lists", "listed" and "listing" are one word. What is left need
// not be a word.
func stem(word string) string {
	if len(word) < 4 || word[len(word)-1] >= utf8.RuneSelf {
		return word
	}
	word = singular(word)
	for _, suffix := range suffixes {
		if rest, ok := strings.CutSuffix(word, suffix.end); ok && len(rest) >= suffix.least {
			word = rest + suffix.replacement
			break
		}
	}
	if n := len(word); n > 4 && word[n-1] == word[n-2] && !strings.ContainsRune("lsz", rune(word[n-1])) {
		word = word[:n-1] // "runn", "dropp"
	}
	if n := len(word); n > 3 && word[n-1] == 'e' {
		word = word[:n-1]
	}
	if n := len(word); n > 3 && word[n-1] == 'y' {
		word = word[:n-1] + "i"
	}
	return word
}

// singular cuts the ending of a plural.
func singular(word string) string {
	hasEnd := func(ends ...string) bool {
		return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(word, end) })
	}
	switch {
	case hasEnd("ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case hasEnd("sses", "xes", "ches", "shes"):
		return word[:len(word)-2]
	case hasEnd("s") && !hasEnd("ss", "us", "is"):
		return word[:len(word)-1]
	}
	return word
}
