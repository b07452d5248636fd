package domain

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxNearest is the largest number of names that are suggested together.
	maxNearest = 3
	// A misspelling has at most maxMistakes mistakes, and at most one in lettersPerMistake letters.
	maxMistakes       = 3
	lettersPerMistake = 3
	// maxSuggested is the number of existing names that Suggest lists.
	maxSuggested = 20
)

// Suggest returns the end of a message about a name that does not exist: the name that was
// probably meant, or those that exist.
func Suggest(name string, existing []string) string {
	if near, found := Nearest(name, existing); found {
		return "; " + DidYouMean(near)
	}
	if len(existing) == 0 {
		return "; there is none"
	}
	if longer := beginningWith(name, existing); len(longer) > 0 {
		return "; " + DidYouMean(longer...)
	}
	verb := "are"
	if len(existing) == 1 {
		verb = "is"
	}
	return fmt.Sprintf("; there %s %s", verb, FirstNames(existing, maxSuggested, ListedName[string]))
}

// beginningWith returns up to three names that begin with a word of a few letters, or with which the word begins: "gemini" for
// "gemini-cli".
func beginningWith(word string, names []string) []string {
	const minLetters = 3
	var longer []string
	for _, name := range names {
		isLonger := len(word) >= minLetters && strings.HasPrefix(name, word)
		isShorter := len(name) >= minLetters && strings.HasPrefix(word, name+"-")
		if (isLonger || isShorter) && len(longer) < maxNearest {
			longer = append(longer, name)
		}
	}
	return longer
}

// DidYouMean asks whether one of the names was meant: "did you mean 'a' or 'b'?"
func DidYouMean(names ...string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = QuotedName(name)
	}
	return "did you mean " + strings.Join(quoted, " or ") + "?"
}

// Nearest returns the candidate that name is most likely a misspelling of, and reports
// whether there is one.
func Nearest(name string, candidates []string) (string, bool) {
	nearest := AllNearest(name, candidates)
	if len(nearest) == 0 {
		return "", false
	}
	return nearest[0], true
}

// AllNearest returns up to three candidates that name is probably a misspelling of, the
// nearest first: at most a third of the letters differ, and at most three.
func AllNearest(name string, candidates []string) []string {
	const noStar = -1
	spellings := make([]spelling, len(candidates))
	for i, candidate := range candidates {
		spellings[i] = spelling{written: candidate, meant: candidate}
	}
	return nearest(name, noStar, spellings)
}

// spelling is one way to write a name.
type spelling struct{ written, meant string }

// nearest returns the names whose spellings are nearest to name. A star in name matches any
// letters.
func nearest(name string, star rune, spellings []spelling) []string {
	letters, ok := comparedLetters(name)
	if !ok {
		return nil
	}
	var byMistakes [maxMistakes + 1][]string
	literal := slices.DeleteFunc(slices.Clone(letters), func(r rune) bool { return r == star })
	hasStar := len(literal) < len(letters)
	for _, s := range spellings {
		written, ok := comparedLetters(s.written)
		if !ok || !hasStar && max(len(written)-len(letters), len(letters)-len(written)) > maxMistakes {
			continue
		}
		length := len(literal)
		if !hasStar {
			length = max(length, len(written))
		}
		if count := mistakes(letters, written, star); count <= min(maxMistakes, length/lettersPerMistake) {
			byMistakes[count] = append(byMistakes[count], s.meant)
		}
	}
	var names []string
	for _, meant := range slices.Concat(byMistakes[:]...) {
		if len(names) < maxNearest && !slices.Contains(names, meant) {
			names = append(names, meant)
		}
	}
	return names
}

// maxCompared is the number of letters above which a name is not compared with others, since callers and servers
// decide about its length, and a comparison takes time of the product of two lengths.
const maxCompared = 128

// comparedLetters returns the letters of a name, and reports false for a name that is too long to be compared.
func comparedLetters(name string) ([]rune, bool) {
	if len(name) > maxCompared*utf8.UTFMax || utf8.RuneCountInString(name) > maxCompared {
		return nil, false
	}
	return []rune(name), true
}

// mistakes counts the mistakes in a spelling of name: a letter too many, missing or wrong, or
// two swapped (Damerau and Levenshtein, optimal string alignment). A star matches any letters.
func mistakes(spelling, name []rune, star rune) int {
	var rows [3][maxCompared + 1]int // the last row, the one before, and the next one
	row, before, swapped := &rows[0], &rows[1], &rows[2]
	for j := range len(name) + 1 {
		row[j] = j
	}
	for i, s := range spelling {
		row, before, swapped = swapped, row, before
		if row[0] = before[0]; s != star {
			row[0]++
		}
		for j, n := range name {
			if s == star {
				row[j+1] = min(before[j+1], row[j])
				continue
			}
			wrong := before[j]
			if s != n {
				wrong++
			}
			row[j+1] = min(wrong, before[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s == name[j-1] && spelling[i-1] == n {
				row[j+1] = min(row[j+1], swapped[j-1]+1)
			}
		}
	}
	return row[len(name)]
}
