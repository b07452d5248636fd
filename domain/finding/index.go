package finding

import (
	"cmp"
	"math"
	"slices"
)

// Tool describes a tool, or anything else that words can find.
type Tool struct {
	// Name, Title and Description are those of the definition, "" for none.
	Name, Title, Description string
	// Parameters are the names of the parameters.
	Parameters []string
	// Place has the names of the toolbox and of the server, About the description of the toolbox.
	Place, About string
}

// Bounds of what is read of a tool and of a query. What is beyond them is ignored.
const (
	maxName        = 200 // bytes
	maxDescription = 600 // bytes
	maxParameters  = 50
	maxQueryWords  = 64
	maxQuery       = 16 << 10 // bytes
)

// saturation is k1 of BM25: how soon further occurrences of a word stop counting.
const saturation = 1.5

// synonymWeight is how much of a word's weight a synonym has.
const synonymWeight = 0.2

// field is a part of a tool.
type field int

const (
	nameField field = iota
	titleField
	descriptionField
	parametersField
	placeField
	aboutField
	fieldCount
)

// weights are how much a word counts in each field, and byLength how much less it does in long ones (b of BM25).
var (
	weights  = [fieldCount]float64{nameField: 4, titleField: 1, descriptionField: 0.7, parametersField: 1, placeField: 3, aboutField: 1}
	byLength = [fieldCount]float64{nameField: 0.5, titleField: 0.5, descriptionField: 0.75, aboutField: 0.75}
)

// posting is how much a word counts in a tool.
type posting struct {
	tool   int32
	weight float32
}

// Index finds tools by their words. It never changes. It is safe for concurrent use.
type Index struct {
	tools int
	words map[string][]posting
}

// Match is a tool that was found: its position among those that were indexed, and how well it matches.
type Match struct {
	Tool  int
	Score float64
}

// NewIndex returns the index of the tools, in time linear in their text.
func NewIndex(tools []Tool) *Index {
	b := builder{counts: map[string][]occurrences{}, lengths: make([][fieldCount]float64, len(tools))}
	for i, tool := range tools {
		b.add(i, nameField, start(tool.Name, maxName))
		b.add(i, titleField, start(tool.Title, maxName))
		b.add(i, descriptionField, start(tool.Description, maxDescription))
		for _, parameter := range tool.Parameters[:min(len(tool.Parameters), maxParameters)] {
			b.add(i, parametersField, start(parameter, maxName))
		}
		b.add(i, placeField, start(tool.Place, 2*maxName))
		b.add(i, aboutField, start(tool.About, maxDescription))
	}
	return b.index()
}

// start returns the first bytes of a text.
func start(text string, most int) string { return text[:min(len(text), most)] }

// Search returns the tools that match a query, the best first and no more than limit. Tools that match
// equally keep their order. A query without any word of a tool finds nothing.
func (i *Index) Search(query string, limit int) []Match {
	scores := make([]float64, i.tools)
	weights := make([]float32, i.tools)
	for _, word := range queryWords(start(query, maxQuery)) {
		found := i.weigh(word, weights)
		own := len(i.words[word])
		if own == 0 {
			own = len(found)
		}
		rarity := math.Log(1 + (float64(i.tools-own)+0.5)/(float64(own)+0.5))
		for _, tool := range found {
			weight := float64(weights[tool])
			scores[tool] += rarity * weight * (saturation + 1) / (saturation + weight)
			weights[tool] = 0
		}
	}
	var matches []Match
	for tool, score := range scores {
		if score > 0 {
			matches = append(matches, Match{Tool: tool, Score: score})
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return matches[:min(limit, len(matches))]
}

// weigh sets how much a word or its best synonym counts in each tool, and returns the tools that contain
// either. The weights of other tools stay unchanged.
func (i *Index) weigh(word string, weights []float32) (found []int32) {
	count := func(word string, factor float32) {
		for _, p := range i.words[word] {
			if weights[p.tool] == 0 {
				found = append(found, p.tool)
			}
			weights[p.tool] = max(weights[p.tool], factor*p.weight)
		}
	}
	count(word, 1)
	for _, synonym := range synonyms()[word] {
		count(synonym, synonymWeight)
	}
	return found
}

// queryWords returns the stems of the words in a query, each once. Stop words are left out unless there are no
// others.
func queryWords(query string) []string {
	var words, stops []string
	add := func(list []string, word string) []string {
		if len(list) == maxQueryWords || slices.Contains(list, word) {
			return list
		}
		return append(list, word)
	}
	eachWord(query, func(word string) {
		if stopWords[word] {
			stops = add(stops, stem(word))
		} else {
			words = add(words, stem(word))
		}
	})
	if words == nil {
		return stops
	}
	return words
}
