package finding

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// vocabulary has the words of all tools.
type vocabulary struct {
	stems   []string // sorted
	forms   []string // the words whose stems these are, sorted
	stemOf  []uint32 // by form
	letters []uint32 // by form: the set of its letters
}

func newVocabulary(stems []string, b *builder) vocabulary {
	at := make([]uint32, len(stems)) // by number
	for i, stem := range stems {
		at[b.stems[stem]] = uint32(i)
	}
	v := vocabulary{stems: stems, forms: make([]string, 0, len(b.forms))}
	for form := range b.forms {
		v.forms = append(v.forms, form)
	}
	slices.Sort(v.forms)
	v.stemOf, v.letters = make([]uint32, len(v.forms)), make([]uint32, len(v.forms))
	for i, form := range v.forms {
		v.stemOf[i], v.letters[i] = at[b.forms[form]], letterSet(form)
	}
	return v
}

// letterSet returns the set of the letters of a word. Letters and digits of other scripts share the last bits.
func letterSet(word string) (set uint32) {
	for _, r := range word {
		if r >= 'a' && r <= 'z' {
			set |= 1 << (r - 'a')
		} else {
			set |= 1 << (26 + uint32(r)%6)
		}
	}
	return set
}

// find returns the number of a stem.
func (v *vocabulary) find(stem string) (number uint32, known bool) {
	at, known := slices.BinarySearch(v.stems, stem)
	return uint32(at), known
}

// Bounds of the search for words that are spelled otherwise.
const (
	minSpelled     = 4  // letters of a word that is looked for with another spelling
	minTwoErrors   = 8  // letters of a word that may have two errors
	minPart        = 3  // letters of a part of a compound
	maxBeginning   = 16 // words that begin with a word
	maxRespelled   = 8  // words of a query that are looked for with other spellings
	respelledCount = 0.5
)

// near returns the words that a word may stand for: those with the fewest errors, one letter wrong, missing, added or
// swapped each, and no more errors than that.
func (v *vocabulary) near(word string, errors int) (found []int) {
	set, letters := letterSet(word), []rune(word)
	for i, form := range v.forms {
		if bits.OnesCount32(set^v.letters[i]) > 2*errors || isFar(len(form), len(word), errors*utf8.UTFMax) {
			continue
		}
		switch distance := distance(letters, []rune(form), errors); {
		case distance < errors:
			found, errors = []int{i}, distance
		case distance == errors:
			found = append(found, i)
		}
	}
	return found
}

func isFar(a, b, most int) bool { return a-b > most || b-a > most }

// distance returns how many letters of a word are wrong, missing, added or swapped in another one (Damerau's distance, as
// optimal string alignment), or more than most.
func distance(a, b []rune, most int) int {
	if isFar(len(a), len(b), most) {
		return most + 1
	}
	var rows [3][maxWord + 1]int
	before, last, next := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i, letter := range a {
		next[0] = i + 1
		least := next[0]
		for j, other := range b {
			wrong := 1
			if letter == other {
				wrong = 0
			}
			next[j+1] = min(last[j]+wrong, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && letter == b[j-1] && a[i-1] == other {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
			least = min(least, next[j+1])
		}
		if least > most {
			return most + 1
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}

// beginning returns the words that begin with a word.
func (v *vocabulary) beginning(word string) (found []int) {
	at, _ := slices.BinarySearch(v.forms, word)
	for ; at < len(v.forms) && strings.HasPrefix(v.forms[at], word) && len(found) < maxBeginning; at++ {
		found = append(found, at)
	}
	return found
}

// parts returns the two known words that a compound consists of, those whose shorter one is longest.
func (v *vocabulary) parts(word string) (first, second string) {
	best := minPart - 1
	for at := range word {
		shorter := min(at, len(word)-at)
		if shorter <= best || stopWords[word[:at]] || stopWords[word[at:]] {
			continue
		}
		_, isFirst := v.find(stem(word[:at]))
		_, isSecond := v.find(stem(word[at:]))
		if isFirst && isSecond {
			first, second, best = word[:at], word[at:], shorter
		}
	}
	return first, second
}
