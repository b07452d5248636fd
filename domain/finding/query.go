package finding

import (
	"slices"
	"strings"
	"unicode"
)

// query holds the words of a search.
type query struct {
	// words are in lower case, each once by its stem. Stop words are left out unless there are no others.
	words []string
	// chunks are the query as it is written, by blanks and punctuation.
	chunks []string
	// cut says that there is more.
	cut bool
}

// readQuery reads the beginning of a query.
func readQuery(text string) query {
	q := query{cut: len(text) > maxQuery}
	text = start(text, maxQuery)
	var stops, stems []string
	eachWord(text, func(word string) {
		stem := stem(word)
		switch {
		case slices.Contains(stems, stem):
		case len(stems) == maxQueryWords:
			q.cut = true
		default:
			stems = append(stems, stem)
			if stopWords[word] {
				stops = append(stops, word)
			} else {
				q.words = append(q.words, word)
			}
		}
	})
	if q.words == nil {
		q.words = stops
	}
	q.chunks = strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.N, unicode.M) && !strings.ContainsRune("_-/.", r)
	})
	return q
}
