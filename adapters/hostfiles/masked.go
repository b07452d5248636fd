package hostfiles

import (
	"slices"

	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/domain/masking"
)

// Masked returns the text of a host's file in a form that can be shown: without the values of
// variables and headers, without anything that looks like a secret in arguments and addresses,
// and without any value outside of servers. References to variables stay, and so do the
// values that decide which code runs (domain.CodeVariable). It is nil for a text that cannot be
// parsed, and empty for an empty one.
func Masked(file File, text []byte) []byte {
	if len(text) == 0 {
		return text
	}
	return masking.MaskedComments(file.format().Mask(text, func(value textedit.Value) string {
		if path := file.inServer(value.Path); path != nil {
			return masking.ShownValue(path, value.Text, value.Before)
		}
		return masking.Mask
	}))
}

// inServer returns the path of a value from its server on, nil for a value outside of servers.
func (f File) inServer(path []string) []string {
	depth := len(f.member)
	if len(path) <= depth+1 || !slices.Equal(path[:depth], f.member) {
		return nil
	}
	path = path[depth+1:]
	if folded := slices.Index([]string{"command", "transport", "requestOptions"}, path[0]); folded >= 0 && len(path) > 2 {
		path = path[1:] // as unfold does
	}
	return path
}
