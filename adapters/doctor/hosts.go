package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// hosts are the hosts on this machine, with what their files contain.
type hosts struct {
	found []host
	// program is the path of this program.
	program string
	// used is the configuration in use.
	used hostfiles.Configuration
	// isDefault is set if the configuration in use is found without being named.
	isDefault bool
	// entry is the name of the workbench in the files of hosts.
	entry string
	// servers are the servers of the configuration, and compare compares them with those of hosts.
	servers []setup.Settings
	compare setup.Comparison
}

// host is a host with its entries for the workbench.
type host struct {
	hostfiles.Host
	files   []hostfiles.File
	entries []setup.Server
	// unreadable has a finding for each file that cannot be read.
	unreadable []Finding
}

// readHosts reads the files of all hosts. It returns no hosts when this machine's folders or the
// path of this program are unknown, or when the configuration can no longer be read, since there
// is nothing to compare their entries with then.
func readHosts(configuration *config.Configuration, surroundings Surroundings) hosts {
	machine, err := hostfiles.ThisMachine()
	if err != nil {
		return hosts{}
	}
	program, err := os.Executable()
	if err != nil {
		return hosts{}
	}
	servers, err := surroundings.Configured(configuration.Path)
	if err != nil {
		return hosts{} // the configuration was read before, so it is changing now
	}
	h := hosts{
		program: program, isDefault: configuration.Origin == config.FromUserConfigDirectory,
		used:  hostfiles.Configuration{Path: configuration.Path, IsNamed: configuration.Origin.IsNamed()},
		entry: surroundings.Entry, servers: servers, compare: setup.Comparison{Keys: surroundings.Keys, Lookup: os.LookupEnv},
	}
	for _, known := range hostfiles.Hosts() {
		h.found = append(h.found, readHost(known, machine, surroundings.Entry))
	}
	return h
}

func readHost(known hostfiles.Host, machine hostfiles.Machine, entry string) host {
	read := host{Host: known, files: known.Files(machine)}
	for _, file := range read.files {
		servers, err := hostfiles.Read(file)
		if last := len(read.unreadable) - 1; err != nil && (last < 0 || read.unreadable[last].About != file.Path) { // one file may contain several lists
			read.unreadable = append(read.unreadable, Finding{codeHostFile, file.Path, fmt.Sprintf("%s cannot read it either: %v", known.Name, err), "correct that file"})
		}
		for _, server := range servers {
			// An entry with an address leads to another workbench, with a configuration of its own.
			if (server.Name == entry || programs.StartsWorkbench(server.Settings.Command, server.Settings.Args)) && server.Settings.URL == "" && !server.Settings.Disabled {
				read.entries = append(read.entries, server)
			}
		}
	}
	return read
}

// existing returns how many hosts have a file on this machine.
func (h hosts) existing() int {
	count := 0
	for _, host := range h.found {
		if slices.ContainsFunc(host.files, func(file hostfiles.File) bool { _, err := os.Stat(file.Path); return err == nil }) {
			count++
		}
	}
	return count
}

// connected returns the hosts that start a workbench with the configuration in use.
func (h hosts) connected() []host {
	var connected []host
	for _, host := range h.found {
		uses := func(entry setup.Server) bool { return h.used.UsedBy(entry.Settings) }
		if slices.ContainsFunc(host.entries, uses) {
			connected = append(connected, host)
		}
	}
	return connected
}

// checkHosts finds hosts that start another program or use another configuration, and
// connected hosts that also have servers of the configuration themselves.
func checkHosts(_ context.Context, d *Doctor) []Finding {
	var findings []Finding
	var elsewhere []string
	for _, host := range d.hosts.found {
		findings = append(findings, host.unreadable...)
		isConnected := false
		for _, entry := range host.entries {
			isElsewhere := d.hosts.isElsewhere(entry.Settings)
			if isElsewhere && !slices.Contains(elsewhere, host.Name) {
				elsewhere = append(elsewhere, host.Name)
			}
			isConnected = isConnected || !isElsewhere
			findings = append(findings, d.hosts.checkEntry(host, entry)...)
		}
		if isConnected {
			findings = append(findings, d.hosts.checkTwice(host)...)
		}
	}
	if len(elsewhere) > 0 {
		findings = append(findings, Finding{
			Code: codeElsewhere, About: d.hosts.used.Path,
			Found: "hosts on this machine use other configurations: " + strings.Join(elsewhere, ", "),
			Fix:   d.hosts.connect("HOST") + " makes one use this file",
		})
	}
	return findings
}

