package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
)

// variablesFor returns what the host has to hand on: the variables that the configuration
// refers to, and those that servers inherit. A server does without the latter, so one that
// is not set here is only named to a host that takes names: others would hand on an empty
// text, or the reference itself.
func variablesFor(host hostfiles.Host, configuration *config.Configuration, result *connection) []string {
	variables := hostfiles.Needed(configuration.Variables)
	for _, name := range hostfiles.Needed(configuration.Catalog.Inherited()) {
		_, set := os.LookupEnv(name)
		switch {
		case slices.Contains(variables, name):
		case host.Forwards || set:
			variables = append(variables, name)
		default:
			result.note("%s is not set here, so %s is not told to hand it on; set it and run 'mcp-workbench connect %s' again", name, host.Name, host.ID)
		}
	}
	return variables
}

// handOn sees to it that the host hands the variables of the servers on. It returns the
// values that go into the host's file, where the host has no references: those that are
// there, and those that the person said yes to. No value is ever shown.
func (c *connecting) handOn(host hostfiles.Host, file hostfiles.File, variables []string, result *connection) (map[string]string, error) {
	if len(variables) == 0 {
		return nil, nil
	}
	if host.PassesOn() {
		if unset := notSet(variables); len(unset) > 0 {
			result.note("not set here: %s; set it where %s is started", strings.Join(unset, ", "), host.Name)
		}
		return nil, nil
	}
	values, err := hostfiles.Values(file, entryName, variables)
	if err != nil {
		return nil, err
	}
	if c.mayHoldValues(file) {
		if err := c.askForValues(host, file, variables, values); err != nil {
			return nil, err
		}
	}
	missing := slices.DeleteFunc(slices.Clone(variables), func(name string) bool {
		_, there := values[name]
		return there
	})
	if len(missing) > 0 {
		result.note("%s hands no variables on, so servers that need %s do not start: set it here and run 'mcp-workbench connect %s' "+
			"in a terminal, which asks for each variable, or write it into \"env\" of %q in %s",
			host.Name, strings.Join(missing, ", "), host.ID, entryName, file.Path)
	}
	return values, nil
}

// mayHoldValues reports whether there is somebody to ask for values, and the file is
// nobody else's: one in a repository may be committed.
func (c *connecting) mayHoldValues(file hostfiles.File) bool {
	target, err := hostfiles.Writable(file.Path)
	return err == nil && c.asks() && file.Scope == hostfiles.User && !isInRepository(filepath.Dir(target))
}

// askForValues adds the values of the variables that are set here, each after a yes.
func (c *connecting) askForValues(host hostfiles.Host, file hostfiles.File, variables []string, values map[string]string) error {
	for _, name := range variables {
		value, set := os.LookupEnv(name)
		if before, there := values[name]; !set || there && before == value {
			continue
		}
		question := fmt.Sprintf("%s hands no variables on. Write the value of %s into %s, in plain text?", host.Name, name, file.Path)
		yes, err := c.Confirm(question, false)
		if err != nil {
			return err
		}
		if yes {
			values[name] = value
		}
	}
	return nil
}

// notSet returns the variables that this environment does not have.
func notSet(variables []string) []string {
	return slices.DeleteFunc(slices.Clone(variables), func(name string) bool {
		_, set := os.LookupEnv(name)
		return set
	})
}
