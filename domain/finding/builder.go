package finding

// occurrences counts a word in each field of a tool.
type occurrences struct {
	tool   int
	counts [fieldCount]float64
}

// builder counts words for an index.
type builder struct {
	counts  map[string][]occurrences
	lengths [][fieldCount]float64 // in words, by tool
}

// add counts the words of a field of a tool. Tools are added in their order. Stop words count only in short
// fields: a name may consist of nothing else.
func (b *builder) add(tool int, place field, text string) {
	eachWord(text, func(word string) {
		if stopWords[word] && (place == descriptionField || place == aboutField) {
			return
		}
		word = stem(word)
		list := b.counts[word]
		if len(list) == 0 || list[len(list)-1].tool != tool {
			list = append(list, occurrences{tool: tool})
		}
		list[len(list)-1].counts[place]++
		b.counts[word] = list
		b.lengths[tool][place]++
	})
}

// index returns the index of the words that were counted.
func (b *builder) index() *Index {
	average := b.averages()
	index := &Index{tools: len(b.lengths), words: make(map[string][]posting, len(b.counts))}
	for word, list := range b.counts {
		postings := make([]posting, len(list))
		for i, found := range list {
			weight := 0.0
			for field, count := range found.counts {
				if count > 0 {
					long := b.lengths[found.tool][field] / average[field]
					weight += weights[field] * count / (1 - byLength[field] + byLength[field]*long)
				}
			}
			postings[i] = posting{tool: int32(found.tool), weight: float32(weight)}
		}
		index.words[word] = postings
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
