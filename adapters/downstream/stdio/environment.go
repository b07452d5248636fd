package stdio

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// inheritance says which variables of the workbench a server gets in addition to
// the allow list: all of them, or those with these names.
type inheritance struct {
	all   bool
	names []string
}

// UnmarshalJSON takes true, false, "all" or a list of names.
func (i *inheritance) UnmarshalJSON(raw []byte) error {
	var all bool
	if json.Unmarshal(raw, &all) == nil && string(raw) != "null" {
		i.all = all
		return nil
	}
	if string(raw) == `"all"` {
		i.all = true
		return nil
	}
	if err := json.Unmarshal(raw, &i.names); err != nil || i.names == nil {
		return fmt.Errorf("read inheritEnv: want true, false or a list of names")
	}
	return nil
}

// childEnvironment returns the environment of a server: the workbench's variables
// that are on the allow list or that inherit names, then the server's own. It never
// passes variables that start with WORKBENCH_, or exported shell functions.
func childEnvironment(own []string, inherit inheritance, env map[string]string) []string {
	var result []string
	for _, entry := range own {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || name == "" || strings.HasPrefix(value, "()") || strings.HasPrefix(name, "WORKBENCH_") {
			continue
		}
		if _, replaced := env[name]; replaced {
			continue
		}
		if inherit.all || allowed(name) || slices.Contains(inherit.names, name) {
			result = append(result, entry)
		}
	}
	names := make([]string, 0, len(env))
	for name := range env {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		result = append(result, name+"="+env[name])
	}
	return result
}

// allowed reports whether every server gets the variable: one that programs commonly
// need and that is unlikely to contain a secret.
func allowed(name string) bool {
	return slices.Contains(allowList, foldName(name)) || strings.HasPrefix(foldName(name), allowPrefix)
}

// lookup returns the value of a variable in an environment.
func lookup(environment []string, name string) string {
	value := ""
	for _, entry := range environment {
		if n, v, ok := strings.Cut(entry, "="); ok && foldName(n) == foldName(name) {
			value = v
		}
	}
	return value
}
