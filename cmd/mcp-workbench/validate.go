package main

import (
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/doctor"
	"mcp-workbench/adapters/terminal"
)

func newValidateCommand(options *options) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "validate",
		Short: "Check the configuration and report every problem in it",
		Long: `Check the configuration without starting anything, and report every problem with
its place. The exit code is 0 when the configuration can be used, otherwise 3.`,
		Args: noWords,
		RunE: func(*cobra.Command, []string) error { return validate(*options, asJSON) },
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the report as one JSON object")
	return command
}

func validate(options options, asJSON bool) error {
	configuration, err := options.looking().load(checkingTransports())
	invalid, isInvalid := errors.AsType[*config.InvalidError](err)
	var report doctor.Validation
	switch {
	case isInvalid:
		report = doctor.InvalidReport(invalid)
	case err != nil:
		return err
	default:
		report = doctor.Validate(configuration)
		printUntrusted(configuration)
	}
	if asJSON {
		err = json.NewEncoder(console.Out.Data()).Encode(report)
	} else {
		err = report.Print(console.Out, terminal.NewPaint(console.Out, options.colour))
	}
	if err != nil {
		return err
	}
	if !report.Valid {
		return &exitError{code: exitConfiguration}
	}
	return nil
}
