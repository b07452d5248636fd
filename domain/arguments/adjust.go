package arguments

import (
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// AdjustList returns the list with its tools adjusted. It does not change the given list; without adjustments
// it returns that list.
func AdjustList(adjustments domain.ToolAdjustments, list domain.ToolList) domain.ToolList {
	if len(adjustments) == 0 {
		return list
	}
	list.Tools = slices.Clone(list.Tools)
	for i, tool := range list.Tools {
		list.Tools[i] = AdjustTool(adjustments, tool)
	}
	return list
}

// AdjustTool returns a tool adjusted from how its server lists it. A tool without an entry is returned unchanged.
func AdjustTool(adjustments domain.ToolAdjustments, tool domain.ToolInfo) domain.ToolInfo {
	entry, exists := adjustments[tool.Name]
	if !exists {
		return tool
	}
	own := tool.Own()
	tool.Definition = adjustedDefinition(entry, own)
	tool.Adjusted = &domain.AdjustedTool{Own: own, ToolAdjustment: entry, Distinct: distinctParameters(entry, own)}
	return tool
}

// adjustedDefinition returns the adjusted definition.
func adjustedDefinition(entry domain.ToolAdjustment, own json.RawMessage) json.RawMessage {
	hasTitle, hasDescription := entry.Title == nil, entry.Description == nil
	adjusted := rawjson.EditMembers(own, func(name string, value []byte) []byte {
		switch {
		case name == "title" && entry.Title != nil:
			hasTitle = true
			return rawjson.Quote(*entry.Title)
		case name == "description" && entry.Description != nil:
			hasDescription = true
			return rawjson.Quote(*entry.Description)
		case name == "inputSchema":
			return adjustedSchema(entry, value)
		}
		return value
	})
	if !hasDescription {
		adjusted = rawjson.With(adjusted, "description", rawjson.Quote(*entry.Description))
	}
	if !hasTitle {
		adjusted = rawjson.With(adjusted, "title", rawjson.Quote(*entry.Title))
	}
	return adjusted
}

// adjustedSchema returns the schema without the arguments that a model must not set.
func adjustedSchema(entry domain.ToolAdjustment, schema []byte) []byte {
	return rawjson.EditMembers(schema, func(name string, value []byte) []byte {
		switch name {
		case "properties":
			return rawjson.EditMembers(value, func(name string, value []byte) []byte {
				if entry.Keeps(name) {
					return nil
				}
				return value
			})
		case "required":
			return adjustedRequired(entry, value)
		}
		return value
	})
}

// adjustedRequired returns the list of required arguments without those, nil if no other is left: JSON Schema
// draft 4 does not allow an empty list.
func adjustedRequired(entry domain.ToolAdjustment, list []byte) []byte {
	left := 0
	edited := rawjson.EditElements(list, func(value []byte) []byte {
		if rawjson.Kind(value) == '"' && entry.Keeps(rawjson.Text(value)) {
			return nil
		}
		left++
		return value
	})
	if left == 0 && string(edited) != string(list) {
		return nil
	}
	return edited
}

// distinctParameters returns the parameters whose names differ from that of a fixed or hidden one only in case.
func distinctParameters(entry domain.ToolAdjustment, definition json.RawMessage) []string {
	var names []string
	_ = rawjson.EachMember(properties(definition), func(name, _ []byte) error { // other values have no members
		if !entry.Keeps(string(name)) && keepsVariant(entry, string(name)) {
			names = append(names, string(name))
		}
		return nil
	})
	return names
}

func properties(definition json.RawMessage) json.RawMessage {
	return rawjson.Member(rawjson.Member(definition, "inputSchema"), "properties")
}

// keepsVariant reports whether models must not set an argument, or one whose name differs only in case.
func keepsVariant(entry domain.ToolAdjustment, name string) bool {
	return slices.ContainsFunc(entry.Hidden, func(hidden string) bool { return strings.EqualFold(hidden, name) }) ||
		slices.ContainsFunc(entry.Fixed, func(fixed domain.FixedArgument) bool { return strings.EqualFold(fixed.Name, name) })
}
