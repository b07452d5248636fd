package trust

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/adapters/config/review"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
	"mcp-workbench/ports"
)

// Review describes the servers that the configuration at a path, which was loaded to be reviewed, would start or reach, all
// other keys of it that decide something, the files and variables that it would read, and the packages that the lock beside it
// pins.
func Review(configuration *config.Configuration, transports map[string]ports.Transport, path string) []string {
	return reviewSince(configuration, transports, path, states{})
}

// states are what a configuration said when it was trusted, and what it says now. Before has no servers if that is not known.
type states struct {
	before, after config.State
	locked        []string // what the lock held before
}

// review is Review for a file, with what is weaker than when it was trusted.
//
// Decision: a text is compared by what its review shows, so a record needs no secrets, and another secret is no change.
func (c Consent) review(configuration *config.Configuration, transports map[string]ports.Transport, file *config.UntrustedError) []string {
	said := c.Records.SaidAt(file.Path)
	return reviewSince(configuration, transports, file.Path, states{
		before: config.StateOf(transports, []byte(said.File)), after: config.StateOf(transports, c.Masked(file.Text)), locked: said.Lock,
	})
}

func reviewSince(configuration *config.Configuration, transports map[string]ports.Transport, path string, since states) []string {
	lines := slices.Concat(reviewLines(configuration, transports, since), weaker(transports, since))
	for _, used := range configuration.Plugins {
		for _, line := range aboutPlugin(used) {
			lines = append(lines, string(used.Toolbox)+": "+line)
		}
	}
	for _, closed := range configuration.Closed() {
		lines = append(lines, closed.Error())
	}
	held := heldBy(lockfile.Beside(path))
	for _, line := range since.locked {
		server, what, _ := strings.Cut(line, ": ")
		isThere := func(s domain.Server) bool { return s.ID.Path() == server }
		if !slices.Contains(held, line) && slices.ContainsFunc(slices.Collect(domain.ServersOf(configuration.Catalog.Toolboxes())), isThere) {
			lines = append(lines, server+careMark+"the lock no longer holds "+what)
		}
	}
	return slices.Concat(lines, packageLines(path))
}

// besideServers are the traits of keys of the root and of toolboxes that protect the user, or lead elsewhere.
const besideServers = keys.Protection | keys.File | keys.Address | keys.Apart | keys.Shown | keys.Path

// weaker returns a line for each key beside the servers that protects less than before, and for those of servers that are gone,
// since they may be there again under another name.
func weaker(transports map[string]ports.Transport, since states) []string {
	if len(since.before.Servers) == 0 {
		return nil
	}
	var lines []string
	for _, care := range review.Weaker(besideServers, since.before.Beside, since.after.Beside) {
		lines = append(lines, strings.TrimPrefix(careMark, ": ")+care)
	}
	described := config.KeysOfServers(transports)
	for _, id := range slices.SortedFunc(maps.Keys(since.before.Servers), domain.ServerID.Compare) {
		if _, stays := since.after.Servers[id]; !stays {
			for _, care := range review.Weaker(keys.Strict, described.Values(since.before.Servers[id]), nil) {
				lines = append(lines, id.Path()+careMark+care)
			}
		}
	}
	return lines
}

// heldBy names what a lock holds: a server, a colon, and its package or its tools.
func heldBy(file *lockfile.File) []string {
	lock, err := file.Lock()
	if err != nil || lock == nil {
		return nil
	}
	var lines []string
	for _, pin := range lock.Packages {
		lines = append(lines, fmt.Sprintf("%s: the package %s (%s)", pin.ID.Path(), pin.Name, pin.Kind))
	}
	for _, server := range lock.Servers {
		lines = append(lines, server.ID.Path()+": the definitions of its tools")
	}
	return lines
}

// careMark is in the lines about what gives more than a server needs.
const careMark = ": needs care: "

// serverLines returns a line about each server that a configuration starts or reaches.
func serverLines(configuration *config.Configuration, transports map[string]ports.Transport, since states) []string {
	var lines []string
	servers := config.KeysOfServers(transports)
	for server := range domain.ServersOf(configuration.Catalog.Toolboxes()) {
		change := review.Change{Keys: servers, After: server.Configured, IsForeign: true}
		if server.IsOfPlugin {
			change.Reads = func(variable string) bool { return slices.Contains(configuration.Reads, variable) }
		}
		before, wasThere := since.before.Servers[server.ID]
		if after, isThere := since.after.Servers[server.ID]; wasThere && isThere {
			change.Before, change.After = before, after
		}
		reviewed := review.Of(change)
		lines = append(lines, server.ID.Path()+": "+reviewed.Runs+loginTarget(server.Shown.Login))
		for _, detail := range reviewed.Details {
			lines = append(lines, server.ID.Path()+": "+detail)
		}
		for _, grant := range reviewed.Grants {
			lines = append(lines, server.ID.Path()+": "+grant.Line)
		}
		for _, care := range reviewed.NeedsCare {
			lines = append(lines, server.ID.Path()+careMark+care)
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "nothing: it has no servers")
	}
	return lines
}

