package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/configtext"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/system/atomicfile"
)

func newConnectCommand(options *options) *cobra.Command {
	c := &connecting{}
	command := &cobra.Command{
		Use:   "connect HOST…",
		Short: "Write the workbench into the files of hosts",
		Long: `Write the workbench into the file in which a host keeps its MCP servers: this
program, with the configuration in use. Everything else in the file stays as it is.
The command shows the change and asks. 'mcp-workbench disconnect' undoes it.

Hosts: ` + strings.Join(hostIDs(), ", ") + `.`,
		Args: c.hostArguments,
		RunE: func(_ *cobra.Command, hosts []string) error {
			if err := c.prepare(*options, hosts); err != nil {
				return ended(err)
			}
			return c.connect(*options)
		},
	}
	c.addFlags(command)
	command.Flags().BoolVar(&c.all, "all", false, "every host on this machine")
	command.Flags().BoolVar(&c.replace, "replace", false, "take the servers out of the host's file that are in the configuration")
	return command
}

// connect writes the workbench into the files of the hosts.
func (c *connecting) connect(options options) error {
	// What is written into a host is named from then on, and needs no trust.
	configuration, err := options.starting().load(newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
	if err != nil {
		return unusable(err)
	}
	if configuration.Path == "" {
		return &exitError{code: exitConfiguration, err: noConfiguration(configuration)}
	}
	entry, err := entryFor(configuration, options.allowsForeign)
	if err != nil {
		return ended(err)
	}
	servers, err := serversIn(configuration.Path)
	if err != nil {
		return ended(err)
	}
	return c.each(func(host hostfiles.Host, result *connection) (hostfiles.Change, error) {
		file := host.UserFile(c.machine)
		adapted := entry
		adapted.Variables = variablesFor(host, configuration, result)
		if adapted.Values, err = c.handOn(host, file, adapted.Variables, result); err != nil {
			return hostfiles.Change{}, err
		}
		twice, err := hostfiles.AlsoIn(file, servers, entryName)
		if err != nil {
			return hostfiles.Change{}, err
		}
		if !c.replace {
			if len(twice) > 0 {
				result.note("%s also has %s itself, so the model would see those tools twice; '--replace' takes them out", host.Name, quotedList(twice))
			}
			twice = nil
		}
		if err := c.noteOthers(host, servers, result); err != nil {
			return hostfiles.Change{}, err
		}
		result.Replaced = append(result.Replaced, twice...)
		if host.Note != "" {
			result.note("%s", host.Note)
		}
		result.entry = adapted
		return c.connections.Connect(file, entryName, adapted, twice)
	})
}

// noteOthers names servers of the configuration that the host also has in other files:
// those of the project, which are not the user's alone, and a second file of the user.
func (c *connecting) noteOthers(host hostfiles.Host, servers []hostfiles.Settings, result *connection) error {
	for _, file := range host.Files(c.machine) {
		if file.Scope == hostfiles.User && file.Path == host.UserFile(c.machine).Path {
			continue
		}
		twice, err := hostfiles.AlsoIn(file, servers, entryName)
		if err != nil {
			return err
		}
		if len(twice) > 0 {
			where := ""
			if file.Scope != hostfiles.User {
				where = " in this project"
			}
			result.note("%s in %s (%s) stay there, so the model sees those tools twice%s", quotedList(twice), file.Path, file.Scope, where)
		}
	}
	return nil
}

// entryFor returns the workbench as a server of a host.
func entryFor(configuration *config.Configuration, allowsForeign bool) (hostfiles.Entry, error) {
	program, err := os.Executable()
	if err != nil {
		return hostfiles.Entry{}, fmt.Errorf("find this program: %w", err)
	}
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return hostfiles.Entry{}, errors.New("this program is gone when it ends, since 'go run' started it; run 'make build' and connect with bin/mcp-workbench")
	}
	args := []string{"--config", configuration.Path}
	if allowsForeign {
		args = append(args, config.AllowForeignFlag)
	}
	return hostfiles.Entry{Command: program, Args: args}, nil
}

// serversIn returns the servers of a configuration, disabled ones too.
func serversIn(path string) ([]hostfiles.Settings, error) {
	text, err := atomicfile.ReadFile(path)
	if err != nil {
		return nil, err
	}
	toolboxes, err := configtext.Toolboxes(text)
	if err != nil {
		return nil, err
	}
	var servers []hostfiles.Settings
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			servers = append(servers, server.Settings)
		}
	}
	return servers, nil
}

func quotedList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}
