package config

import (
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// sourced is a text with its variables expanded, and where their values come from.
type sourced struct {
	expansion
	// commands are those whose placeholders are in the text.
	commands []domain.SecretCommand
	// fromFiles are the variables that have a file for their value. The environment may set them.
	fromFiles []FileValue
	// unread says why the file of the first unset variable cannot be used, "" if it has no file.
	unread string
}

// expand expands the variables of a text. A variable whose file cannot be used counts as unset, even if it
// has a default.
func (r *reader) expand(text string) (sourced, error) {
	var result sourced
	var broken string
	expanded, err := expand(text, func(name string) (string, bool) {
		value, set := r.environment.expand(name)
		source := r.environment.sourceOf(name)
		switch {
		case source == nil:
		case !set && broken == "":
			broken, result.unread = name, source.unread
		case source.file == "":
			result.commands = append(result.commands, source.place.SecretCommand)
		}
		result.fromFiles = append(result.fromFiles, r.environment.fileValues(name)...)
		return value, set
	})
	result.expansion = expanded
	if broken != "" {
		result.unset = append([]string{broken}, slices.DeleteFunc(result.unset, func(name string) bool { return name == broken })...)
	}
	return result, err
}

// valueOf returns the text of a key with its variables replaced, and whether it can be used. The text of a whole setting is
// not empty, and decides something unless it is a secret. If the text cannot be used, result has none, and either a
// problem was reported, or unset are the variables that are not set or, if the expanded text must not be empty, the first that is empty.
func (r *reader) valueOf(n tree.Node, key keys.Key, whole bool, text string) (result sourced, unset []domain.UnsetVariableError, ok bool) {
	if n.IsElsewhere() {
		return sourced{expansion: expansion{text: text}}, nil, true
	}
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

const wantedValue = `a variable of the environment, of "envFile" or of a secret with "file"`

// mayUse reports whether a key may take its value from the sources of the variables in a text. If not,
// it reports a problem.
func (r *reader) mayUse(n tree.Node, key keys.Key, whole bool, text sourced) bool {
	isProgram := key.Is(keys.Code) && !key.Is(keys.Late)
	for _, value := range text.fromFiles {
		if isProgram && value.InUse {
			r.Wrong(n.Place(), `"${`+value.Variable+`}" with a value from a file`, "a program and a folder that this file or the environment names")
			return false
		}
		if r.isDecisive(n, key, whole, value) {
			value.Decides = n.Path.String()
			r.fileValues = append(r.fileValues, value)
		}
	}
	switch {
	case len(text.commands) == 0, key.Is(keys.Late):
		return true
	case key.Is(keys.Address) && !whole && hasOrigin(text.text, text.commands):
		return true
	}
	found := `"${` + text.commands[0].Variable + `}", which a command prints when a server starts`
	wanted := wantedValue + `; values of commands are for "env", "args", "headers" and what follows the host in "url"`
	r.Wrong(n.Place(), found, wanted)
	return false
}

// hasOrigin reports whether the host of an address is known before its commands run.
func hasOrigin(address string, commands []domain.SecretCommand) bool {
	for _, command := range commands {
		address, _, _ = strings.Cut(address, command.Placeholder)
	}
	return isBehindOrigin(address)
}

// isBehindOrigin reports whether the scheme and the host of an address are complete in its beginning.
func isBehindOrigin(beginning string) bool {
	_, rest, found := strings.Cut(beginning, "://")
	return found && strings.ContainsAny(rest, "/?#")
}

// isDecisive reports whether a value in a setting is a part of what was trusted: in an argument, a variable, an address, a
// header, or a file that is sent, unless it is a secret.
//
// Decision: it is so for a file of the working folder, wherever the value's own file is: the owner of a file beside or
// above a repository is not known, and no list of variables that decide what runs can be complete. Secrets may change,
// told by the name of the variable in "env", of the header or of the variable in a header or an address. Arguments, variables that
// decide which code runs and the host of an address are none.
func (r *reader) isDecisive(n tree.Node, key keys.Key, whole bool, value FileValue) bool {
	isSecret := masking.IsSecretName(value.Variable)
	switch {
	case key.Is(keys.Variables):
		return !masking.IsSecretName(n.Path.Key) || domain.CodeVariable(n.Path.Key) != ""
	case key.Is(keys.Data) && key.Is(keys.Late):
		return !isSecret && !masking.IsSecretName(n.Path.Key) // headers of a server
	case key.Is(keys.Secret | keys.Data):
		return false
	case key.Is(keys.Code):
		return key.Is(keys.Late)
	case key.Is(keys.Address) && !whole:
		text, _ := n.Text()
		return !isSecret || r.isInOrigin(text, value.Variable)
	}
	return whole && !strings.Contains(value.Value, "-----BEGIN")
}

// isInOrigin reports whether a variable stands where the scheme and host of an address may still be incomplete.
func (r *reader) isInOrigin(address, variable string) bool {
	const mark = "\x00"
	marked, _ := expand(address, func(name string) (string, bool) {
		if folded(name) == folded(variable) {
			return mark, true
		}
		return r.environment.expand(name)
	})
	before, _, _ := strings.Cut(marked.text, mark)
	return !isBehindOrigin(before)
}
