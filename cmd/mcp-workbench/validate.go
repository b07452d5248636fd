package main

import (
	"errors"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/doctor"
	"mcp-workbench/adapters/terminal/commandline"
)

func newValidateCommand(options *options) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check the configuration and report every problem in it",
		Args: func(command *cobra.Command, files []string) error {
			if len(files) == 1 && options.flags.Path != "" {
				return errors.New("name the file once: after --config, or without it")
			}
			return commandline.WordsBetween(0, 1, "")(command, files)
		},
		RunE: func(_ *cobra.Command, files []string) error {
			if len(files) == 1 {
				options.flags.Path, options.from.Origin = files[0], config.FromArgument
			}
			return validate(*options, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the report as one JSON object")
	return command
}

func validate(options options, asJSON bool) error {
	configuration, err := options.looking().load(checkingTransports())
	report, err := doctor.Validate(configuration, err)
	if err != nil {
		return err
	}
	if report.Valid && configuration.Untrusted != nil {
		console.Err.Printf("mcp-workbench: %v\n", configuration.Untrusted)
	}
	if err = report.Show(console.Out, asJSON, options.colour); err == nil && !report.Valid {
		err = &exitError{Code: exitConfiguration}
	}
	return err
}
