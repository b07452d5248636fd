package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/doctor"
	"mcp-workbench/adapters/downstream/stdio"
	"mcp-workbench/adapters/hostfiles/setup"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/adapters/terminal/commandline"
	"mcp-workbench/domain"
)

func newDoctorCommand(options *options) *cobra.Command {
	var asJSON, offline, online, fix bool
	editor := &setup.Editor{}
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Find common problems, and say how to fix them",
		Args:  commandline.NoWords,
		RunE: func(command *cobra.Command, words []string) error {
			if fix {
				return options.editing(editor, func([]string) error { return setup.KeepSecrets(editor) })(command, words)
			}
			report, err := examine(command.Context(), options.visiting(), offline, online)
			if err != nil {
				return err
			}
			switch err = report.Show(console.Out, asJSON, options.colour); {
			case err != nil:
				return fmt.Errorf("print the findings: %w", err)
			case doctor.HasFaults(report.Findings):
				return &exitError{Code: exitFailure}
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	command.Flags().BoolVar(&offline, "offline", false, "start no server and no interpreter")
	command.Flags().BoolVar(&online, "online", false, "also ask the registry about servers that come from it")
	addRegistryFlag(command, options)
	command.Flags().BoolVar(&fix, "fix", false, "move plain secrets into the password store of this system")
	command.MarkFlagsMutuallyExclusive("online", "offline")
	command.MarkFlagsMutuallyExclusive("online", "fix")
	command.MarkFlagsMutuallyExclusive("fix", "json")
	command.MarkFlagsMutuallyExclusive("fix", "offline")
	return command
}

// examine returns the findings, and counts what was examined.
func examine(ctx context.Context, options options, offline, online bool) (doctor.Examination, error) {
	options.reportsWarnings = true
	configuration, err := options.load(checkingTransports())
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return doctor.Examination{Findings: doctor.Invalid(invalid.Problems)}, nil
	}
	if err != nil {
		return doctor.Examination{}, err
	}
	state, _ := safefile.StateFolder() // without a home directory there is none
	surroundings := doctor.Surroundings{
		StateFolder: state, Packages: newPackages(stdio.Place{}), Entry: setup.EntryName,
		Keys: setup.Kinds(checkingTransports()).Keys(), Configured: setup.Servers,
	}
	if online {
		surroundings.Standing = options.standing(configuration)
	}
	if configuration.Path == "" || offline {
		for _, line := range configuration.Distrusted() {
			console.Err.Print("mcp-workbench: " + line)
		}
		return doctor.New(configuration, surroundings).Examine(ctx), nil
	}
	observer := doctor.NewObserver()
	visit, err := newVisit(options, observer.Handler)
	if err != nil {
		return doctor.Examination{}, err
	}
	defer visit.Close()
	surroundings.Output = stdio.NewRunner(visit.guard, options.servers()).OutputOf
	d := doctor.New(configuration, surroundings)
	report := d.Examine(ctx)
	visit.giveUpSooner()
	err = visit.withServers(ctx, func(ctx context.Context) error {
		var servers []domain.Server
		for _, toolbox := range configuration.Catalog.Toolboxes() {
			servers = append(servers, toolbox.Servers...)
		}
		defer visit.starts.Begin(servers)()
		return d.ExamineServers(ctx, visit.tools.lister, observer, visit.starts.Done, &report)
	})
	return report, err
}
