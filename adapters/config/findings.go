package config

import (
	"cmp"
	"slices"
)

// findings collects problems and warnings.
type findings struct {
	file     string
	lines    lines
	problems []finding
	warnings []finding
}

// finding is a problem whose position is yet to be worked out.
type finding struct {
	Problem
	offset int
	path   *keyPath
}

// nowhere is the offset of a finding without a position.
const nowhere = -1

// wrong notes a problem at an offset of the file.
func (f *findings) wrong(offset int, path *keyPath, found, wanted string) {
	problem := Problem{File: f.file, KeyPath: path.String(), Found: found, Wanted: wanted}
	f.problems = append(f.problems, finding{Problem: problem, offset: offset, path: path})
}

// wrongKind notes that a value is of another kind than the one wanted.
func (f *findings) wrongKind(n node, wanted string) {
	f.wrong(n.offset(), n.path, n.kind(), wanted)
}

// wrongFile notes a problem with the file as a whole.
func (f *findings) wrongFile(found, wanted string) {
	f.wrong(nowhere, nil, found, wanted)
}

// wrongSource notes a problem with the value of an environment variable or flag.
func (f *findings) wrongSource(source, found, wanted string) {
	problem := Problem{Source: source, Found: found, Wanted: wanted}
	f.problems = append(f.problems, finding{Problem: problem, offset: nowhere})
}

// warn notes a warning about a place in the file.
func (f *findings) warn(offset int, path *keyPath, message string) {
	warning := Problem{File: f.file, KeyPath: path.String(), Message: message}
	f.warnings = append(f.warnings, finding{Problem: warning, offset: offset})
}

// warnSource notes a warning about an environment variable.
func (f *findings) warnSource(source, message string) {
	f.warnings = append(f.warnings, finding{Problem: Problem{Source: source, Message: message}, offset: nowhere})
}

// placed returns the problems with their positions, those with one first, in the
// order of the file, and each once.
func (f *findings) placed(found []finding) []Problem {
	var placed []Problem
	for _, one := range f.inOrder(found) {
		placed = append(placed, one.Problem)
	}
	return slices.Compact(placed)
}

// inOrder returns the findings with their positions, those with one first, in the
// order of the file.
func (f *findings) inOrder(found []finding) []finding {
	sorted := slices.SortedStableFunc(slices.Values(found), func(a, b finding) int {
		// As an unsigned number, nowhere comes after every offset.
		return cmp.Compare(uint(a.offset), uint(b.offset))
	})
	at := cursor{lines: f.lines}
	for i := range sorted {
		if one := &sorted[i]; one.offset != nowhere {
			one.Line, one.Column = at.position(one.offset)
		}
	}
	return sorted
}
