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
	// Place has the names of the toolbox and, as its last word, of the server; About is the description of the toolbox.
	Place, About string
	// Deprecated says that the definition calls the tool deprecated.
	Deprecated bool
}

// Bounds of what is read of a tool and of a query. What is beyond them is ignored.
const (
	maxName        = 200 // bytes
	maxDescription = 600 // bytes
	maxParameters  = 50
	maxStems       = 128     // of a tool
	maxWords       = 1 << 18 // of all tools
	maxQueryWords  = 64
	maxQuery       = 16 << 10 // bytes
	maxNamed       = 20       // tools that a query names
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
	vocabulary
	names
	postings   []posting // by stem, and in the order of the tools
	ends       []uint32  // of the postings of each stem
	deprecated []bool    // by tool
}

// Match is a tool that was found: its position among those that were indexed, and how well it matches.
type Match struct {
	Tool  int
	Score float64
}

// Found holds the results of a search.
type Found struct {
	// Matches are the best first: tools that the query names, then others, those of them that are deprecated last.
	Matches []Match
	// Rest are the matches beyond the limit.
	Rest []Match
	// Absent are the words that no tool has, in the order of the query.
	Absent []Absent
	// Cut says that only the beginning of the query was read.
	Cut bool
}

// NewIndex returns the index of the tools, in time linear in their text.
func NewIndex(tools []Tool) *Index {
	b := newBuilder(len(tools))
	for i, tool := range tools {
		b.add(i, nameField, start(tool.Name, maxName))
		b.add(i, titleField, start(tool.Title, maxName))
		b.add(i, placeField, start(tool.Place, 2*maxName))
		b.add(i, descriptionField, start(tool.Description, maxDescription))
		b.add(i, aboutField, start(tool.About, maxDescription))
		for _, parameter := range tool.Parameters[:min(len(tool.Parameters), maxParameters)] {
			b.add(i, parametersField, start(parameter, maxName))
		}
	}
	return b.index(tools)
}

// start returns the first bytes of a text.
func start(text string, most int) string { return text[:min(len(text), most)] }

// Search returns the tools that a query names, no more than maxNamed, and those that match it, no more than limit in
// all unless more are named. Tools that match equally keep their order. A query without any word of a tool finds nothing.
func (i *Index) Search(query string, limit int) Found {
	asked := readQuery(query)
	scores, weights := make([]float64, len(i.deprecated)), make([]float32, len(i.deprecated))
	terms, absent := i.terms(asked.words)
	for _, term := range terms {
		i.score(term, scores, weights)
	}
	named := i.toolsNamed(asked, scores)
	var matches []Match
	for tool, score := range scores {
		if score > 0 && !slices.Contains(named, tool) {
			matches = append(matches, Match{Tool: tool, Score: score})
		}
	}
	first := make([]Match, len(named))
	for at, tool := range named {
		first[at] = Match{Tool: tool, Score: scores[tool]}
	}
	best, rest := i.best(matches, max(0, limit-len(named)))
	return Found{Matches: append(first, best...), Rest: rest, Absent: absent, Cut: asked.cut}
}

// best returns the best of the matches, the best first, and the others in any order.
func (i *Index) best(matches []Match, limit int) (best, rest []Match) {
	byRank := func(a, b Match) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Tool, b.Tool)) }
	limit = min(limit, len(matches))
	best, rest = matches[:limit], matches[limit:]
	slices.SortFunc(best, byRank)
	for at, match := range rest {
		if limit > 0 && byRank(match, best[limit-1]) < 0 {
			place, _ := slices.BinarySearchFunc(best, match, byRank)
			rest[at] = best[limit-1]
			copy(best[place+1:], best[place:limit-1])
			best[place] = match
		}
	}
	slices.SortStableFunc(best, func(a, b Match) int { return cmp.Compare(i.last(a), i.last(b)) })
	return best, rest
}

// last returns 1 for a deprecated tool, which comes after the others, and 0 for others.
//
// Decision: a deprecated tool keeps its place among those that are found, and only their order changes. Behind every tool
// that has some word of a query it would never be found, even where it is the only one for a task.
func (i *Index) last(match Match) int {
	if i.deprecated[match.Tool] {
		return 1
	}
	return 0
}

// score adds what a term counts in each tool. The weights are zero before and after.
func (i *Index) score(t term, scores []float64, weights []float32) {
	var found []int32
	own := 0
	for _, alternative := range t.alternatives {
		list := i.tools(alternative.stem)
		if alternative.factor == 1 {
			own = len(list)
		}
		for _, p := range list {
			if weights[p.tool] == 0 {
				found = append(found, p.tool)
			}
			weights[p.tool] = max(weights[p.tool], alternative.factor*p.weight)
		}
	}
	if own == 0 {
		own = len(found)
	}
	rarity := t.factor * math.Log(1+(float64(len(scores)-own)+0.5)/(float64(own)+0.5))
	for _, tool := range found {
		weight := float64(weights[tool])
		scores[tool] += rarity * weight * (saturation + 1) / (saturation + weight)
		weights[tool] = 0
	}
}

// tools returns the tools that have a stem.
func (i *Index) tools(stem uint32) []posting {
	begin := uint32(0)
	if stem > 0 {
		begin = i.ends[stem-1]
	}
	return i.postings[begin:i.ends[stem]]
}
