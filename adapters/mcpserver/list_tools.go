package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/adapters/jsonscan"
	"mcp-workbench/domain"
)

// listTools answers tools/list. Without registered tools it is the same at all
// times, on one page.
func (s *Server) listTools(e *exchange, p params) answer {
	switch {
	case s.dynamic != nil:
		return s.listRegistered(e.modern, p.cursor)
	case !jsonscan.IsNull(p.cursor):
		return refusal(jsonrpc.CodeInvalidParams, "the cursor is not one of this list")
	}
	return answer{result: slices.Concat(s.listHead(e.modern), s.ownTools(), []byte("]}"))}
}

// listHead returns what the results of tools/list begin with, up to the definitions.
func (s *Server) listHead(modern bool) []byte {
	if !modern {
		return []byte(`{"tools":[`)
	}
	head := mustMarshal(s.cacheable())
	return append(head[:len(head)-1], `,"tools":[`...)
}

// longestPage is how many bytes of definitions a page of tools/list holds. Not
// every host asks for a second page, so the first has room for thousands of tools.
const longestPage = 4 << 20

// toolPages is tools/list while the registered tools are of one version.
type toolPages struct {
	version uint64
	pages   []json.RawMessage // results, of which each but the last names the next one's cursor
}

// listRegistered returns a page of the workbench's own tools and the registered
// ones.
func (s *Server) listRegistered(modern bool, cursor json.RawMessage) answer {
	list := s.registeredPages(modern)
	if jsonscan.IsNull(cursor) {
		return answer{result: list.pages[0]}
	}
	wanted := jsonscan.Text(cursor)
	for i := 1; i < len(list.pages); i++ {
		if wanted == list.cursor(i) {
			return answer{result: list.pages[i]}
		}
	}
	return refusal(jsonrpc.CodeInvalidParams, "the cursor is not one of this list, or the list changed; list the tools from the start")
}

// registeredPages returns the pages of now, which are made once for each change.
func (s *Server) registeredPages(modern bool) *toolPages {
	made := &s.dynamic.pages
	if modern {
		made = &s.dynamic.modernPages
	}
	registered := s.dynamic.registry.Registered()
	if pages := made.Load(); pages != nil && pages.version == registered.Version {
		return pages
	}
	pages := &toolPages{version: registered.Version}
	pages.fill(s.listHead(modern), s.ownTools(), registered.Tools)
	made.Store(pages)
	return pages
}

// cursor returns what leads to a page; it is of no use for another version.
func (l *toolPages) cursor(page int) string { return fmt.Sprintf("%d-%d", l.version, page) }

// fill makes the pages; own are the definitions of the workbench's own tools, which
// come first.
func (l *toolPages) fill(head, own []byte, tools []domain.RegisteredTool) {
	page := append(append(make([]byte, 0, pageLength(head, own, tools)), head...), own...)
	separator := ","
	for _, tool := range tools {
		if len(page) >= longestPage {
			page = append(page, `],"nextCursor":"`+l.cursor(len(l.pages)+1)+`"}`...)
			l.pages = append(l.pages, page)
			page, separator = append([]byte(nil), head...), ""
		}
		page = append(page, separator...)
		page = appendRegistered(page, tool)
		separator = ","
	}
	l.pages = append(l.pages, append(page, "]}"...))
}

// pageLength guesses the length of the first page, so that it grows seldom.
func pageLength(head, own []byte, tools []domain.RegisteredTool) int {
	length := len(head) + len(own)
	for _, tool := range tools {
		length += len(tool.Definition) + len(tool.Name) + len(tool.Tool.Toolbox) + len(tool.Tool.Server) + len(`,"description":"[/] "`)
	}
	return min(length, longestPage)
}

// appendRegistered writes a definition in the server's bytes, but for its name and
// its description.
func appendRegistered(text []byte, tool domain.RegisteredTool) []byte {
	description, repeated := readDescription(tool.Definition)
	definition := tool.Definition
	if repeated {
		definition = withoutRepeats(definition)
	}
	label := "[" + string(tool.Tool.Toolbox) + "/" + string(tool.Tool.Server) + "]"
	if description != "" {
		label += " " + domain.ShownText(description)
	}
	return appendRenamed(text, definition, jsonscan.Quote(tool.Name), jsonscan.Quote(label))
}

// appendRenamed writes a definition with another raw name and description. It has a
// name; a description that it has not comes behind that.
func appendRenamed(text, definition, name, description []byte) []byte {
	before, old, after, _ := jsonscan.Cut(definition, "name")
	lead, replaced, _, described := jsonscan.Cut(definition, "description")
	nameEnd, begin := len(before)+len(old), len(lead)
	switch {
	case !described:
		text = append(append(text, before...), name...)
		text = append(append(text, `,"description":`...), description...)
		return append(text, after...)
	case begin < nameEnd:
		text = append(append(text, lead...), description...)
		text = append(text, definition[begin+len(replaced):len(before)]...)
		text = append(text, name...)
		return append(text, after...)
	}
	text = append(append(text, before...), name...)
	text = append(text, definition[nameEnd:begin]...)
	text = append(text, description...)
	return append(text, definition[begin+len(replaced):]...)
}

// readDescription returns the description of a tool, and whether a name or
// description stands in the definition more than once.
func readDescription(definition json.RawMessage) (description string, repeated bool) {
	names, descriptions := 0, 0
	// A definition was scanned when it was listed.
	_ = jsonscan.EachMember(definition, func(name, value []byte) error {
		switch string(name) {
		case "name":
			names++
		case "description":
			descriptions++
			description = jsonscan.Text(value)
		}
		return nil
	})
	return description, names > 1 || descriptions > 1
}

// withoutRepeats returns a definition with one name, to be replaced, and no
// description: a reader that takes the first of several must not see what a reader
// that takes the last does not.
func withoutRepeats(definition json.RawMessage) json.RawMessage {
	members := json.RawMessage(`"name":""`)
	_ = jsonscan.EachMember(definition, func(name, value []byte) error {
		if string(name) != "name" && string(name) != "description" {
			members = appendMember(members, string(name), value)
		}
		return nil
	})
	return append(append([]byte{'{'}, members...), '}')
}
