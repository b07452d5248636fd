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
	// left are the servers that these files have for others.
	left   []setup.Skipped
	unread []unreadFile
	// plugins are the folders in which these hosts look for plugins.
	plugins []foundPlugin
}

func (f *found) add(path string, servers []setup.Server, err error) {
	if err != nil {
		f.unread = append(f.unread, unreadFile{File: path, Error: err.Error()})
	}
	f.servers = append(f.servers, servers...)
}

// findServers reads the named hosts and files, or every host. Files that cannot be read are
// reported beside the servers of the others.
func (p *Program) findServers(sources []string) (found, error) {
	machine, err := hostfiles.ThisMachine()
	if err != nil {
		return found{}, fmt.Errorf("find the files of hosts: %w", err)
	}
	result := found{unread: []unreadFile{}}
	result.addPlugins(machine, sources)
	if len(sources) == 0 {
		sources = hostfiles.IDs()
	}
	for _, source := range sources {
		host, known := hostfiles.Find(source)
		if !known && pluginFolder(source) != "" {
			continue
		}
		if !known {
			servers, left, err := p.readFile(machine, source)
			result.add(source, servers, err)
			result.left = append(result.left, left...)
			continue
		}
		for _, file := range host.Files(machine) {
			servers, left, err := readHost(file)
			result.add(file.Path, servers, err)
			result.left = append(result.left, left...)
		}
	}
	return result, nil
}

// addPlugins adds the folders of plugins of the named hosts and those that are named themselves, or those of every host.
func (f *found) addPlugins(machine hostfiles.Machine, sources []string) {
	var hosts []string
	for _, source := range sources {
		if _, known := hostfiles.Find(source); known {
			hosts = append(hosts, source)
		} else if folder := pluginFolder(source); folder != "" {
			f.plugins = append(f.plugins, foundPlugin{PluginPlace: hostfiles.PluginPlace{Folder: folder}})
		}
	}
	if len(hosts) == 0 && len(sources) > 0 {
		return
	}
	for _, place := range machine.Plugins(hosts) {
		f.plugins = append(f.plugins, foundPlugin{PluginPlace: place})
	}
}

// readHost reads a file of a host: its servers, and those that it has for others.
func readHost(file hostfiles.File) ([]setup.Server, []setup.Skipped, error) {
	text, err := hostfiles.LoadIfThere(file.Path)
	if err != nil || text == nil {
		return nil, nil, err
	}
	servers, err := hostfiles.Parse(file, text)
	return servers, file.Elsewhere(text), err
}

// readFile reads a file whose host is unknown, "-" for standard input.
func (p *Program) readFile(machine hostfiles.Machine, path string) ([]setup.Server, []setup.Skipped, error) {
	var text []byte
	var err error
	if path == "-" {
		path = "standard input"
		text, err = io.ReadAll(io.LimitReader(p.Console.Input(), hostfiles.MaxFile))
	} else if path, err = filepath.Abs(path); err == nil {
		text, err = hostfiles.Load(path)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read servers: %w", err)
	}
	file, err := hostfiles.FileOf(machine, path, text)
	left := file.Elsewhere(text)
	if errors.Is(err, hostfiles.ErrNoServers) && len(left) > 0 {
		return nil, left, nil
	}
	if err != nil {
		return nil, nil, err
	}
	servers, err := hostfiles.Parse(file, text)
	return servers, left, err
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
