package application

import (
	"slices"
	"sync"

	"mcp-workbench/domain"
	"mcp-workbench/domain/finding"
)

// ToolIndexes are the indexes of tools that all hosts of a process search. Hosts that see the same tools search one
// index. Those that were searched last stay, of up to maxKept tools in all. Safe for concurrent use.
//
// Decision: an index of 20,000 tools takes some 50 MiB and a second. If each host kept its own, callers would
// decide how many there are.
type ToolIndexes struct {
	maxKept int

	mu      sync.Mutex   // guards the field below; one index is made at a time
	indexes []*toolIndex // the one that was searched last is the last
}

// toolIndex is an index of tools. It never changes.
type toolIndex struct {
	sources []toolSource // that it was made of
	entries []domain.Finding
	words   *finding.Index
}

// NewToolIndexes returns no indexes.
func NewToolIndexes() *ToolIndexes { return &ToolIndexes{maxKept: 2 * maxIndexed} }

// of returns the index of the tools of these sources.
func (t *ToolIndexes) of(toolboxes []domain.Toolbox, sources []toolSource) *toolIndex {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.indexes, func(each *toolIndex) bool { return slices.EqualFunc(each.sources, sources, toolSource.equal) })
	var found *toolIndex
	if at >= 0 {
		found = t.indexes[at]
		t.indexes = slices.Delete(t.indexes, at, at+1)
	} else {
		found = &toolIndex{sources: sources}
		found.entries, found.words = indexed(toolboxes, sources)
	}
	t.indexes = append(t.indexes, found)
	keep, tools := 0, 0
	for _, each := range slices.Backward(t.indexes) {
		if tools += len(each.entries); tools > t.maxKept && keep > 0 {
			break
		}
		keep++
	}
	t.indexes = slices.Delete(t.indexes, 0, len(t.indexes)-keep)
	return found
}
