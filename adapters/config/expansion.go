package config

import (
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// expanded returns the text of a key with its variables replaced, and whether it can be used. The text of a whole setting is
// not empty, and decides something unless it is a secret. If the text cannot be used, result has none, and either a
// problem was reported, or unset are the variables that are not set or, if the expanded text must not be empty, the first that is empty.
func (r *reader) expanded(n tree.Node, key keys.Key, whole bool, text string) (result sourced, unset []domain.UnsetVariableError, ok bool) {
	result, err := r.expand(text)
	switch {
	case err != nil:
		r.Wrong(n.Place(), err.Error(), wantedVariable)
	case len(result.unset) > 0:
		for _, name := range result.unset {
			unset = append(unset, domain.UnsetVariableError{Variable: name, KeyPath: n.Path.String()})
		}
		unset[0].Unread = result.unread
	case !r.mayUse(n, key, whole, result):
	case result.text == "" && text != "" && whole:
		unset = []domain.UnsetVariableError{{Variable: result.empty, KeyPath: n.Path.String(), IsEmpty: true}}
	default:
		return result, nil, true
	}
	result.text = ""
	return result, unset, false
}
