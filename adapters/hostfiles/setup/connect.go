package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// connect writes the workbench, with the configuration at path, into the files of the hosts.
func (c *connecting) connect(path string) error {
	configuration, err := c.Load(path, true)
	if err != nil {
		return err
	}
	program, err := c.ownProgram()
	if err != nil {
		return err
	}
	if !c.offersCopy {
		c.sayTemporaryPlace(program)
	}
	if err := checkChosen(c.Toolboxes, configuration.Catalog.Toolboxes()); err != nil {
		return err
	}
	entry := entryFor(program, configuration, c.Sources.AllowForeign, c.Toolboxes)
	servers, err := Servers(configuration.Path)
	if err != nil {
		return err
	}
	return c.eachFile(func(host hostfiles.Host, result *connection) (hostfiles.Change, error) {
		file := host.UserFile(c.machine)
		result.entry = entry
		if configuration.Origin == config.FromWorkingDirectory {
			result.note("%s uses %s only as you trusted it: after a change, 'mcp-workbench trust %s' shows it and asks", host.Name, configuration.Path, domain.ShellWord(configuration.Path))
		}
		result.entry.Variables = c.variablesFor(host, configuration, result)
		var err error
		if result.entry.Values, err = c.valuesFor(host, file, result); err != nil {
			return hostfiles.Change{}, err
		}
		double, alike, err := hostfiles.Doubles(file, servers, EntryName, c.Transports.comparison())
		if err != nil {
			return hostfiles.Change{}, err
		}
		if c.Replaces {
			if double, alike, err = c.withoutRules(host, double, alike); err != nil {
				return hostfiles.Change{}, err
			}
			result.Replaced = append(result.Replaced, double...)
		} else if len(double) > 0 {
			result.note("%s also has %s itself, so the model would see those tools twice; '--replace' removes them", host.Name, quotedNames(double))
			double = nil
		}
		for _, other := range alike {
			result.note("%q of %s stays: it is like a server of the configuration, but differs in %s", other.Name, host.Name, quotedNames(other.Differs))
		}
		c.noteOtherFiles(host, servers, result)
		if host.Note != "" {
			result.note("%s", host.Note)
		}
		return c.connections.Connect(file, EntryName, result.entry, double)
	})
}

// withoutRules asks about each server that only a rule of the host keeps there, since nothing here has its meaning. It
// returns the servers that are removed and those that stay.
func (c *connecting) withoutRules(host hostfiles.Host, removed []string, alike []hostfiles.Double) ([]string, []hostfiles.Double, error) {
	var stays []hostfiles.Double
	for _, other := range alike {
		rules := strings.Join(other.Rules(), ", ")
		if rules == "" || !c.asks() {
			stays = append(stays, other)
			continue
		}
		yes, err := c.terminal.Confirm(fmt.Sprintf("%s of %s holds for %q only while it is there, and has no counterpart. Remove %q from %s, without it?",
			domain.LineText(rules), host.Name, other.Name, other.Name, host.Name))
		if err != nil {
			return nil, nil, err
		}
		if yes {
			removed = append(removed, other.Name)
		} else {
			stays = append(stays, other)
		}
	}
	return removed, stays, nil
}

// noteOtherFiles notes which servers of the configuration the host also has in other files:
// those of the project, which are not only the user's, and a second file of the user.
func (c *connecting) noteOtherFiles(host hostfiles.Host, servers []setup.Settings, result *connection) {
	for _, file := range host.Files(c.machine) {
		if file.IsElsewhere() || file.Scope == setup.User && file.Path == host.UserFile(c.machine).Path {
			continue
		}
		if _, err := os.Stat(file.Path); err == nil && host.IsPackaged {
			result.note("%s stays as it is: %s was installed as a package, which reads %s", file.Path, host.Name, host.UserFile(c.machine).Path)
		}
		double, _, err := hostfiles.Doubles(file, servers, EntryName, c.Transports.comparison())
		if err != nil {
			result.note("%s may have servers of the configuration too: %v", file.Path, err)
			continue
		}
		if len(double) > 0 {
			where := ""
			if file.Scope != setup.User {
				where = " in this project"
			}
			stays := "stays"
			if len(double) > 1 {
				stays = "stay"
			}
			if removal := host.RemovalCommand(file, double); removal != "" {
				where += "; to remove: " + removal
			}
			result.note("%s in %s (%s) %s there, so the model sees those tools twice%s", quotedNames(double), file.Path, file.Scope, stays, where)
		}
	}
}

// checkChosen fails unless the toolboxes that a host chooses, "" for all, are among those of a configuration.
func checkChosen(chosen string, toolboxes []domain.Toolbox) error {
	if chosen == "" {
		return nil
	}
	names, err := config.ParseToolboxes(chosen)
	if err != nil {
		return &UsageError{fmt.Errorf("--toolbox: %w", err)}
	}
	return config.CheckToolboxes(names, toolboxes)
}

