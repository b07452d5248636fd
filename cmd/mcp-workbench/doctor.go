package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/doctor"
	"mcp-workbench/adapters/setup"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

func newDoctorCommand(options *options) *cobra.Command {
	var asJSON, offline bool
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Find common problems, and say how to fix them",
		Long: `Find common problems, and say how to fix them.

It starts every server unless --offline is given. Each finding has a code that never
changes ('mcp-workbench help shell' lists them), what was found, and how to fix it. The
exit code is 0 without findings, otherwise 1.`,
		Args: noWords,
		RunE: func(command *cobra.Command, _ []string) error {
			findings, err := examine(command.Context(), options.starting(), offline)
			if err != nil {
				return err
			}
			if asJSON {
				err = doctor.PrintJSON(console.Out.Data(), findings)
			} else {
				err = doctor.Print(console.Out, findings, terminal.NewPaint(console.Out, options.colour))
			}
			switch {
			case err != nil:
				return fmt.Errorf("print the findings: %w", err)
			case len(findings) > 0:
				return &exitError{code: exitFailure}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	command.Flags().BoolVar(&offline, "offline", false, "start no server")
	return command
}

// examine returns what is wrong.
func examine(ctx context.Context, options options, offline bool) ([]doctor.Finding, error) {
	configuration, err := options.load(checkingTransports())
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return doctor.Invalid(invalid), nil
	}
	if err != nil {
		return nil, err
	}
	state, _ := stateDirectory() // without a home directory there is none
	d := doctor.New(configuration, doctor.Surroundings{
		StateFolder: state, Packages: newPackages(), Entry: setup.EntryName, Configured: setup.Servers,
	})
	findings := d.Examine(ctx)
	if configuration.Path == "" || offline {
		return findings, nil
	}
	observer := doctor.NewObserver()
	visit, err := newVisit(options, observer.Handler)
	if err != nil {
		return nil, err
	}
	defer visit.Close()
	err = visit.withServers(ctx, func(ctx context.Context) error {
		var servers []domain.Server
		for _, toolbox := range configuration.Catalog.Toolboxes() {
			servers = append(servers, toolbox.Servers...)
		}
		defer visit.starts.Begin(servers)()
		found, err := d.ExamineServers(ctx, visit.tools.lister, observer, visit.starts.Done)
		findings = append(findings, found...)
		return err
	})
	return findings, err
}
