package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain"
)

// hostExamination looks at how the hosts on a machine start the workbench.
type hostExamination struct {
	machine hostfiles.Machine
	// program is this program, and configuration the path of the file in use, which is
	// byDefault when it is found without being named.
	program, configuration string
	byDefault              bool
	servers                []hostfiles.Settings

	findings []finding
	// connected are the IDs of the hosts that start a workbench.
	connected []string
}

// examineHosts finds hosts that start another program or use another configuration,
// and those that have the servers of the configuration themselves. It returns the IDs of
// the hosts that start a workbench, too. On a machine whose files of hosts cannot be
// placed, because there is no home directory, there is nothing to find.
func examineHosts(configuration *config.Configuration) (findings []finding, connected []string) {
	machine, err := hostfiles.ThisMachine()
	if err != nil {
		return nil, nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil, nil
	}
	servers, err := serversIn(configuration.Path)
	if err != nil {
		return nil, nil // the configuration was read before, so it changes just now
	}
	e := &hostExamination{
		machine: machine, program: program, configuration: configuration.Path,
		byDefault: configuration.Origin == config.FromUserConfigDirectory, servers: servers,
	}
	for _, host := range hostfiles.Hosts() {
		e.examine(host)
	}
	return e.findings, e.connected
}

func (e *hostExamination) add(code, about, found, mend string) {
	e.findings = append(e.findings, finding{Code: code, About: about, Found: found, Mend: mend})
}

// examine looks at one host.
func (e *hostExamination) examine(host hostfiles.Host) {
	isConnected := false
	unreadable := ""
	for _, file := range host.Files(e.machine) {
		servers, err := hostfiles.Read(file)
		if err != nil && file.Path != unreadable {
			unreadable = file.Path // one file may hold several lists
			e.add(codeHostUnread, file.Path, fmt.Sprintf("%s cannot read it either: %v", host.Name, err), "correct that file")
		}
		for _, server := range servers {
			if !isWorkbench(server) || server.Settings.Disabled {
				continue
			}
			isConnected = true
			e.entry(host, server)
		}
	}
	if !isConnected {
		return
	}
	e.connected = append(e.connected, host.ID)
	for _, file := range host.Files(e.machine) {
		e.twice(host, file)
	}
}

// isWorkbench reports whether a host's server is meant to be the workbench.
func isWorkbench(server hostfiles.Server) bool {
	return server.Name == entryName || isProgramOfWorkbench(server.Settings.Command)
}

func isProgramOfWorkbench(command string) bool {
	return strings.HasPrefix(filepath.Base(command), "mcp-workbench")
}

// entry looks at a host's entry for the workbench.
func (e *hostExamination) entry(host hostfiles.Host, server hostfiles.Server) {
	mend := "correct it there"
	if server.File.Scope == hostfiles.User && server.Name == entryName && isProgramOfWorkbench(server.Settings.Command) {
		mend = fmt.Sprintf("'%s' writes it again", e.connect(host))
	}
	for _, found := range []string{e.wrongProgram(server.Settings), e.wrongConfiguration(server.Settings)} {
		if found != "" {
			e.add(codeHostEntry, server.File.Path, fmt.Sprintf("the entry %q of %s %s", server.Name, host.Name, found), mend)
		}
	}
}

// connect returns the command that connects a host with the configuration in use.
func (e *hostExamination) connect(host hostfiles.Host, flags ...string) string {
	words := []string{"mcp-workbench"}
	if !e.byDefault {
		words = append(words, "--config", domain.ShellWord(e.configuration))
	}
	return strings.Join(append(append(words, "connect", host.ID), flags...), " ")
}

// wrongProgram says what is wrong with the program of an entry, "" for nothing.
func (e *hostExamination) wrongProgram(settings hostfiles.Settings) string {
	command := settings.Command
	path := command
	switch {
	case strings.Contains(command, "$"):
		return "" // only the host knows
	case command == "":
		return "starts no program"
	case !strings.ContainsAny(command, `/\`):
		if path = findIn(os.Getenv("PATH"), command); path == "" {
			return fmt.Sprintf("starts %s, which is not in the PATH here", command)
		}
	case !filepath.IsAbs(command):
		return fmt.Sprintf("starts %s, a path that counts from whatever folder the host runs in", command)
	}
	return different("starts", path, e.program)
}

// wrongConfiguration says what is wrong with the configuration of an entry, "" for
// nothing.
func (e *hostExamination) wrongConfiguration(settings hostfiles.Settings) string {
	path := configurationOf(settings)
	switch {
	case strings.Contains(path, "$"):
		return "" // only the host knows
	case path == "" && e.byDefault:
		return ""
	case path == "":
		return fmt.Sprintf("names no configuration, so it does not use %s", e.configuration)
	case !filepath.IsAbs(path):
		return fmt.Sprintf("uses the configuration %s, a path that counts from whatever folder the host runs in", path)
	}
	return different("uses the configuration", path, e.configuration)
}

// configurationOf returns the configuration that an entry names, "" for none.
func configurationOf(settings hostfiles.Settings) string {
	for i, arg := range settings.Args {
		if path, ok := strings.CutPrefix(arg, "--config="); ok {
			return path
		}
		if arg == "--config" && i+1 < len(settings.Args) {
			return settings.Args[i+1]
		}
	}
	return settings.Env["WORKBENCH_CONFIG"]
}

// different says that a path leads to another file than the one that is wanted, or to
// none, "" when it leads there.
func different(does, path, wanted string) string {
	is, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("%s %s, which does not exist", does, path)
	case err != nil:
		return fmt.Sprintf("%s %s, which cannot be looked at: %v", does, path, errors.Unwrap(err))
	}
	want, err := os.Stat(wanted)
	if err == nil && !os.SameFile(is, want) {
		return fmt.Sprintf("%s %s, not %s", does, path, wanted)
	}
	return ""
}

// twice looks for servers of the configuration in a file of a host that starts the
// workbench.
func (e *hostExamination) twice(host hostfiles.Host, file hostfiles.File) {
	names, err := hostfiles.AlsoIn(file, e.servers, entryName)
	if err != nil || len(names) == 0 {
		return // a file that cannot be read was found before
	}
	mend := "take them out of that file"
	if file.Scope == hostfiles.User {
		mend = fmt.Sprintf("'%s' takes them out", e.connect(host, "--replace"))
	}
	e.add(codeHostTwice, file.Path, fmt.Sprintf("%s also has %s itself, so its model sees those tools twice", host.Name, quotedList(names)), mend)
}
