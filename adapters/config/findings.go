package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"mcp-workbench/domain"
)

// findings collects the problems and warnings of one configuration.
type findings struct {
	file     string
	lines    lines
	problems []finding
	warnings []finding
}

// finding is a problem whose line and column are not computed yet.
type finding struct {
	Problem
	place
}

// place is where in the file something is.
type place struct {
	offset int
	path   *keyPath
}

// nowhere is the offset of a finding without a position, such as one of the wholeFile.
const nowhere = -1

var wholeFile = place{offset: nowhere}

// wrong reports a problem at a place.
func (f *findings) wrong(at place, found, wanted string) {
	problem := Problem{File: f.file, KeyPath: at.path.String(), Found: found, Wanted: wanted}
	f.problems = append(f.problems, finding{problem, at})
}

// wrongKind reports a value of the wrong kind.
func (f *findings) wrongKind(n node, wanted string) { f.wrong(n.place(), n.kind(), wanted) }

// wrongValue reports a value that is not among those wanted. The message shows it.
func (f *findings) wrongValue(n node, wanted string) { f.wrong(n.place(), n.shown(), wanted) }

// maxListedKeys is the largest number of keys that a message lists.
const maxListedKeys = 8

// unknownKey reports a key that is not legal, and suggests a legal one.
func (f *findings) unknownKey(m member, legal []string) {
	problem := Problem{File: f.file, KeyPath: m.path.String(), Found: "an unknown key"}
	problem.Message = "unknown key " + domain.ReviewText(strconv.Quote(shortened(m.name)))
	if key, ok := meantKey(m.name, legal); ok {
		problem.Wanted = strconv.Quote(key)
		problem.Message += "; " + domain.DidYouMean(key)
	} else {
		if problem.Wanted = oneOf(legal); len(legal) > maxListedKeys {
			problem.Wanted = "one of the keys that 'mcp-workbench help configuration' describes"
		}
		problem.Message += "; want " + problem.Wanted
	}
	f.problems = append(f.problems, finding{problem, m.key()})
}

// wrongFile reports a problem with the file as a whole.
func (f *findings) wrongFile(found, wanted string) { f.wrong(wholeFile, found, wanted) }

// wrongSource reports a problem with the value that an environment variable or flag gives a setting of the root.
func (f *findings) wrongSource(source, key, found, wanted string) {
	problem := Problem{Source: source, Found: found, Wanted: wanted}
	var root *keyPath
	f.problems = append(f.problems, finding{problem, place{nowhere, root.member(key)}})
}

// warn reports a warning about a place.
func (f *findings) warn(at place, message string) {
	warning := Problem{File: f.file, KeyPath: at.path.String(), Message: message}
	f.warnings = append(f.warnings, finding{warning, at})
}

// warnUnset warns that a variable has no value, and names the consequence.
func (f *findings) warnUnset(n node, variable *domain.UnsetVariableError, consequence string) {
	f.warn(n.place(), fmt.Sprintf("%s, so %s", variable.Problem(), consequence))
}

// warnSource reports a warning about an environment variable.
func (f *findings) warnSource(source, message string) {
	f.warnings = append(f.warnings, finding{Problem{Source: source, Message: message}, wholeFile})
}

// placed returns the problems with their positions, in the order of the file and without
// duplicates. Problems without a position come last.
func (f *findings) placed(found []finding) []Problem {
	var placed []Problem
	for _, finding := range f.inOrder(found) {
		placed = append(placed, finding.Problem)
	}
	return slices.Compact(placed)
}

// inOrder returns the findings with their positions, in the order of the file. Findings
// without a position come last.
func (f *findings) inOrder(found []finding) []finding {
	sorted := slices.SortedStableFunc(slices.Values(found), func(a, b finding) int {
		// As an unsigned number, nowhere comes after every offset.
		return cmp.Compare(uint(a.offset), uint(b.offset))
	})
	at := cursor{lines: f.lines}
	for i := range sorted {
		if finding := &sorted[i]; finding.offset != nowhere {
			finding.Line, finding.Column = at.position(finding.offset)
		}
	}
	return sorted
}
