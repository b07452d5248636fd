package config

import (
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
)

// expanded returns the text of a key with its variables replaced, and whether it can be used. The text of a whole setting is
// not empty, and decides something unless it is a secret. If the text cannot be used, result has none, and either a
// problem was reported, or unset is the first variable that is not set or, if the expanded text must not be empty, that is empty.
func (r *reader) expanded(n tree.Node, key keys.Key, whole bool, text string) (result sourced, unset *domain.UnsetVariableError, ok bool) {
	result, err := r.expand(text)
	switch {
	case err != nil:
		r.Wrong(n.Place(), err.Error(), wantedVariable)
	case result.unset != "":
		unset = &domain.UnsetVariableError{Variable: result.unset, KeyPath: n.Path.String(), Unread: result.unread}
	case !r.mayUse(n, key, whole, result):
	case result.text == "" && text != "" && whole:
		unset = &domain.UnsetVariableError{Variable: result.empty, KeyPath: n.Path.String(), IsEmpty: true}
	default:
		return result, nil, true
	}
	result.text = ""
	return result, unset, false
}
