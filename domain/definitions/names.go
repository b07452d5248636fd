package definitions

// minSentence is the length of the shortest useful beginning of a sentence, in characters.
const minSentence = 12

// showNames shows names with as much of the first sentences as fits.
func showNames(servers []readServer, budget int) Shown {
	whole := showSentences(servers, maxSentence)
	if whole.Bytes <= budget {
		return whole
	}
	length := maxThatFits(minSentence, maxSentence, func(length int) bool {
		return showSentences(servers, length).Bytes <= budget
	})
	return showSentences(servers, length)
}

// showSentences shows names with sentences of at most length characters, none with 0.
func showSentences(servers []readServer, length int) Shown {
	return showTexts(Names, servers, func(tool *readTool) string {
		sentence := shorten(tool.sentence(), length)
		if sentence == "" {
			return tool.name
		}
		if text := tool.name + " — " + sentence; len(text) <= len(tool.definition.Raw) {
			return text
		}
		return tool.name
	})
}

// maxThatFits returns the greatest length between minimum and maximum that fits, 0 if none does.
func maxThatFits(minimum, maximum int, fits func(int) bool) int {
	if !fits(minimum) {
		return 0
	}
	for minimum < maximum {
		middle := (minimum + maximum + 1) / 2
		if fits(middle) {
			minimum = middle
		} else {
			maximum = middle - 1
		}
	}
	return minimum
}
