package config

import (
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// FileValue is a variable with a value from a file that the configuration names, such as that of "envFile".
type FileValue struct {
	Variable, Value string
	// File is the absolute path of the file.
	File string
	// InUse is unset if the environment sets the variable, so that the value does not count.
	InUse bool
	// Decides is the path of the key whose value contains it.
	Decides string
}

// fileValues returns the value that a variable has in a file, as a list of at most one. A file that was not needed yet
// is not read for it.
func (e *environment) fileValues(name string) []FileValue {
	source := e.provided[folded(name)]
	if source == nil || source.file == "" || !source.isRead || source.unread != "" {
		return nil
	}
	return []FileValue{{Variable: name, Value: source.value, File: source.file, InUse: e.sourceOf(name) != nil}}
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

// changed looks for a trusted file, in use or included, that takes values from other files which the user does not
// trust. It returns the path of the first one and the reason, or an empty path and reason if all values are trusted.
func (r *reader) changed(source source, options Options) (path, why string) {
	check := func(r *reader) string {
		values := slices.DeleteFunc(slices.Clone(r.fileValues), func(value FileValue) bool { return !value.InUse })
		switch {
		case len(values) == 0:
			return ""
		case options.TrustsValues == nil:
			return "values from other files decide what it runs"
		}
		return options.TrustsValues(r.File, values)
	}
	if source.origin == FromWorkingDirectory && source.untrusted == nil {
		if why := check(r); why != "" {
			return r.File, why
		}
	}
	for _, file := range r.included.files {
		if !file.neededTrust {
			continue
		}
		if why := check(file.reader); why != "" {
			return file.File, why
		}
	}
	return "", ""
}

// distrusting returns the options with a file that is not trusted, whatever its bytes are.
func (o Options) distrusting(path, why string) Options {
	trusts := o.Trusts
	o.Trusts = func(file string, text []byte) (bool, string) {
		if file == path {
			return false, why
		}
		return trusts(file, text)
	}
	return o
}