// reviewLines returns lines about the servers that a configuration starts or reaches, the files that it
// includes, its secrets, the variables that it reads, and what its other keys decide.
func reviewLines(configuration *config.Configuration, transports map[string]ports.Transport, since states) []string {
	lines, readsAll := serverLines(configuration, transports, since), false
	for server := range domain.ServersOf(configuration.Catalog.Toolboxes()) {
		readsAll = readsAll || server.Shown.InheritsAll
	}
	lines = append(lines, keyLines(configuration)...)
	for _, path := range configuration.Included {
		line := "includes " + domain.ShellWord(path)
		if path == configuration.Own {
			line += ", your own configuration, which keeps its protections and its lock"
		} else {
			line += ", which needs its own trust"
		}
		lines = append(lines, line)
	}
	lines = append(lines, secrets(configuration)...)
	names := slices.Concat(configuration.Reads, configuration.Catalog.Inherited())
	slices.Sort(names)
	switch names = slices.Compact(names); {
	case readsAll:
		lines = append(lines, `variables that it reads: all variables ("inheritEnv": "all")`)
	case len(names) > 0:
		lines = append(lines, "variables that it reads: "+strings.Join(names, ", "))
	}
	return lines
}

// secrets returns a line for each command that prints a secret, and for each file with secrets that is read.
func secrets(configuration *config.Configuration) []string {
	var lines []string
	for _, place := range configuration.Secrets {
		text := "reads " + domain.ShellWord(place.File)
		if place.File == "" {
			text = "runs"
			for _, word := range append([]string{place.Program.Command}, place.Program.Args...) {
				text += " " + domain.ShellWord(word)
			}
		}
		lines = append(lines, "secret "+place.Variable+": "+text)
	}
	if configuration.EnvFile != "" {
		lines = append(lines, "variables from the file "+domain.ShellWord(configuration.EnvFile))
	}
	for _, value := range configuration.Values {
		lines = append(lines, value.Decides+" depends on "+value.Variable+", which is "+
			domain.ShellWord(masking.ShownVariable(value.Variable, value.Value))+" in "+domain.ShellWord(value.File)+"; another value needs trust again")
	}
	return lines
}

// packageLines returns a line for each package that the lock beside a configuration pins, with the addresses
// from which it is installed besides the registry of the user.
func packageLines(path string) []string {
	file := lockfile.Beside(path)
	lock, err := file.Lock()
	switch {
	case err != nil:
		return []string{"the lock beside it cannot be used: " + strings.TrimPrefix(err.Error(), file.Path()+": ")}
	case lock == nil:
		return nil
	}
	var lines []string
	for _, pin := range lock.Packages {
		line := pin.ID.Path() + ": runs " + pin.String() + ", as the lock pins it"
		lines = append(lines, line+installedFrom(file, pin))
	}
	return lines
}

// installedFrom returns the addresses of the tarballs that a pinned package of npm consists of, or why its lock file
// cannot be used, as the end of a line.
func installedFrom(file *lockfile.File, pin domain.PinnedPackage) string {
	if pin.Kind != domain.PackageNPM {
		return ""
	}
	text, err := file.PackageLock(pin.ID, pin.PackagePin)
	var addresses []string
	if err == nil {
		addresses, err = packages.Tarballs(text, pin.Name)
	}
	switch {
	case err != nil:
		return "; but its lock file cannot be used: " + err.Error()
	case len(addresses) > 0:
		return ", and installs " + strings.Join(addresses, ", ")
	}
	return ""
}

// loginTarget names the configured authorization server and the file that is sent to it.
func loginTarget(login domain.LoginTraits) string {
	if login.Issuer == "" {
		return "" // without an issuer no secret is sent
	}
	text := " (logs in at " + login.Issuer
	if login.AssertionFile != "" {
		text += ", which gets the file " + domain.ShellWord(login.AssertionFile)
	}
	return text + ")"
}

// keyLines returns a line for each key of a configuration that decides something and has no line of its own.
func keyLines(configuration *config.Configuration) []string {
	var lines []string
	for _, given := range configuration.Given {
		owner := ""
		if given.Toolbox != "" {
			owner = strings.TrimSuffix(domain.ServerID{Toolbox: given.Toolbox, Server: given.Server}.Path(), "/") + ": "
		}
		lines = append(lines, owner+given.Path+" is "+value(given))
	}
	return lines
}

// value returns the value of a key as JSON, without secrets. The path of a hidden file is shown.
func value(given config.GivenKey) string {
	key := given.Key
	if key.Trait &^= keys.Hidden; bytes.Contains(given.Value, []byte("-----BEGIN")) {
		key.Trait |= keys.Secret
	}
	return review.Shown(key, given.Value)
}
