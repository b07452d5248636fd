package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/mcpserver"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/application"
	"mcp-workbench/domain"
)

func newSearchCommand(options *options) *cobra.Command {
	editor, limit := &setup.Editor{}, 20
	command := &cobra.Command{
		Use:   "search WORDS…",
		Short: "Find servers in the MCP registry",
		Args: func(command *cobra.Command, words []string) error {
			if limit < 1 {
				return errors.New("--limit wants a number above 0")
			}
			return commandline.WordsBetween(1, maxSearched, "name what the server is for, such as 'github issues'")(command, words)
		},
	}
	command.RunE = func(command *cobra.Command, words []string) error {
		return options.editing(editor, func([]string) error { return setup.Search(command.Context(), editor, words, limit) })(command, words)
	}
	command.Flags().IntVar(&limit, "limit", limit, "how many servers are shown")
	command.Flags().BoolVar(&editor.AsJSON, "json", false, "print one JSON object ('mcp-workbench help registry' describes it)")
	addRegistryFlag(command, options)
	return command
}

// maxSearched is the number of words of a search.
const maxSearched = 20

// addRegistryFlag adds the flag of commands that ask the registry.
func addRegistryFlag(command *cobra.Command, options *options) {
	commandline.NotEmpty(command.Flags())(&options.flags.Registry, "registry", "the `address` of the registry to ask, in place of that of the configuration")
}

// standing returns the question to the registry of a configuration about a server.
func (o options) standing(configuration *config.Configuration) func(context.Context, domain.Published) (registry.Standing, error) {
	return func(ctx context.Context, from domain.Published) (registry.Standing, error) {
		if configuration.Registry.Off {
			return registry.Standing{}, setup.ErrNoRegistry
		}
		asked, err := o.askRegistry(ctx, configuration.Registry.Server, configuration.Limits.Registry)
		if err != nil {
			return registry.Standing{}, err
		}
		defer asked.Close()
		return asked.Standing(ctx, from)
	}
}

// askRegistry returns a client of a registry, whose headers may have values that commands print.
func (o options) askRegistry(ctx context.Context, settings domain.Server, limit time.Duration) (*registry.Client, error) {
	values := application.NewSecretValues(stdio.NewRunner(nil, o.servers()), func(domain.Secrets) {})
	complete, err := values.Complete(ctx, settings)
	if err != nil {
		return nil, fmt.Errorf("ask the registry: %w", err)
	}
	return registry.New(complete, mcpserver.Name+"/"+version, limit)
}
