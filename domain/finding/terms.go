package finding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alternative is a stem that stands for a word of a query, and how much of its weight counts.
type alternative struct {
	stem   uint32
	factor float32
}

// term is what a word of a query is looked for as. A tool counts for its best alternative.
type term struct {
	alternatives []alternative
	factor       float64
}

// Absent is a word of a query that no tool has.
type Absent struct {
	Word string
	// Near are the words that were looked for in its place.
	Near []string
}

// terms returns what the words of a query are looked for as, and the words that no tool has. A word that has a synonym
// is not absent.
//
// Decision: numbers, single letters and characters of scripts without spaces are not named as absent. They say nothing
// about what a tool does.
func (i *Index) terms(words []string) (terms []term, absent []Absent) {
	joined := false // with the word before
	for at, word := range words {
		if joined {
			joined = false
			continue
		}
		if known := i.known(word); known != nil {
			terms = append(terms, term{known, 1})
			continue
		}
		first, _ := utf8.DecodeRuneInString(word)
		if utf8.RuneCountInString(word) < 2 || isDense(first) || strings.IndexFunc(word, unicode.IsLetter) < 0 {
			continue
		}
		var near []string
		if len(absent) < maxRespelled {
			var found []term
			found, near, joined = i.respelled(words, at)
			terms = append(terms, found...)
		}
		absent = append(absent, Absent{word, near})
	}
	return terms, absent
}

// known returns the stem of a word and those of its synonyms, as far as a tool has them.
func (i *Index) known(word string) (known []alternative) {
	stem := stem(word)
	if number, has := i.find(stem); has {
		known = append(known, alternative{number, 1})
	}
	for _, synonym := range synonyms()[stem] {
		if number, has := i.find(synonym); has {
			known = append(known, alternative{number, synonymWeight})
		}
	}
	return known
}

// respelled returns what an unknown word is looked for as instead: joined with one of its neighbours, with one error, as
// two words, as the beginning of words, with two errors. The first that any tool has counts. joined says that
// the next word is part of it.
func (i *Index) respelled(words []string, at int) (terms []term, near []string, joined bool) {
	word := words[at]
	if at+1 < len(words) {
		if number, has := i.find(stem(word + words[at+1])); has {
			return []term{{[]alternative{{number, 1}}, respelledCount}}, []string{word + words[at+1]}, true
		}
	}
	if at > 0 {
		if number, has := i.find(stem(words[at-1] + word)); has {
			return []term{{[]alternative{{number, 1}}, respelledCount}}, []string{words[at-1] + word}, false
		}
	}
	letters := utf8.RuneCountInString(word)
	if letters < minSpelled {
		return nil, nil, false
	}
	if forms := i.near(word, 1); forms != nil {
		return i.asForms(forms)
	}
	if first, second := i.parts(word); first != "" {
		for _, part := range []string{first, second} {
			terms = append(terms, term{i.known(part), respelledCount})
		}
		return terms, []string{first + " " + second}, false
	}
	if forms := i.beginning(word); forms != nil {
		return i.asForms(forms)
	}
	if letters < minTwoErrors {
		return nil, nil, false
	}
	return i.asForms(i.near(word, 2))
}

// asForms returns a term that is any of these words.
func (i *Index) asForms(forms []int) (terms []term, near []string, joined bool) {
	if forms == nil {
		return nil, nil, false
	}
	found := term{factor: respelledCount}
	for _, form := range forms {
		near = append(near, i.forms[form])
		if one := (alternative{i.stemOf[form], 1}); !slices.Contains(found.alternatives, one) {
			found.alternatives = append(found.alternatives, one)
		}
	}
	return []term{found}, near, false
}
