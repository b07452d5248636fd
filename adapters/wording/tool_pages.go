package wording

import (
	"encoding/json"
	"fmt"

	"mcp-workbench/domain"
)

// maxPage is the size at which a page of tools/list ends, in bytes. Not every host asks for a
// second page, so the first has room for thousands of tools.
const maxPage = 4 << 20

// ToolPages are the results of tools/list for one version of the registered tools.
// They never change, so they are safe for concurrent use.
type ToolPages struct {
	version uint64
	pages   []json.RawMessage // each but the last names the cursor of the next
}

// NewToolPages makes the pages. head is the beginning of each result, up to its array of
// tools; own are the definitions of the workbench's own tools, as OwnTools returns them,
// which come first.
func NewToolPages(head, own []byte, registered *domain.RegisteredTools) *ToolPages {
	l := &ToolPages{version: registered.Version}
	page := append(append(make([]byte, 0, pageLength(head, own, registered.Tools)), head...), own...)
	separator := ","
	for _, tool := range registered.Tools {
		if len(page) >= maxPage {
			page = append(page, `],"nextCursor":"`+l.cursor(len(l.pages)+1)+`"}`...)
			l.pages = append(l.pages, page)
			page, separator = append([]byte(nil), head...), ""
		}
		page = append(page, separator...)
		page = appendRegistered(page, tool)
		separator = ","
	}
	l.pages = append(l.pages, append(page, "]}"...))
	return l
}

// Version returns the version of the registered tools that the pages show.
func (l *ToolPages) Version() uint64 { return l.version }

// First returns the result for a request without a cursor.
func (l *ToolPages) First() json.RawMessage { return l.pages[0] }

// Page returns the result for a cursor. ok is false for a cursor of another version and for
// an unknown one.
func (l *ToolPages) Page(cursor string) (page json.RawMessage, ok bool) {
	for i := 1; i < len(l.pages); i++ {
		if cursor == l.cursor(i) {
			return l.pages[i], true
		}
	}
	return nil, false
}

// cursor returns the cursor of a page, which is valid only for this version.
func (l *ToolPages) cursor(page int) string { return fmt.Sprintf("%d-%d", l.version, page) }

// pageLength estimates the length of the first page, so that it seldom grows.
func pageLength(head, own []byte, tools []domain.RegisteredTool) int {
	length := len(head) + len(own)
	for _, tool := range tools {
		length += len(tool.Definition) + len(tool.Name) + len(tool.Tool.Toolbox) + len(tool.Tool.Server) + len(`,"description":"[/] "`)
	}
	return min(length, maxPage)
}
