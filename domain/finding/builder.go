package finding

import (
	"maps"
	"slices"
)

// occurrences counts a word in each field of a tool.
type occurrences struct {
	tool   int
	counts [fieldCount]float64
}

// builder counts words for an index.
type builder struct {
	forms   map[string]int // the number of the stem of each word
	stems   map[string]int
	counts  [][]occurrences       // by stem
	stemsOf []int                 // the number of stems of each tool
	lengths [][fieldCount]float64 // in words, by tool
}

func newBuilder(tools int) *builder {
	return &builder{forms: map[string]int{}, stems: map[string]int{}, stemsOf: make([]int, tools), lengths: make([][fieldCount]float64, tools)}
}

// add counts the words of a field of a tool. Tools are added in their order. Stop words count only in short
// fields: a name may consist of nothing else. Words beyond maxWords, and those of a tool after maxStems others, do not count.
func (b *builder) add(tool int, place field, text string) {
	eachWord(text, func(word string) {
		if b.stemsOf[tool] == maxStems || stopWords[word] && (place == descriptionField || place == aboutField) {
			return
		}
		number, known := b.number(word)
		if !known {
			return
		}
		list := b.counts[number]
		if len(list) == 0 || list[len(list)-1].tool != tool {
			b.stemsOf[tool]++
			list = append(list, occurrences{tool: tool})
		}
		list[len(list)-1].counts[place]++
		b.counts[number] = list
		b.lengths[tool][place]++
	})
}

// number returns the number of the stem of a word, and false for one more than maxWords.
func (b *builder) number(word string) (number int, known bool) {
	if number, known = b.forms[word]; known || len(b.forms) == maxWords {
		return number, known
	}
	stem := stem(word)
	number, known = b.stems[stem]
	if !known {
		number = len(b.counts)
		b.stems[stem] = number
		b.counts = append(b.counts, nil)
	}
	b.forms[word] = number
	return number, true
}

// index returns the index of the words that were counted.
func (b *builder) index(tools []Tool) *Index {
	total := 0
	for _, list := range b.counts {
		total += len(list)
	}
	stems := slices.Sorted(maps.Keys(b.stems))
	index := &Index{
		vocabulary: newVocabulary(stems, b), names: newNames(tools),
		postings: make([]posting, 0, total), ends: make([]uint32, len(stems)), deprecated: make([]bool, len(tools)),
	}
	for i, tool := range tools {
		index.deprecated[i] = tool.Deprecated
	}
	average := b.averages()
	for i, stem := range stems {
		for _, found := range b.counts[b.stems[stem]] {
			weight := 0.0
			for field, count := range found.counts {
				if count > 0 {
					long := b.lengths[found.tool][field] / average[field]
					weight += weights[field] * count / (1 - byLength[field] + byLength[field]*long)
				}
			}
			index.postings = append(index.postings, posting{tool: int32(found.tool), weight: float32(weight)})
		}
		index.ends[i] = uint32(len(index.postings))
	}
	return index
}

// averages returns the average length of each field.
func (b *builder) averages() (average [fieldCount]float64) {
	for _, lengths := range b.lengths {
		for field, length := range lengths {
			average[field] += length / float64(len(b.lengths))
		}
	}
	return average
}
