package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/terminal"
)

func newInitCommand(options *options) *cobra.Command {
	i := &initializing{}
	command := &cobra.Command{
		Use:   "init",
		Short: "Make a configuration of the servers that the hosts on this machine have",
		Long: `Make the configuration: find the hosts on this machine and the servers in them, put
the servers into toolboxes, and connect the hosts. In a terminal the command shows
everything and asks. Without one, and with --yes, it takes your own servers, none of
the project in the working directory, and connects no host; 'mcp-workbench connect
--all --replace' does that.

The configuration is written into the user's configuration directory, or where
--config says, with its JSON Schema beside it, by which editors complete and explain
keys. One that exists is never overwritten.`,
		Args: noWords,
		RunE: func(*cobra.Command, []string) error {
			i.open(*options)
			return i.run(*options)
		},
	}
	i.addFlags(command)
	return command
}

// initializing is the command init.
type initializing struct{ importing }

func (i *initializing) run(options options) error {
	own, err := newOwnFile(options)
	if err != nil {
		return ended(err)
	}
	foreign, err := own.addSchema()
	if err != nil {
		return ended(err)
	}
	found, err := findServers(nil)
	if err != nil {
		return ended(err)
	}
	asks := i.asks()
	if !asks {
		found.withoutProject()
	}
	prepared, err := own.take(found.servers, "")
	if err != nil {
		return ended(err)
	}
	if asks && len(prepared.taken) > 0 {
		if prepared, err = i.chooseServers(prepared); err != nil {
			return ended(err)
		}
	}
	result := prepared.result()
	result.Changes, result.Diff = true, prepared.diff()
	result.Unread = append(result.Unread, found.unread...)
	result.Left = append(result.Left, found.left...)
	if err := i.report(result); err != nil {
		return ended(err)
	}
	if own.schema != nil {
		result.Schema = own.schema.path
		if err := i.say("with its JSON Schema, for editors: %s", result.Schema); err != nil {
			return ended(err)
		}
	} else if err := i.say("note: %s is not the schema of this program and stays as it is, so the configuration names no schema", foreign); err != nil {
		return ended(err)
	}
	i.yes = i.yes || !asks && !i.dryRun
	if result.Written, err = i.settle(prepared.proposal); err != nil {
		return ended(err)
	}
	if asks && result.Written {
		if err := i.sayVariables(result); err != nil {
			return ended(err)
		}
		return i.connectHosts(options, own)
	}
	if asks {
		return i.say("Nothing was written; 'mcp-workbench init' asks again.")
	}
	if err := i.conclude(result); err != nil {
		return ended(err)
	}
	return i.finish(result, len(found.unread) > 0)
}

// newOwnFile returns the configuration that is to be made: where --config or
// WORKBENCH_CONFIG say, else the user's.
func newOwnFile(options options) (*ownFile, error) {
	sources, err := options.sources()
	if err != nil {
		return nil, err
	}
	file := &ownFile{sources: sources, isTrusted: true}
	file.path, file.origin = config.Place(sources)
	if file.origin == config.FromWorkingDirectory {
		file.path, file.origin = config.UserPlace(sources), config.FromUserConfigDirectory
	}
	if file.path == "" {
		return nil, errors.New("there is no user configuration directory; name a file with --config")
	}
	if _, err := os.Lstat(file.path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s exists, and is not overwritten; 'mcp-workbench import' adds servers to it, 'mcp-workbench connect --all' connects hosts", file.path)
	}
	return file, nil
}

// chooseServers asks which servers are taken.
func (i *initializing) chooseServers(p *prepared) (*prepared, error) {
	options := make([]terminal.Option, len(p.taken))
	for n, t := range p.taken {
		label := t.Toolbox + "/" + t.Name
		if host, known := hostfiles.Find(t.From.File.Host); known {
			label += "  from " + host.Name
		}
		isProject := t.From.File.Scope == hostfiles.Project
		if isProject {
			label += ", in the project of this folder"
		}
		options[n] = terminal.Option{Label: label, Chosen: !isProject}
	}
	chosen, err := i.Choose("Which servers go into toolboxes?", options)
	if err != nil {
		return nil, err
	}
	var servers []hostfiles.Server
	for n, option := range chosen {
		if option.Chosen {
			servers = append(servers, p.taken[n].From)
		}
	}
	return p.own.take(servers, "")
}

// connectHosts asks which hosts are connected, and connects them.
func (i *initializing) connectHosts(options options, own *ownFile) error {
	c := &connecting{editing: i.editing, replace: true}
	if err := c.findMachine(); err != nil {
		return ended(err)
	}
	var present []hostfiles.Host
	var lines []terminal.Option
	for _, host := range hostfiles.Hosts() {
		if host.IsPresent(c.machine) {
			present = append(present, host)
			lines = append(lines, terminal.Option{Label: host.Name, Chosen: true})
		}
	}
	if len(present) == 0 {
		return i.say("No host was found on this machine. Next: 'mcp-workbench connect HOST', then open the host")
	}
	chosen, err := i.Choose("Which hosts get the workbench in the place of these servers?", lines)
	if err != nil {
		return ended(err)
	}
	for n, line := range chosen {
		if line.Chosen {
			c.hosts = append(c.hosts, present[n])
		}
	}
	options.config = own.path
	return c.connect(options)
}

// conclude prints what is to be done next.
func (i *initializing) conclude(result importResult) error {
	if err := i.sayVariables(result); err != nil {
		return err
	}
	if !result.Written {
		return nil
	}
	next := "'mcp-workbench connect --all --replace', then open the host"
	if len(result.Imported) == 0 {
		next = strings.Join([]string{"'mcp-workbench add NAME -- COMMAND ARGS…'", "'mcp-workbench connect HOST'"}, ", then ")
	}
	return i.say("%s: written. Next: %s", result.File, next)
}
