package main

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// showToTrust shows what a file would run. A file with mistakes is a failure, since what it will run
// once they are corrected is not known.
func showToTrust(out *terminal.Terminal, from config.Options, path string, text []byte) error {
	from.MakesLock = true // the lock comes after the trust
	configuration, err := config.Check(from, path, text, newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
	if err != nil {
		return unusable(err)
	}
	if err := out.Print("%s would start and reach, with your rights:", path); err != nil {
		return err
	}
	for _, line := range slices.Concat(whatRuns(configuration), whatIsPinned(path)) {
		if err := out.Print("  %s", domain.ReviewLine(line)); err != nil {
			return err
		}
	}
	return nil
}

// whatRuns returns a line for each server that a configuration starts or reaches, and one for the
// variables that it reads.
func whatRuns(configuration *config.Configuration) []string {
	var lines []string
	everything := false
	for _, toolbox := range configuration.Catalog.Toolboxes() {
		for _, server := range toolbox.Servers {
			line, inheritsAll := whatServerRuns(server)
			lines = append(lines, server.ID.Path()+": "+line)
			everything = everything || inheritsAll
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "nothing: there is no server in it")
	}
	names := slices.Concat(configuration.Reads, configuration.Catalog.Inherited())
	slices.Sort(names)
	switch names = slices.Compact(names); {
	case everything:
		lines = append(lines, `variables that it reads: all that there are ("inheritEnv": "all")`)
	case len(names) > 0:
		lines = append(lines, "variables that it reads: "+strings.Join(names, ", "))
	}
	return lines
}

// whatIsPinned returns a line for each package that the lock beside a configuration pins, with the
// hosts from which it is installed.
func whatIsPinned(path string) []string {
	file := lockfile.Beside(path)
	lock, err := file.Lock()
	if err != nil || lock == nil {
		return nil
	}
	var lines []string
	for _, pinned := range lock.Packages {
		line := pinned.ID.Path() + ": runs " + pinned.String() + ", as the lock pins it"
		if text, err := file.PackageLock(pinned.ID, pinned.PackagePin); err == nil {
			line += ", from " + strings.Join(installedFrom(text), ", ")
		}
		lines = append(lines, line)
	}
	return lines
}

// installedFrom returns the hosts that a package-lock.json of npm installs from, each once.
func installedFrom(packageLock []byte) []string {
	var read struct {
		Packages map[string]struct {
			Resolved string `json:"resolved"`
		} `json:"packages"`
	}
	if json.Unmarshal(packageLock, &read) != nil {
		return nil
	}
	var hosts []string
	for _, one := range read.Packages {
		host := one.Resolved
		if address, err := url.Parse(one.Resolved); err == nil && address.Host != "" {
			host = address.Host
		}
		if host != "" {
			hosts = append(hosts, host)
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// whatServerRuns returns the program of a server with its arguments and variables, or its
// address, as it is configured, and whether it gets the whole environment. Secrets that are written
// out are not shown.
func whatServerRuns(server domain.Server) (line string, everything bool) {
	traits := server.Shown
	program := traits.Program
	switch {
	case traits.Address != "":
		return traits.Address + whatLoginReaches(traits.Login), false
	case program.Command == "":
		return string(server.Configured), false // another transport's
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(program.Env)) {
		words = append(words, domain.ShellWord(name)+"="+domain.ShellWord(serverconfig.ShownVariable(name, program.Env[name])))
	}
	for _, word := range append([]string{program.Command}, program.Args...) {
		words = append(words, domain.ShellWord(word))
	}
	if program.Cwd != "" {
		words = append(words, "(in "+domain.ShellWord(program.Cwd)+")")
	}
	return strings.Join(words, " "), traits.InheritsAll
}

// whatLoginReaches says where a login leads that the file itself decides about, and which file of the
// person is handed over there: the whole of it, whatever is in it.
func whatLoginReaches(login domain.LoginTraits) string {
	if login.Issuer == "" {
		return "" // without an issuer nothing is handed over
	}
	text := " (logs in at " + login.Issuer
	if login.AssertionFile != "" {
		text += ", which gets the file " + domain.ShellWord(login.AssertionFile)
	}
	return text + ")"
}
