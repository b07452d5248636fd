package config

import (
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// variablePrefix begins the names of the workbench's own variables.
const variablePrefix = "WORKBENCH_"

// environment holds environment variables, and which of them were used.
type environment struct {
	values map[string]string
	used   map[string]bool
	// own are the variables of the workbench, sorted.
	own []string
	// inFile are the variables that the file refers to.
	inFile map[string]bool
	// provided are the variables that the file has sources for. A source counts only if the environment
	// does not set the variable.
	provided map[string]*provided
	// files are the files besides the one in use on which the configuration depends, by path, as they were read: nil for
	// one that does not exist or was not needed.
	files map[string]fs.FileInfo
	// required are those that enabled servers refer to without a default, each once, in the
	// order of the file.
	required []string
}

// newEnvironment reads entries as os.Environ returns them. If a name occurs twice, the first entry
// counts, as it does for os.Getenv.
func newEnvironment(environ []string) *environment {
	e := &environment{
		values: make(map[string]string, len(environ)), used: map[string]bool{}, inFile: map[string]bool{},
		provided: map[string]*provided{}, files: map[string]fs.FileInfo{},
	}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		name = folded(name)
		if _, twice := e.values[name]; !ok || name == "" || twice {
			continue
		}
		// Transports receive values as JSON, which must be UTF-8.
		e.values[name] = strings.ToValidUTF8(value, "\ufffd")
		if strings.HasPrefix(name, variablePrefix) {
			e.own = append(e.own, name)
		}
	}
	slices.Sort(e.own)
	return e
}

// lookup returns the value of a variable and whether it is set.
func (e *environment) lookup(name string) (string, bool) {
	e.used[folded(name)] = true
	value, ok := e.values[folded(name)]
	return value, ok
}

// expand is lookup for a variable that the file refers to.
func (e *environment) expand(name string) (string, bool) {
	e.inFile[name] = true
	if source := e.sourceOf(name); source != nil {
		return source.find(e)
	}
	return e.lookup(name)
}

// sourceOf returns the source that the file has for a variable, nil if there is none or the environment
// has the variable.
func (e *environment) sourceOf(name string) *provided {
	if _, isSet := e.values[folded(name)]; isSet {
		return nil
	}
	return e.provided[folded(name)]
}

// require notes variables that an enabled server refers to without a default, except for those that
// the file has sources for.
func (e *environment) require(names []string) {
	for _, name := range names {
		if !slices.Contains(e.required, name) && e.provided[folded(name)] == nil {
			e.required = append(e.required, name)
		}
	}
}

// setting returns the value of one of the workbench's own variables. An empty one
// counts as not set, since the forms of hosts leave variables empty.
func (e *environment) setting(name string) (string, bool) {
	value, _ := e.lookup(name)
	return value, value != ""
}

// settings returns the workbench's own variables that set something, as os.Environ does, in the order of the settings.
func (e *environment) settings() []string {
	if len(e.own) == 0 {
		return nil
	}
	var entries []string
	for _, entry := range settings {
		if value, isSet := e.setting(variableOf(entry.Name)); isSet {
			entries = append(entries, variableOf(entry.Name)+"="+value)
		}
	}
	return entries
}

// folded returns the name in the form that the system compares: upper case on Windows.
func folded(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// ListenVariable is the variable with the address to listen at, in place of a flag. It is not
// a setting of the file: reading a file never opens a port.
const ListenVariable = "WORKBENCH_HTTP"

// IfTrustedFlag is the flag that uses the file of --config only while the user trusts it. connect writes it for the
// file of a folder, whose later bytes may come from others.
const IfTrustedFlag = "--if-trusted"

// AllowForeignFlag is the flag that accepts a named file that others can change. It has a
// variable but no key: a file cannot allow others to change it.
const (
	AllowForeignFlag     = "--allow-foreign-config"
	allowForeignVariable = "WORKBENCH_ALLOW_FOREIGN_CONFIG"
)

// allowsForeign reports whether the variable accepts a file that others can change. An unknown value is
// a problem.
func (r *reader) allowsForeign() bool {
	value, given := r.environment.setting(allowForeignVariable)
	allows, known := map[string]bool{"1": true, "true": true, "0": false, "false": false}[value]
	if given && !known {
		r.WrongSource(allowForeignVariable, "allowForeignConfig", "another value", "1 or 0")
	}
	return allows
}

// warnUnknownVariables warns about variables that begin with WORKBENCH_, are unknown, and
// are not used in the file either.
func (r *reader) warnUnknownVariables() {
	if len(r.environment.own) == 0 {
		return
	}
	known := []string{pathVariable, allowForeignVariable, ToolboxesVariable}
	for _, entry := range settings {
		known = append(known, variableOf(entry.Name))
	}
	for _, name := range r.environment.own {
		if name == ListenVariable || slices.Contains(known, name) || r.environment.used[name] {
			continue
		}
		message := "unknown variable, ignored"
		if nearest, ok := domain.Nearest(name, known); ok {
			message += "; " + domain.DidYouMean(nearest)
		}
		r.WarnSource(name, message)
	}
}
