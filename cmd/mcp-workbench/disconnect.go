package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/domain/textedit"
)

func newDisconnectCommand(options *options) *cobra.Command {
	c := &connecting{}
	command := &cobra.Command{
		Use:   "disconnect HOST…",
		Short: "Take the workbench out of the files of hosts",
		Long: `Take the workbench out of the file of a host. If nothing else changed since
'connect', the file becomes what it was, byte for byte. Otherwise only the
workbench's entry goes, and the servers that 'connect --replace' took out come back.

Hosts: ` + strings.Join(hostIDs(), ", ") + `.`,
		Args: c.hostArguments,
		RunE: func(_ *cobra.Command, hosts []string) error {
			if err := c.prepare(*options, hosts); err != nil {
				return ended(err)
			}
			return c.disconnect()
		},
	}
	c.addFlags(command)
	command.Flags().BoolVar(&c.all, "all", false, "every host that has the workbench")
	return command
}

// disconnect takes the workbench out of the files of the hosts.
func (c *connecting) disconnect() error {
	return c.each(func(host hostfiles.Host, result *connection) (hostfiles.Change, error) {
		file := host.UserFile(c.machine)
		change, err := c.connections.Disconnect(file, entryName)
		if errors.Is(err, textedit.ErrNotFound) {
			return hostfiles.Change{File: file}, nil
		}
		for _, server := range change.Restores {
			result.Restored = append(result.Restored, server.Name)
		}
		return change, err
	})
}
