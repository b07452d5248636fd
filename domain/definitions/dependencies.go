package definitions

import (
	"slices"
	"strings"
	"unicode"
)

// dependencies finds sentences about dependencies between the parameters of a tool, such as "needs one of a and b".
// Signatures cannot show them.
type dependencies struct {
	names map[string]bool // of the parameters
}

func newDependencies(list []parameter) dependencies {
	names := make(map[string]bool, len(list))
	for _, p := range list {
		names[p.name] = true
	}
	return dependencies{names: names}
}

var (
	// certainWords are in sentences about a dependency, whatever else the sentence says.
	certainWords = []string{
		" at least one of ", " exactly one of ", " mutually exclusive ", " not both ", " either this or ", " deprecated ",
		" cannot be combined ", " not be combined ", " cannot be used with ", " cannot be used together ", " not be used with ",
	}
	// likelyWords are in such sentences if these also name another parameter.
	likelyWords = []string{
		" required ", " requires ", " either ", " instead ", " only ", " must ", " ignored ", " cannot ", " unless ", " one of ",
	}
	// optionalWords say in the description of an optional parameter when it is required, or has an effect.
	optionalWords = []string{
		" required ", " only if ", " only when ", " only for ", " only with ", " only valid ", " only used ", " only applies ", " ignored ",
	}
)

// areIn reports whether a text states a dependency. The text describes the parameter named about, or the tool if
// about is "".
func (d dependencies) areIn(text, about string) bool {
	for sentence := range strings.FieldsFuncSeq(strings.ReplaceAll(text, ". ", "\n"), func(r rune) bool { return r == '\n' }) {
		words := strings.ReplaceAll(plainWords(sentence), " instead of ", " ")
		if containsAny(words, certainWords) || containsAny(words, likelyWords) && d.namesAnother(sentence, about) {
			return true
		}
	}
	return false
}

// areInOptional is areIn for an optional parameter: the text may also say when the parameter is required, or has an
// effect.
func (d dependencies) areInOptional(text, about string) bool {
	words := strings.ReplaceAll(plainWords(text), " not required ", " ")
	return containsAny(words, optionalWords) || d.areIn(text, about)
}

// namesAnother reports whether a sentence names a parameter other than about. A word is a name, and not an English
// word with the same letters, if it is spelt like an identifier, is quoted, or follows a word such as "if".
func (d dependencies) namesAnother(sentence, about string) bool {
	before := ""
	for word := range strings.FieldsFuncSeq(sentence, isBetweenWords) {
		if d.names[word] && word != about && (isIdentifier(word) || isQuoted(sentence, word) || precedesName(before)) {
			return true
		}
		before = word
	}
	return false
}

// isIdentifier reports whether a word has a capital, a digit or a sign after its first letter.
func isIdentifier(word string) bool {
	return strings.ContainsFunc(word[1:], func(r rune) bool { return !unicode.IsLower(r) })
}

// precedesName reports whether the name of a parameter usually follows a word.
func precedesName(word string) bool {
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
	text = strings.ToLower(strings.ReplaceAll(text, "can't", "cannot"))
	return " " + joined(strings.FieldsFuncSeq(text, isBetweenWords), len(text)) + " "
}

func containsAny(words string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(words, phrase) })
}
