package config

import (
	"github.com/knadh/koanf/v2"

	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// reader reads the tree of one file, and collects problems with its values in findings.
type reader struct {
	tree.Findings
	environment *environment
	transports  map[string]ports.Transport
	// makesLock says that the command makes the lock, so that it need not exist yet.
	makesLock bool
	// isReviewed is set for a review. Then decisive gets the keys that decide something.
	isReviewed bool
	decisive   []GivenKey
	// secrets and envFile say where values of variables are kept.
	secrets []domain.SecretPlace
	envFile string
	// fileValues are the values from files that decide what a server runs or where it is.
	fileValues []FileValue
	// included are the files that the file includes, and whether they need trust.
	included *includes
	// fromOthers says that the file may come from others: it was found in the working directory, or a file from
	// there includes it.
	fromOthers bool
	// given are the settings of the root from variables and flags.
	given *koanf.Koanf
	// names are the names of the toolboxes of all files.
	names []string
	// ownRegistry has the settings of the registry that the file names.
	ownRegistry tree.Object
	// unset is the first variable without a value among the settings that are read together.
	unset *domain.UnsetVariableError
	// root has the settings that toolboxes and servers depend on. Reading a toolbox adds its
	// form of definitions.
	root *Root
	// forReadTool is the first key that only read_tool needs, or nil.
	forReadTool *tree.Member
	// disabled are the toolboxes whose servers are all disabled. They are left out.
	disabled []domain.Toolbox
}

func newReader(file string, options Options, transports map[string]ports.Transport) *reader {
	return &reader{
		Findings: tree.Findings{File: file}, environment: newEnvironment(options.Environ),
		transports: transports, makesLock: options.MakesLock, isReviewed: options.Reviewed,
	}
}

// isGiven reports whether a variable or a flag gave a setting of the root.
func (r *reader) isGiven(key string) bool {
	return r.given.Exists(key)
}
