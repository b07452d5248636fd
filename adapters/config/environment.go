package config

import (
	"maps"
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
}

// newEnvironment reads entries as os.Environ returns them. Of entries with one
// name the first counts, as it does for os.Getenv.
func newEnvironment(environ []string) *environment {
	e := &environment{values: map[string]string{}, used: map[string]bool{}}
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		if _, twice := e.values[folded(name)]; ok && name != "" && !twice {
			// JSON can carry nothing else to a transport.
			e.values[folded(name)] = strings.ToValidUTF8(value, "\ufffd")
		}
	}
	return e
}

// lookup returns the value of a variable and whether it is set.
func (e *environment) lookup(name string) (string, bool) {
	e.used[folded(name)] = true
	value, ok := e.values[folded(name)]
	return value, ok
}

// setting returns the value of one of the workbench's own variables. An empty one
// counts as not set, since a form in a host may leave it empty.
func (e *environment) setting(name string) (string, bool) {
	value, _ := e.lookup(name)
	return value, value != ""
}

// folded returns the name as the system compares names.
func folded(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// ListenVariable is the variable that says where to listen for hosts, in place of a flag.
// It is no setting of the file: reading a file never opens a port.
const ListenVariable = "WORKBENCH_HTTP"

// warnUnknownVariables warns about variables that begin with WORKBENCH_, are unknown, and
// are not used in the file either.
func (l *loader) warnUnknownVariables() {
	known := []string{pathVariable}
	for _, entry := range settings() {
		known = append(known, entry.variable())
	}
	for _, name := range slices.Sorted(maps.Keys(l.environment.values)) {
		if !strings.HasPrefix(name, variablePrefix) || name == ListenVariable || slices.Contains(known, name) || l.environment.used[name] {
			continue
		}
		message := "unknown variable, ignored"
		if nearest, ok := domain.Nearest(name, known); ok {
			message += "; did you mean " + nearest + "?"
		}
		l.warnSource(name, message)
	}
}
