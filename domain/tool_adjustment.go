package domain

import (
	"encoding/json"
	"maps"
	"slices"
)

// ToolAdjustment changes how a tool is shown and called (tests/acceptance/CONTRACT.md section 2).
type ToolAdjustment struct {
	// Title and Description replace those of the definition; nil keeps them.
	Title, Description *string
	// Fixed are the arguments that every call has, sorted by name. A model neither sees nor sets them.
	Fixed []FixedArgument
	// Hidden are the names of the arguments that no call has.
	Hidden []string
}

// FixedArgument is an argument that every call of a tool has.
type FixedArgument struct {
	Name string
	// Value is JSON, with variables expanded. It can contain secrets.
	Value json.RawMessage
}

// ToolAdjustments are the adjustments of a server's tools, by their exact names.
type ToolAdjustments map[string]ToolAdjustment

// Equal reports whether two servers' tools are adjusted alike.
func (a ToolAdjustments) Equal(other ToolAdjustments) bool {
	return maps.EqualFunc(a, other, ToolAdjustment.equal)
}

func (a ToolAdjustment) equal(other ToolAdjustment) bool {
	return equalText(a.Title, other.Title) && equalText(a.Description, other.Description) &&
		slices.EqualFunc(a.Fixed, other.Fixed, FixedArgument.equal) && slices.Equal(a.Hidden, other.Hidden)
}

func (a FixedArgument) equal(other FixedArgument) bool {
	return a.Name == other.Name && string(a.Value) == string(other.Value)
}

func equalText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// IsWeakerThan reports whether a model can set an argument that it cannot set with the other
// adjustments, or whether a fixed argument has another value.
func (a ToolAdjustments) IsWeakerThan(other ToolAdjustments) bool {
	for tool, before := range other {
		after := a[tool]
		for _, fixed := range before.Fixed {
			if !slices.ContainsFunc(after.Fixed, fixed.equal) {
				return true
			}
		}
		for _, name := range before.Hidden {
			if !after.Keeps(name) {
				return true
			}
		}
	}
	return false
}

// And returns the adjustments with every argument fixed or hidden that the others fix or hide.
func (a ToolAdjustments) And(other ToolAdjustments) ToolAdjustments {
	if len(other) == 0 {
		return a
	}
	both := maps.Clone(a)
	if both == nil {
		both = ToolAdjustments{}
	}
	for tool, before := range other {
		after := both[tool]
		after.Fixed = slices.Concat(before.Fixed, slices.DeleteFunc(slices.Clone(after.Fixed), func(f FixedArgument) bool { return before.Keeps(f.Name) }))
		after.Hidden = slices.Concat(before.Hidden, slices.DeleteFunc(slices.Clone(after.Hidden), before.Keeps))
		both[tool] = after
	}
	return both
}

// Keeps reports whether a model can neither see nor set that argument.
func (a ToolAdjustment) Keeps(argument string) bool {
	return slices.Contains(a.Hidden, argument) ||
		slices.ContainsFunc(a.Fixed, func(fixed FixedArgument) bool { return fixed.Name == argument })
}

// AdjustedTool is the adjustment of a tool with what it was applied to.
type AdjustedTool struct {
	// Own is the definition in the server's bytes.
	Own json.RawMessage
	ToolAdjustment
	// Distinct are the parameters whose names differ from that of a fixed or hidden one only in case.
	Distinct []string
}
