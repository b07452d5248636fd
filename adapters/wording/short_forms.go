package wording

import (
	"fmt"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// maxWhole is the maximum size in bytes of definitions that one answer shows whole. No model reads that many, and the
// answer takes several times their memory while it is written.
const maxWhole = 24 << 20

// show chooses how the tools of an opened toolbox are shown, so that the whole answer
// fits the budget. More than maxWhole is shown as with definitions.Auto.
func show(opened domain.OpenedToolbox, showing Showing) definitions.Shown {
	if showing.Form == definitions.Full || showing.Form == definitions.Lean {
		if definitionsSize(opened) <= maxWhole {
			return definitions.Shown{Form: showing.Form}
		}
		showing.Form = definitions.Auto
	}
	var servers []definitions.ServerTools
	for _, server := range opened.Servers {
		if server.Failure == nil {
			servers = append(servers, definitions.ServerTools{Server: server.ID.Server, Tools: server.Tools})
		}
	}
	budget := showing.Budget
	if limit := showing.Host.MaxResult; limit > 0 {
		budget = min(budget, limit)
	}
	// Compact has the longest explanation.
	frame := newFrame(opened).with(opened, definitions.Shown{Form: definitions.Compact})
	return definitions.Show(showing.Form, opened.Toolbox.Name, servers, budget-len(frame)+len("{}"))
}

// definitionsSize returns how many bytes the definitions of all tools have.
func definitionsSize(opened domain.OpenedToolbox) int {
	size := 0
	for _, server := range opened.Servers {
		for _, tool := range server.Tools {
			size += len(tool.Definition)
		}
	}
	return size
}

// texts returns the tools in a short form: an object with a list for each server, and
// a line break after each tool.
func texts(servers []definitions.ServerTexts) []byte {
	var object rawjson.Object
	for _, server := range servers {
		list := []byte{'['}
		for i, tool := range server.Tools {
			if i > 0 {
				list = append(list, ",\n"...)
			}
			list = rawjson.AppendQuote(list, tool)
		}
		if len(server.Tools) > 0 {
			list = append(list, '\n')
		}
		object = object.Raw(string(server.Server), append(list, ']'))
	}
	return object.JSON()
}

// explain says which short form the tools have, what its signs mean and, if tools are registered, under which names.
func explain(answer rawjson.Object, opened domain.OpenedToolbox, form definitions.Form) rawjson.Object {
	answer = answer.Text("definitions", string(form))
	hint := form.Hint()
	names, registers := otherNames(opened)
	switch {
	case !registers:
		return answer.Text("hint", hint)
	case opened.OnlyPages:
		return answer.Text("hint", hint+" Those in registered_names show their result on a page if they are called by that name.").
			Raw("registered_names", names)
	}
	hint += fmt.Sprintf(" Each is also a tool of its own, named %s__SERVER_TOOL", opened.Toolbox.Name)
	if names == nil {
		return answer.Text("hint", hint+".")
	}
	return answer.Text("hint", hint+", or as registered_names says.").Raw("registered_names", names)
}

// otherNames returns the names of registered tools, by server, and whether any tool is registered. Unless only
// tools with a page are registered, it leaves out names that follow the rule, and names is nil if there are no
// others.
func otherNames(opened domain.OpenedToolbox) (names []byte, registers bool) {
	var servers rawjson.Object
	for _, server := range opened.Servers {
		var others rawjson.Object
		for _, tool := range server.Tools {
			registered, ok := server.Registered[tool.Name]
			registers = registers || ok
			byRule := registered == string(server.ID.Toolbox)+"__"+string(server.ID.Server)+"_"+tool.Shown
			if ok && (opened.OnlyPages || !byRule) {
				others = others.Text(tool.Shown, registered)
			}
		}
		if !others.IsEmpty() {
			servers = servers.Raw(string(server.ID.Server), others.JSON())
			names = servers.JSON()
		}
	}
	return names, registers
}