// entryFor returns the workbench as a server of a host, which chooses toolboxes unless they are "".
func entryFor(program string, configuration *config.Configuration, allowsForeign bool, toolboxes string) hostfiles.Entry {
	args := []string{"--config", configuration.Path}
	if configuration.Origin == config.FromWorkingDirectory {
		args = append(args, config.IfTrustedFlag)
	}
	if allowsForeign {
		args = append(args, config.AllowForeignFlag)
	}
	if toolboxes != "" {
		args = append(args, "--toolbox", toolboxes)
	}
	return hostfiles.Entry{Command: program, Args: args}
}

// quotedNames returns names as a list for people.
func quotedNames(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}

// variablesFor returns the variables that the host is to pass on.
func (c *connecting) variablesFor(host hostfiles.Host, configuration *config.Configuration, result *connection) []string {
	referred, inherited := hostfiles.Needed(configuration.Variables), hostfiles.Needed(configuration.Catalog.Inherited())
	variables, skipped := setup.Passed(referred, inherited, host.Forwards, isSet)
	for _, name := range skipped {
		if host.Inherits {
			result.note("%s is not set here; set it where %s is started, which passes on all variables", name, host.Name)
			continue
		}
		result.note("%s is not set here, so %s is not told to pass it on; set it and run %s again", name, host.Name, c.command("connect "+host.ID))
	}
	if host.Refuses {
		set := slices.DeleteFunc(slices.Clone(variables), func(name string) bool { return !isSet(name) })
		if len(set) < len(variables) {
			result.note("%s refuses its file, or the server, if a variable in it is not set, so it is told only those that are set here; "+
				"set the others and run %s again", host.Name, c.command("connect "+host.ID))
		}
		variables = set
	}
	var taken []string
	for _, name := range host.TakesAway {
		if isSet(name) && !isUsualPlace(name) && !slices.Contains(variables, name) {
			taken = append(taken, name)
		}
	}
	switch {
	case host.Forwards || host.Expands != nil:
		return append(variables, taken...)
	case len(taken) > 0:
		result.note("%s does not pass on %s, which the workbench reads: write it into \"env\" of %q in the file of %s where that matters",
			host.Name, strings.Join(taken, ", "), EntryName, host.Name)
	}
	return variables
}

// isUsualPlace reports whether a variable names the folder that is used without it.
func isUsualPlace(name string) bool {
	below, isPlace := map[string]string{"XDG_CONFIG_HOME": ".config", "XDG_STATE_HOME": ".local/state", "XDG_CACHE_HOME": ".cache"}[name]
	home, err := os.UserHomeDir()
	return isPlace && err == nil && filepath.Clean(os.Getenv(name)) == filepath.Join(home, below)
}

// valuesFor returns the values of the variables that go into the file of a host that cannot
// refer to variables: those that the file already has, and those that the user agreed to. No
// value is shown.
func (c *connecting) valuesFor(host hostfiles.Host, file hostfiles.File, result *connection) (map[string]string, error) {
	variables := result.entry.Variables
	if len(variables) == 0 {
		return nil, nil
	}
	if host.PassesOn(result.entry) {
		if unset := slices.DeleteFunc(slices.Clone(variables), isSet); len(unset) > 0 {
			result.note("not set here: %s; set it where %s is started", strings.Join(unset, ", "), host.Name)
		}
		return nil, nil
	}
	values, err := hostfiles.Values(file, EntryName, result.entry)
	if err != nil {
		return nil, err
	}
	if c.asks() && isPrivate(file) {
		if err := c.askForValues(host, file, variables, values); err != nil {
			return nil, err
		}
	}
	missing := slices.DeleteFunc(slices.Clone(variables), func(name string) bool {
		_, hasValue := values[name]
		return hasValue
	})
	switch {
	case len(missing) > 0 && result.entry.URL != "":
		result.note("%s reads no variables, so its requests have no token: set %s here and run this command in a terminal, "+
			"which asks before it writes the token, or write \"Authorization\" into \"headers\" of %q in %s",
			host.Name, missing[0], EntryName, file.Path)
	case len(missing) > 0:
		result.note("%s passes no variables on, so servers that need %s do not start: set it here and run %s "+
			"in a terminal, which asks for each variable, or write it into \"env\" of %q in %s",
			host.Name, strings.Join(missing, ", "), c.command("connect "+host.ID), EntryName, file.Path)
	}
	return values, nil
}

// isPrivate reports whether the file is only the user's: one in a repository may be committed.
func isPrivate(file hostfiles.File) bool {
	target, err := hostfiles.Writable(file.Path)
	return err == nil && file.Scope == setup.User && !isInRepository(filepath.Dir(target))
}

// askForValues adds the values of the variables that are set here, each after a yes.
func (c *connecting) askForValues(host hostfiles.Host, file hostfiles.File, variables []string, values map[string]string) error {
	for _, name := range variables {
		value := os.Getenv(name)
		if before, hasValue := values[name]; !isSet(name) || hasValue && before == value {
			continue
		}
		question := fmt.Sprintf("%s passes no variables on. Write the value of %s into %s, in plain text?", host.Name, name, file.Path)
		yes, err := c.terminal.Confirm(question)
		if err != nil {
			return err
		}
		if yes {
			values[name] = value
		}
	}
	return nil
}

// isSet reports whether a variable is in this environment.
func isSet(name string) bool {
	_, set := os.LookupEnv(name)
	return set
}
