package workbenchtest

import (
	"encoding/json"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
)

// DynamicConfiguration returns a Configuration with the mode that registers tools.
func DynamicConfiguration(toolboxes ...Toolbox) string {
	return strings.Replace(Configuration(toolboxes...), "{", "{\n  \"toolMode\": \"dynamic\",", 1)
}

// BeginTool begins to call a tool by its name in tools/list, with raw
// arguments and further raw members of _meta, and returns the id of the request.
func (h Host) BeginTool(name, arguments string, meta ...string) string {
	ginkgo.GinkgoHelper()
	return h.Begin("tools/call", h.Params(`"name":`+Quote(name)+`,"arguments":`+arguments, meta...))
}

// Tool calls a tool, like BeginTool, and returns the answer.
func (h Host) Tool(name, arguments string, meta ...string) Message {
	ginkgo.GinkgoHelper()
	return h.Await(h.BeginTool(name, arguments, meta...))
}

// Close closes a toolbox.
func (h Host) Close(toolbox string) Message {
	ginkgo.GinkgoHelper()
	return h.Tool("close_toolbox", `{"toolbox":`+Quote(toolbox)+`}`)
}

// Tools returns the definitions on all pages of tools/list, for a host that
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

// RegisteredNames returns the registered names of the tools, "" for one that is not
// registered.
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

// CloseDev are the arguments that close the toolbox dev.
const CloseDev = `{"toolbox":"dev"}`

// OwnTools are the tools that the workbench shows in dynamic mode while no toolbox is open.
var OwnTools = []string{"open_toolbox", "use_tool", "close_toolbox"}

// WithOwnTools returns these names after those of OwnTools.
func WithOwnTools(names ...string) []string {
	return append(append([]string(nil), OwnTools...), names...)
}

// ConnectDynamic starts a workbench that registers tools, and connects a host to it.
func ConnectDynamic(e Era, toolboxes ...Toolbox) Host {
	ginkgo.GinkgoHelper()
	w := Start(Launch{Config: DynamicConfiguration(toolboxes...)})
	return Connect(w, e.Modern, `{}`)
}

// ToolsListChanged is the method of the notification that tools changed.
const ToolsListChanged = "notifications/tools/list_changed"

// FollowTools makes a host follow the list of tools in the way of its era.
func FollowTools(host Host) {
	ginkgo.GinkgoHelper()
	if host.Modern {
		host.Begin("subscriptions/listen", host.Params(`"notifications":{"toolsListChanged":true}`))
		host.AwaitSent("notifications/subscriptions/acknowledged", 1)
	}
}
