package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain"
)

// entryName is what hosts call the workbench.
const entryName = "workbench"

// connecting is what connect and disconnect share.
type connecting struct {
	editing
	all, replace bool

	machine     hostfiles.Machine
	connections *hostfiles.Connections
	hosts       []hostfiles.Host
}

// connection is what became of one host. It is the form of --json.
type connection struct {
	Host     string   `json:"host"`
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Changes  bool     `json:"changes"`
	Written  bool     `json:"written"`
	Replaced []string `json:"replaced"`
	Restored []string `json:"restored"`
	Notes    []string `json:"notes"`
	Diff     string   `json:"diff,omitempty"`
	Error    string   `json:"error,omitempty"`

	entry hostfiles.Entry // what the host gets, none when it is disconnected
}

func (c *connection) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// hostArguments checks that hosts are named, or all of them are meant.
func (c *connecting) hostArguments(_ *cobra.Command, hosts []string) error {
	switch {
	case c.all && len(hosts) > 0:
		return errors.New("name hosts, or use --all, not both")
	case !c.all && len(hosts) == 0:
		return fmt.Errorf("name a host (%s), or use --all", strings.Join(hostIDs(), ", "))
	}
	for _, id := range hosts {
		if _, known := hostfiles.Find(id); !known {
			return unknownHost(id)
		}
	}
	return nil
}

func unknownHost(id string) error {
	return fmt.Errorf("unknown host %q%s", id, domain.Suggest(id, hostIDs()))
}

func hostIDs() []string {
	var ids []string
	for _, host := range hostfiles.Hosts() {
		ids = append(ids, host.ID)
	}
	return ids
}

// prepare finds the hosts that are meant.
func (c *connecting) prepare(options options, ids []string) error {
	c.open(options)
	if err := c.findMachine(); err != nil {
		return err
	}
	for _, host := range hostfiles.Hosts() {
		if slices.Contains(ids, host.ID) || c.all && host.IsPresent(c.machine) {
			c.hosts = append(c.hosts, host)
		}
	}
	if len(c.hosts) == 0 {
		return fmt.Errorf("no host was found on this machine; name the one that you use: %s", strings.Join(hostIDs(), ", "))
	}
	return nil
}

// findMachine finds where hosts have their files, and where the program remembers what
// it did to them.
func (c *connecting) findMachine() error {
	state, err := stateDirectory()
	if err != nil {
		return err
	}
	c.connections = hostfiles.NewConnections(filepath.Join(state, "connections"))
	if c.machine, err = hostfiles.ThisMachine(); err != nil {
		return fmt.Errorf("find the files of hosts: %w", err)
	}
	return nil
}

// each plans the change of each host, shows it and makes it. What fails for one host
// does not keep the others.
func (c *connecting) each(plan func(hostfiles.Host, *connection) (hostfiles.Change, error)) error {
	results := make([]connection, 0, len(c.hosts))
	failed := false
	for _, host := range c.hosts {
		result := connection{
			Host: host.ID, Name: host.Name, File: host.UserFile(c.machine).Path,
			Replaced: []string{}, Restored: []string{}, Notes: []string{},
		}
		change, err := plan(host, &result)
		if err == nil {
			err = c.make(host, change, &result)
		}
		if err != nil {
			failed = true
			result.Error = err.Error()
			console.Err.Printf("mcp-workbench: %s: %v\n", host.Name, err)
		}
		results = append(results, result)
	}
	return c.finish(map[string]any{"hosts": results}, failed)
}

// make shows a planned change and makes it after a yes.
func (c *connecting) make(host hostfiles.Host, change hostfiles.Change, result *connection) error {
	if change.IsEmpty() {
		return c.say("%s: nothing to change in %s", host.Name, change.File.Path)
	}
	result.Changes = true
	own, byItself := c.ownCommand(host, change, result.entry)
	if byItself {
		result.note("%s changes the file itself, since it rewrites it while it runs", host.Name)
	}
	if target, err := hostfiles.Writable(change.File.Path); err == nil && target != change.File.Path {
		result.note("%s is a link: %s is written", change.File.Path, target)
	}
	for _, note := range result.Notes {
		if err := c.say("note: %s", note); err != nil {
			return err
		}
	}
	p := proposal{
		path:   change.File.Path,
		before: hostfiles.Masked(change.File, change.Before), after: hostfiles.Masked(change.File, change.After),
		apply: func() error {
			if byItself {
				return c.connections.ApplyBy(change, own.run)
			}
			return c.connections.Apply(change)
		},
	}
	result.Diff = p.diff()
	written, err := c.settle(p)
	result.Written = written && err == nil
	if err != nil || !written {
		return err
	}
	return c.say("%s: written. Restart %s, or start a new session in it.", host.Name, host.Name)
}
