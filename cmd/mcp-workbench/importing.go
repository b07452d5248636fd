package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/configtext"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/hostimport"
)

// foundServers are the servers in the files of hosts, and the files that cannot be read.
type foundServers struct {
	servers []hostfiles.Server
	unread  []unreadFile
	left    []leftServer
}

// withoutProject leaves the servers of the project in the working directory: somebody
// else may have written them, and nobody looks at what is taken.
func (f *foundServers) withoutProject() {
	f.servers = slices.DeleteFunc(f.servers, func(server hostfiles.Server) bool {
		if server.File.Scope != hostfiles.Project {
			return false
		}
		f.left = append(f.left, leftServer{
			Server: server.Name, Host: server.File.Host, File: server.File.Path,
			Reason: "it belongs to the project in this folder; 'mcp-workbench import " + server.File.Host + "' takes it",
		})
		return true
	})
}

func (f *foundServers) add(path string, servers []hostfiles.Server, err error) {
	if err != nil {
		f.unread = append(f.unread, unreadFile{File: path, Error: err.Error()})
	}
	f.servers = append(f.servers, servers...)
}

// findServers reads hosts and files by their names, every host without one. A file that
// cannot be read does not keep the others.
func findServers(sources []string) (foundServers, error) {
	machine, err := hostfiles.ThisMachine()
	if err != nil {
		return foundServers{}, fmt.Errorf("find the files of hosts: %w", err)
	}
	if len(sources) == 0 {
		sources = hostIDs()
	}
	var found foundServers
	for _, source := range sources {
		host, known := hostfiles.Find(source)
		if !known {
			servers, err := readAny(machine, source)
			found.add(source, servers, err)
			continue
		}
		for _, file := range host.Files(machine) {
			servers, err := hostfiles.Read(file)
			found.add(file.Path, servers, err)
		}
	}
	return found, nil
}

// readAny reads a file of an unknown host, "-" for standard input.
func readAny(machine hostfiles.Machine, path string) ([]hostfiles.Server, error) {
	var text []byte
	var err error
	if path == "-" {
		path = "standard input"
		text, err = io.ReadAll(io.LimitReader(console.Input(), hostfiles.MaxFile))
	} else if path, err = filepath.Abs(path); err == nil {
		text, err = hostfiles.Load(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read servers: %w", err)
	}
	file, err := hostfiles.FileOf(machine, path, text)
	if err != nil {
		return nil, err
	}
	return hostfiles.Parse(file, text)
}

// take returns the configuration with servers of hosts in it. A server that the check of
// the configuration refuses is taken as a disabled one, with a note.
func (f *ownFile) take(found []hostfiles.Server, toolbox string) (*prepared, error) {
	existing, err := configtext.Toolboxes(f.text())
	if err != nil {
		return nil, err
	}
	p := &prepared{own: f, after: f.text()}
	p.taken, p.left = hostimport.Decide(existing, found, hostimport.Options{
		Toolbox: toolbox, Dynamic: f.dynamic, Shared: f.isShared(), Lookup: os.LookupEnv,
	})
	private := false
	for i := range p.taken {
		if err := p.add(&p.taken[i]); err != nil {
			return nil, err
		}
		private = private || p.taken[i].Settings.HasInlineSecrets()
		for _, secret := range p.taken[i].Secrets {
			private = private || !secret.Referred
		}
	}
	p.proposal = f.proposal(p.after, private)
	return p, nil
}

// add puts a server into the text.
func (p *prepared) add(t *hostimport.Taken) error {
	after, err := configtext.Add(p.after, t.Toolbox, t.Description, t.Name, t.Settings)
	if err != nil {
		return err
	}
	_, err = p.own.check(after)
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok && !t.Settings.Disabled {
		t.Notes = append(t.Notes, "it is disabled, since it cannot be used as it is: "+invalid.Problems[0].String())
		t.Settings.Disabled = true
		if after, err = configtext.Add(p.after, t.Toolbox, t.Description, t.Name, t.Settings); err == nil {
			_, err = p.own.check(after)
		}
	}
	if err != nil {
		return unusable(err)
	}
	p.after = after
	return nil
}
