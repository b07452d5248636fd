package workbenchtest

import (
	"encoding/json"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// DynamicConfiguration is Configuration in the mode that registers tools.
func DynamicConfiguration(toolboxes ...Toolbox) string {
	return strings.Replace(Configuration(toolboxes...), "{", "{\n  \"toolMode\": \"dynamic\",", 1)
}

// BeginTool begins to call a tool by the name that tools/list has, with raw
// arguments and further raw members of _meta, and returns the id of the request.
func (h Host) BeginTool(name, arguments string, meta ...string) string {
	ginkgo.GinkgoHelper()
	return h.Begin("tools/call", h.Params(`"name":`+Quote(name)+`,"arguments":`+arguments, meta...))
}

// Tool is BeginTool with the answer.
func (h Host) Tool(name, arguments string, meta ...string) Message {
	ginkgo.GinkgoHelper()
	return h.Await(h.BeginTool(name, arguments, meta...))
}

// Close closes a toolbox.
func (h Host) Close(toolbox string) Message {
	ginkgo.GinkgoHelper()
	return h.Tool("close_toolbox", `{"toolbox":`+Quote(toolbox)+`}`)
}

// Tools returns the definitions of tools/list, of all pages, by a host that
// follows cursors.
func (h Host) Tools() []json.RawMessage {
	ginkgo.GinkgoHelper()
	var tools []json.RawMessage
	for cursor := ""; ; {
		var page struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor string            `json:"nextCursor"`
		}
		params := ""
		if cursor != "" {
			params = `"cursor":` + Quote(cursor)
		}
		h.Request("tools/list", h.Params(params)).Decode(&page)
		tools = append(tools, page.Tools...)
		if page.NextCursor == "" {
			return tools
		}
		cursor = page.NextCursor
	}
}

// ToolNames returns the names of the tools of tools/list.
func (h Host) ToolNames() []string {
	ginkgo.GinkgoHelper()
	return Opened{Tools: h.Tools()}.Names()
}

// RegisteredNames returns the names under which the tools are registered, "" for
// one that is not.
func (o Opened) RegisteredNames() []string {
	ginkgo.GinkgoHelper()
	names := make([]string, len(o.Tools))
	for i, definition := range o.Tools {
		var tool struct {
			Name string `json:"registered_name"`
		}
		gomega.Expect(json.Unmarshal(definition, &tool)).To(gomega.Succeed())
		names[i] = tool.Name
	}
	return names
}
