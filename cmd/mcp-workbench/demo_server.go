package main

import (
	"os"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/demo"
)

func newDemoServerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo-server",
		Short: "Run the small MCP server of the demo, to try a host or a configuration",
		Args:  noWords,
		RunE: func(command *cobra.Command, _ []string) error {
			if err := demo.Serve(command.Context(), version(), os.Stdin, os.Stdout); err != nil {
				return &exitError{code: exitFailure, err: err}
			}
			return nil
		},
	}
}
