package config

import (
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reader reads values of one file, and collects problems with them in its findings. It knows no key.
type reader struct {
	tree.Findings
	environment *environment
	transports  map[string]ports.Transport
	// fromOthers says that the file may come from others: it was found in the working directory, or a file from
	// there includes it.
	fromOthers bool
	// review collects the keys that decide something.
	review review
	// fileValues are the values from files that decide what a server runs or where it is.
	fileValues []FileValue
	// unset is the first variable without a value among the settings that are read together.
	unset *domain.UnsetVariableError
}

// including returns a reader for a file that the file of this one includes.
func (r *reader) including(path string) *reader {
	environment := *r.environment
	environment.provided, environment.required = map[string]*provided{}, nil
	return &reader{Findings: tree.Findings{File: path}, environment: &environment, transports: r.transports}
}
