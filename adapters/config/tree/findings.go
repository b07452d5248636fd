package tree

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/domain"
)

// Findings collects the problems and warnings of one configuration.
type Findings struct {
	File     string
	lines    lines
	Problems []Finding
	Warnings []Finding
}

// Finding is a problem whose line and column are not computed yet.
type Finding struct {
	Problem
	Place
}

// IsElsewhere reports whether the finding has no position.
func (f Finding) IsElsewhere() bool { return f.Offset == nowhere }

// Place is where in the file something is.
type Place struct {
	Offset int
	Path   *Path
}

// nowhere is the offset of a finding without a position.
const nowhere = -1

// WholeFile is the place of a finding about the file as a whole.
var WholeFile = Place{Offset: nowhere}

// Wrong reports a problem at a place.
func (f *Findings) Wrong(at Place, found, wanted string) {
	problem := Problem{File: f.File, KeyPath: at.Path.String(), Found: found, Wanted: wanted}
	f.Problems = append(f.Problems, Finding{problem, at})
}

// WrongKind reports a value of the wrong kind.
func (f *Findings) WrongKind(n Node, wanted string) { f.Wrong(n.Place(), n.kind(), wanted) }

// WrongValue reports a value that is not among those wanted. The message shows it.
func (f *Findings) WrongValue(n Node, wanted string) { f.Wrong(n.Place(), n.Shown(), wanted) }

// maxListedKeys is the largest number of keys that a message lists.
const maxListedKeys = 8

// Unknown reports a key that is not legal, and suggests the legal one that is meant, "" if that is not known.
func (f *Findings) Unknown(m Member, meant string, legal []string) {
	problem := Problem{File: f.File, KeyPath: m.Path.String(), Found: "an unknown key"}
	problem.Message = "unknown key " + domain.ReviewText(strconv.Quote(Shortened(m.Name)))
	if meant != "" {
		problem.Wanted = strconv.Quote(meant)
		problem.Message += "; " + domain.DidYouMean(meant)
	} else {
		if problem.Wanted = OneOf(legal); len(legal) > maxListedKeys {
			section := ""
			if m.Path.Parent == nil {
				section = " root"
			}
			problem.Wanted = "one of the keys that 'mcp-workbench help configuration" + section + "' describes"
		}
		problem.Message += "; want " + problem.Wanted
	}
	f.Problems = append(f.Problems, Finding{problem, m.Key()})
}

// WrongFile reports a problem with the file as a whole.
func (f *Findings) WrongFile(found, wanted string) { f.Wrong(WholeFile, found, wanted) }

// WrongSource reports a problem with the value that an environment variable or flag gives a setting of the root.
func (f *Findings) WrongSource(source, key, found, wanted string) {
	problem := Problem{Source: source, Found: found, Wanted: wanted}
	var root *Path
	f.Problems = append(f.Problems, Finding{problem, Place{nowhere, root.Member(key)}})
}

// Warn reports a warning about a place.
func (f *Findings) Warn(at Place, message string) {
	warning := Problem{File: f.File, KeyPath: at.Path.String(), Message: message}
	f.Warnings = append(f.Warnings, Finding{warning, at})
}

// WarnReviewed warns of what others wrote, as the user saw it in a review.
func (f *Findings) WarnReviewed(at Place, message string) {
	f.Warn(at, message)
	f.Warnings[len(f.Warnings)-1].IsReviewed = true
}

// WarnUnset warns that a variable has no value, and names the consequence.
func (f *Findings) WarnUnset(n Node, variable *domain.UnsetVariableError, consequence string) {
	f.Warn(n.Place(), fmt.Sprintf("%s, so %s", variable.Problem(), consequence))
}

// WarnSource reports a warning about an environment variable.
func (f *Findings) WarnSource(source, message string) {
	f.Warnings = append(f.Warnings, Finding{Problem{Source: source, Message: message}, WholeFile})
}

// Placed returns the problems with their positions, in the order of the file and without
// duplicates. Problems without a position come last.
func (f *Findings) Placed(found []Finding) []Problem {
	var placed []Problem
	for _, finding := range f.InOrder(found) {
		placed = append(placed, finding.Problem)
	}
	return slices.Compact(placed)
}

// InOrder returns the findings with their positions, in the order of the file. Findings
// without a position come last.
func (f *Findings) InOrder(found []Finding) []Finding {
	sorted := slices.SortedStableFunc(slices.Values(found), func(a, b Finding) int {
		// As an unsigned number, nowhere comes after every offset.
		return cmp.Compare(uint(a.Offset), uint(b.Offset))
	})
	at := cursor{lines: f.lines}
	for i := range sorted {
		if finding := &sorted[i]; finding.Offset != nowhere {
			finding.Line, finding.Column = at.position(finding.Offset)
		}
	}
	return sorted
}

// OneOf returns the choices, quoted: `"a"`, `"a" or "b"`, `"a", "b" or "c"`.
func OneOf[T ~string](choices []T) string {
	quoted := make([]string, len(choices))
	for i, choice := range choices {
		quoted[i] = strconv.Quote(string(choice))
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
