package wording

import (
	"slices"
	"strings"

	"mcp-workbench/domain/definitions"
)

// allFull reports whether every toolbox has the form definitions.Full.
func allFull(forms []definitions.Form) bool {
	return !slices.ContainsFunc(forms, func(form definitions.Form) bool { return form != definitions.Full })
}

// shownAs says how an answer of open_toolbox shows tools, by form.
var shownAs = map[definitions.Form]string{
	definitions.Lean:    "objects with name, description, inputSchema, server and toolbox",
	definitions.Compact: "signatures, by server",
	definitions.Names:   "names with a short description, by server",
	definitions.Auto:    "objects with name, description and inputSchema, as signatures, or as names, depending on how many there are",
}

// selectionText says in the description of open_toolbox what the argument tools is for.
const selectionText = " With tools, only these are returned, with their full definitions."

// openToolboxDescription says what open_toolbox returns. If every toolbox is shown in
// full, it is the text of the file.
func openToolboxDescription(forms []definitions.Form) string {
	text := strings.TrimSpace(openToolboxText)
	if allFull(forms) {
		return text
	}
	const full = "each with name, description, inputSchema, server and toolbox"
	var kinds []string
	for _, form := range forms {
		if form == definitions.Full {
			kinds = append(kinds, "full definitions")
			continue
		}
		kinds = append(kinds, shownAs[form])
	}
	text = strings.Replace(text, full, "as "+strings.Join(kinds, "; or as "), 1)
	const next = " Call the tools with use_tool."
	return strings.Replace(text, next, selectionText+next, 1)
}

// useToolDescription says where use_tool's arguments are described and, if calls are
// checked, what happens to wrong ones.
func useToolDescription(forms []definitions.Form, checks bool) string {
	text := strings.TrimSpace(useToolText)
	if !slices.ContainsFunc(forms, func(form definitions.Form) bool { return form.Short() || form == definitions.Auto }) {
		return text
	}
	const full = "arguments must fit the tool's inputSchema."
	short := "arguments must fit the tool's signature or inputSchema."
	if checks {
		short += " A call that does not is answered with the tool's full definition, unless that was shown."
	}
	return strings.Replace(text, full, short, 1)
}

// withSelection adds the argument tools to the schema of open_toolbox, unless every
// toolbox is shown in full.
func withSelection(schema string, forms []definitions.Form) string {
	if allFull(forms) {
		return schema
	}
	const required = `},"required":["toolbox"]`
	return strings.Replace(schema, required, `,"tools":{"type":"array","items":{"type":"string","minLength":1},`+
		`"description":"Names of tools (tool, or server/tool) to get the full definitions of, instead of all tools in short"}`+required, 1)
}
