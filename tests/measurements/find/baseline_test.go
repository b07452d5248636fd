package find_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"

	"mcp-workbench/domain/finding"
)

// plainBM25 ranks tools as a search engine does without any knowledge of tools: BM25 with k1 1.2 and b 0.75 over
// the stems (Snowball) of all words of a tool and of its server's name.
func plainBM25(tools []finding.Tool) ranking {
	counts, lengths, total := map[string]map[int]float64{}, make([]float64, len(tools)), 0.0
	for i, tool := range tools {
		words := plainWords(strings.Join([]string{tool.Name, tool.Title, tool.Description, strings.Join(tool.Parameters, " "), tool.Place}, " "))
		for _, word := range words {
			if counts[word] == nil {
				counts[word] = map[int]float64{}
			}
			counts[word][i]++
		}
		lengths[i] = float64(len(words))
		total += lengths[i]
	}
	average := total / float64(len(tools))
	return func(text string) []int {
		scores := map[int]float64{}
		for _, word := range plainWords(text) {
			with := float64(len(counts[word]))
			rarity := math.Log(1 + (float64(len(tools))-with+0.5)/(with+0.5))
			for tool, count := range counts[word] {
				scores[tool] += rarity * count * 2.2 / (count + 1.2*(0.25+0.75*lengths[tool]/average))
			}
		}
		var found []int
		for i := range tools {
			if scores[i] > 0 {
				found = append(found, i)
			}
		}
		slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		return found[:min(len(found), places[len(places)-1])]
	}
}

// plainWords returns the stems of the words of a text.
func plainWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		words[i] = english.Stem(word, true)
	}
	return words
}
