package setup

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// found are the servers in the files of hosts.
type found struct {
	servers []setup.Server
	unread  []unreadFile
}

func (f *found) add(path string, servers []setup.Server, err error) {
	if err != nil {
		f.unread = append(f.unread, unreadFile{File: path, Error: err.Error()})
	}
	f.servers = append(f.servers, servers...)
}

// findServers reads the named hosts and files, or every host. Files that cannot be read are
// reported beside the servers of the others.
func (e *Editor) findServers(sources []string) (found, error) {
	machine, err := hostfiles.ThisMachine()
	if err != nil {
		return found{}, fmt.Errorf("find the files of hosts: %w", err)
	}
	if len(sources) == 0 {
		sources = hostfiles.IDs()
	}
	result := found{unread: []unreadFile{}}
	for _, source := range sources {
		host, known := hostfiles.Find(source)
		if !known {
			servers, err := e.readFile(machine, source)
			result.add(source, servers, err)
			continue
		}
		for _, file := range host.Files(machine) {
			servers, err := hostfiles.Read(file)
			result.add(file.Path, servers, err)
		}
	}
	return result, nil
}

// readFile reads a file whose host is unknown, "-" for standard input.
func (e *Editor) readFile(machine hostfiles.Machine, path string) ([]setup.Server, error) {
	var text []byte
	var err error
	if path == "-" {
		path = "standard input"
		text, err = io.ReadAll(io.LimitReader(e.Console.Input(), hostfiles.MaxFile))
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

// CheckSources checks the names of hosts and files to import.
func CheckSources(sources []string) error {
	for _, source := range sources {
		if source == "-" || strings.ContainsAny(source, `./\`) {
			continue
		}
		if _, err := os.Stat(source); err == nil {
			continue
		}
		if err := checkHosts([]string{source}); err != nil {
			return err
		}
	}
	return nil
}

// CheckNamedHosts fails unless hosts that are known are named, or all hosts are meant.
func CheckNamedHosts(ids []string, everyHost bool) error {
	switch {
	case everyHost && len(ids) > 0:
		return errors.New("name hosts, or use --all, not both")
	case !everyHost && len(ids) == 0:
		return errors.New("name a host (" + strings.Join(hostfiles.IDs(), ", ") + "), or use --all")
	}
	return checkHosts(ids)
}

// checkHosts checks the IDs of hosts.
func checkHosts(ids []string) error {
	for _, id := range ids {
		if _, known := hostfiles.Find(id); !known {
			return fmt.Errorf("unknown host %q%s", id, domain.Suggest(id, hostfiles.IDs()))
		}
	}
	return nil
}
