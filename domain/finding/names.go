package finding

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
)

// Bounds of the names in a query.
const (
	maxChunks     = 256 // of a query
	maxNameChunks = 8   // of a name that is written with blanks
)

// names finds tools by their whole names.
type names struct {
	seed    maphash.Seed
	hashed  []hashedName // sorted
	places  []string     // each once
	placeOf []uint32     // by tool
}

// hashedName is the hash of the letters and digits of the name of a tool.
type hashedName struct {
	hash    uint64
	tool    int32
	oneWord bool
}

func newNames(tools []Tool) names {
	n := names{seed: maphash.MakeSeed(), hashed: make([]hashedName, len(tools)), placeOf: make([]uint32, len(tools))}
	known := map[string]uint32{}
	for i, tool := range tools {
		words := 0
		eachWord(start(tool.Name, maxName), func(string) { words++ })
		n.hashed[i] = hashedName{n.hash(start(tool.Name, maxName)), int32(i), words < 2}
		place, isKnown := known[tool.Place]
		if !isKnown {
			place = uint32(len(n.places))
			known[tool.Place] = place
			n.places = append(n.places, tool.Place)
		}
		n.placeOf[i] = place
	}
	slices.SortFunc(n.hashed, func(a, b hashedName) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.tool, b.tool))
	})
	return n
}

// hash returns the hash of what is the same in all spellings of a name.
func (n *names) hash(name string) uint64 { return maphash.String(n.seed, lettersOf(name)) }

// lettersOf returns the letters and digits of a text in lower case.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// exactly returns the tools of a name.
func (n *names) exactly(name string) []hashedName {
	if lettersOf(name) == "" {
		return nil
	}
	hash := n.hash(name)
	at, _ := slices.BinarySearchFunc(n.hashed, hash, func(a hashedName, hash uint64) int { return cmp.Compare(a.hash, hash) })
	end := at
	for end < len(n.hashed) && n.hashed[end].hash == hash {
		end++
	}
	if at == end {
		return nil
	}
	return n.hashed[at:end]
}

// at returns those of the tools that are on a server or in a toolbox with a server, as its name is written.
func (n *names) at(place string, tools []hashedName) (those []hashedName) {
	wanted := lettersOf(place)
	for _, tool := range tools {
		place := n.places[n.placeOf[tool.tool]]
		if server := place[strings.LastIndexByte(place, ' ')+1:]; wanted == lettersOf(server) || wanted == lettersOf(place) {
			those = append(those, tool)
		}
	}
	return those
}

// namedTools are the tools of one name in a query.
type namedTools struct {
	tools []hashedName
	// text is the name as it is written.
	text string
	// atPlace says that the query names their server too.
	atPlace bool
}

// toolsNamed returns the tools that a query names, in its order, and those of one name by their scores.
//
// Decision: a name of one word is a name only with its server, if there is nothing but names, or if no other tool has the
// word: "find" and "search" are names of tools, and more often mere words.
func (i *Index) toolsNamed(q query, scores []float64) (tools []int) {
	chunks := q.chunks[:min(len(q.chunks), maxChunks)]
	var found []namedTools
	onlyNames := true
	for at := 0; at < len(chunks); {
		name, length := i.nameAt(chunks, at)
		if length == 0 {
			onlyNames = onlyNames && stopWords[strings.ToLower(chunks[at])]
			length = 1
		} else {
			found = append(found, name)
		}
		at += length
	}
	for _, name := range found {
		var same []int
		for _, tool := range name.tools {
			if !tool.oneWord || name.atPlace || onlyNames || i.isAlone(name.text) {
				same = append(same, int(tool.tool))
			}
		}
		slices.SortStableFunc(same, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		for _, tool := range same {
			if len(tools) < maxNamed && !slices.Contains(tools, tool) {
				tools = append(tools, tool)
			}
		}
	}
	return tools
}

// nameAt returns the tools that some of the chunks name, from one on, and how many chunks their name has, 0 if they name
// none.
func (n *names) nameAt(chunks []string, at int) (found namedTools, length int) {
	text := chunks[at]
	if slash := strings.LastIndexByte(text, '/'); slash >= 0 {
		if tools := n.exactly(text[slash+1:]); tools != nil {
			return n.narrowed(tools, text[slash+1:], text[:slash]), 1
		}
	}
	before := ""
	if at > 0 {
		before = chunks[at-1]
	}
	if tools := n.exactly(text); tools != nil && !tools[0].oneWord {
		return n.narrowed(tools, text, before), 1
	}
	for length := min(maxNameChunks, len(chunks)-at); length > 0; length-- {
		text := strings.Join(chunks[at:at+length], " ")
		if tools := n.exactly(text); tools != nil {
			return n.narrowed(tools, text, before), length
		}
	}
	return namedTools{}, 0
}

// narrowed returns the tools at a place, all of them if none is there.
func (n *names) narrowed(tools []hashedName, text, place string) namedTools {
	if those := n.at(place, tools); those != nil {
		return namedTools{those, text, true}
	}
	return namedTools{tools, text, false}
}

// isAlone reports whether no more than one tool has a word.
func (i *Index) isAlone(word string) bool {
	stem, known := i.find(stem(strings.ToLower(word)))
	return known && len(i.tools(stem)) == 1
}
