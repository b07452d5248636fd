package definitions

import (
	"slices"
	"strings"
	"unicode"
)

// acrossParameters finds the sentences in the prose of a tool that tie its parameters to each other, which no
// signature shows.
type acrossParameters struct {
	names map[string]bool
}

func newAcrossParameters(list []parameter) acrossParameters {
	names := make(map[string]bool, len(list))
	for _, p := range list {
		names[p.name] = true
	}
	return acrossParameters{names: names}
}

// The words of such sentences. binding ones need nothing else. linking ones need the name of another parameter.
// conditional ones are a rule in the description of an optional parameter: when it is wanted, or counts.
var (
	binding = []string{
		" at least one of ", " exactly one of ", " mutually exclusive ", " not both ", " either this or ", " deprecated ",
		" cannot be combined ", " not be combined ", " cannot be used with ", " cannot be used together ", " not be used with ",
	}
	linking = []string{
		" required ", " requires ", " either ", " instead ", " only ", " must ", " ignored ", " cannot ", " unless ", " one of ",
	}
	conditional = []string{
		" required ", " only if ", " only when ", " only for ", " only with ", " only valid ", " only used ", " only applies ", " ignored ",
	}
)

// bind reports whether a text ties parameters to each other. It is the text about the parameter of a name, or about
// the tool if the name is "".
func (a acrossParameters) bind(text, about string) bool {
	for sentence := range strings.FieldsFuncSeq(strings.ReplaceAll(text, ". ", "\n"), func(r rune) bool { return r == '\n' }) {
		words := strings.ReplaceAll(plainWords(sentence), " instead of ", " ")
		if holdsAny(words, binding) || holdsAny(words, linking) && a.namesAnother(sentence, about) {
			return true
		}
	}
	return false
}

// bindOptional reports the same about an optional parameter, and whether its text says when it is required or counts.
func (a acrossParameters) bindOptional(text, about string) bool {
	words := strings.ReplaceAll(plainWords(text), " not required ", " ")
	return holdsAny(words, conditional) || a.bind(text, about)
}

// namesAnother reports whether a sentence has the name of a parameter other than the one that it is about: between
// quotation marks, or as a word that is none of English, or where a condition has one.
func (a acrossParameters) namesAnother(sentence, about string) bool {
	before := ""
	for word := range strings.FieldsFuncSeq(sentence, isBetweenWords) {
		if a.names[word] && word != about && (strings.ContainsFunc(word[1:], func(r rune) bool { return !unicode.IsLower(r) }) ||
			strings.ContainsAny(sentence, "`'\"") && isQuoted(sentence, word) || namesFollow(before)) {
			return true
		}
		before = word
	}
	return false
}

// namesFollow reports whether the name of a parameter, and hardly another noun, is the next word.
func namesFollow(word string) bool {
	return slices.Contains([]string{"if", "when", "with", "without", "unless", "either", "or", "requires"}, strings.ToLower(word))
}

func isQuoted(sentence, word string) bool {
	return strings.Contains(sentence, "`"+word+"`") || strings.Contains(sentence, `"`+word+`"`) || strings.Contains(sentence, "'"+word+"'")
}

func isBetweenWords(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
}

// plainWords returns the words of a text in lower case, a space before and after each.
func plainWords(text string) string {
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "can't", "cannot")), isBetweenWords), " ") + " "
}

func holdsAny(words string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(words, phrase) })
}
