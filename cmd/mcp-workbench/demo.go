package main

import (
	"os"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/demo"
	"mcp-workbench/adapters/terminal/commandline"
)

func newDemoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show what the workbench does, without any other program",
		Args:  commandline.NoWords,
		RunE: func(command *cobra.Command, _ []string) error {
			console.Out.WrapLines()
			return demo.Play(command.Context(), console.Out, version)
		},
	}
}

func newDemoServerCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo-server",
		Short: "Run the small MCP server of the demo, to try a host or a configuration",
		Args:  commandline.NoWords,
		RunE: func(command *cobra.Command, _ []string) error {
			return demo.Serve(command.Context(), version, os.Stdin, os.Stdout)
		},
	}
}
