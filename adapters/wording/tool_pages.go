package wording

import (
	"encoding/json"
	"fmt"

	"mcp-workbench/domain"
)

// maxPage is the size at which a page of tools/list ends, in bytes. Not every host asks for a
// second page, so the first has room for thousands of tools.
const maxPage = 4 << 20

// ToolPage returns the page of tools/list for a cursor, "" for the first. head is the beginning of each result, up
// to its array of tools; own are the definitions of the workbench's own tools, as OwnTools returns them, which come
// first. ok is false for an unknown cursor and for one of another version of the registered tools.
func ToolPage(head, own []byte, registered *domain.RegisteredTools, cursor string) (page json.RawMessage, ok bool) {
	page, pages, current, separator := append(append(page, head...), own...), 1, "", ","
	for _, tool := range registered.Tools {
		if len(page) >= maxPage {
			next := fmt.Sprintf("%d-%d", registered.Version, pages)
			if current == cursor {
				return append(page, `],"nextCursor":"`+next+`"}`...), true
			}
			page, pages, current, separator = append(page[:0], head...), pages+1, next, ""
		}
		page = appendRegistered(append(page, separator...), tool)
		separator = ","
	}
	return append(page, "]}"...), current == cursor
}