// isElsewhere reports whether an entry uses another configuration that exists while the one in use was
// named for this command, so that neither is a fault.
func (h hosts) isElsewhere(settings setup.Settings) bool {
	if h.isDefault {
		return false
	}
	path := hostfiles.ConfigurationOf(settings)
	if path == "" {
		return true
	}
	info, err := os.Stat(path)
	if err != nil || !filepath.IsAbs(path) {
		return false
	}
	own, err := os.Stat(h.used.Path)
	return err == nil && !os.SameFile(info, own)
}

// checkEntry examines a host's entry for the workbench.
func (h hosts) checkEntry(host host, entry setup.Server) []Finding {
	fix := "correct it there"
	if entry.File.Scope == setup.User && entry.Name == h.entry && programs.IsWorkbench(entry.Settings.Command) {
		fix = h.connect(host.ID) + " writes it again"
	}
	var findings []Finding
	wrong := []string{h.wrongProgram(entry.Settings)}
	if !h.isElsewhere(entry.Settings) {
		wrong = append(wrong, h.wrongConfiguration(entry.Settings))
	}
	for _, found := range wrong {
		if found != "" {
			findings = append(findings, Finding{codeHostEntry, entry.File.Path, fmt.Sprintf("the entry %q of %s %s", entry.Name, host.Name, found), fix})
		}
	}
	return findings
}

// checkTwice finds servers of the configuration in the files of a host.
func (h hosts) checkTwice(host host) []Finding {
	var findings []Finding
	for _, file := range host.files {
		names, _, err := hostfiles.Doubles(file, h.servers, h.entry, h.compare)
		if err != nil || len(names) == 0 {
			continue // files that cannot be read are reported already
		}
		fix := "remove them from that file"
		if removal := host.RemovalCommand(file, names); removal != "" {
			fix = "to remove: " + removal
		}
		if file.Scope == setup.User {
			fix = h.connect(host.ID, "--replace") + " removes them"
		}
		for i := range names {
			names[i] = fmt.Sprintf("%q", names[i])
		}
		findings = append(findings, Finding{
			codeHostTwice, file.Path, fmt.Sprintf("%s also has %s itself, so its model sees those tools twice", host.Name, strings.Join(names, ", ")), fix,
		})
	}
	return findings
}

// connect returns the command that connects the host of an ID with the configuration in use, in quotes.
func (h hosts) connect(id string, flags ...string) string {
	words := []string{"mcp-workbench"}
	if !h.isDefault {
		words = append(words, "--config", domain.ShellWord(h.used.Path))
	}
	return domain.QuotedCommand(strings.Join(append(append(words, "connect", id), flags...), " "))
}

// wrongProgram says what is wrong with the program of an entry, or returns "".
func (h hosts) wrongProgram(settings setup.Settings) string {
	command := settings.Command
	path := command
	switch {
	case strings.Contains(command, "$"):
		return "" // only the host knows its variables
	case command == "":
		return "starts no program"
	case !strings.ContainsAny(command, `/\`):
		if path = programs.Find(os.Getenv("PATH"), command); path == "" {
			return fmt.Sprintf("starts %s, which is not in the PATH here", command)
		}
	case !filepath.IsAbs(command):
		return fmt.Sprintf("starts %s, a path relative to whatever folder the host runs in", command)
	}
	return otherFile("starts", path, h.program)
}

// wrongConfiguration says what is wrong with the configuration of an entry, or returns "".
func (h hosts) wrongConfiguration(settings setup.Settings) string {
	path := hostfiles.ConfigurationOf(settings)
	switch {
	case strings.Contains(path, "$"):
		return "" // only the host knows its variables
	case path == "" && h.isDefault:
		return ""
	case path == "":
		return fmt.Sprintf("names no configuration, so it does not use %s", h.used.Path)
	case !filepath.IsAbs(path):
		return fmt.Sprintf("uses the configuration %s, a path relative to whatever folder the host runs in", path)
	}
	return otherFile("uses the configuration", path, h.used.Path)
}

// otherFile says that a path is not that of the wanted file, or returns "".
func otherFile(verb, path, wanted string) string {
	actual, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("%s %s, which does not exist", verb, path)
	case err != nil:
		return fmt.Sprintf("%s %s, which cannot be examined: %v", verb, path, errors.Unwrap(err))
	}
	info, err := os.Stat(wanted)
	if err == nil && !os.SameFile(actual, info) {
		return fmt.Sprintf("%s %s, not %s", verb, path, wanted)
	}
	return ""
}
