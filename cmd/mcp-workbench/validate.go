package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
)

// report is what validate prints with --json.
type report struct {
	// Searched are the places where no file was found.
	Searched []string `json:"searched,omitempty"`

	Valid     bool             `json:"valid"`
	File      string           `json:"file,omitempty"`
	Toolboxes int              `json:"toolboxes"`
	Servers   int              `json:"servers"`
	Problems  []config.Problem `json:"problems"`
	Warnings  []config.Problem `json:"warnings"`
}

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
	configuration, err := options.looking().load(newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
	invalid, ok := errors.AsType[*config.InvalidError](err)
	if err != nil && !ok {
		return &exitError{code: exitFailure, err: err}
	}
	found := newReport(configuration, invalid)
	if configuration != nil {
		sayUntrusted(configuration)
	}
	if asJSON {
		err = json.NewEncoder(console.Out.Data()).Encode(found)
	} else {
		err = found.print(console.Out, terminal.NewPaint(console.Out, options.colour))
	}
	if err != nil {
		return &exitError{code: exitFailure, err: err}
	}
	if !found.Valid {
		return &exitError{code: exitConfiguration}
	}
	return nil
}

func newReport(configuration *config.Configuration, invalid *config.InvalidError) report {
	if invalid != nil {
		return report{Problems: invalid.Problems, Warnings: nonNil(invalid.Warnings)}
	}
	found := report{
		Valid: true, File: configuration.Path, Searched: configuration.Searched,
		Problems: []config.Problem{}, Warnings: nonNil(configuration.Warnings),
	}
	toolboxes := configuration.Catalog.Toolboxes()
	found.Warnings = append(found.Warnings, unknownCommands(configuration.Path, toolboxes, os.Getenv("PATH"))...)
	for _, message := range wording.WhatDoesNotFit(toolboxes) {
		found.Warnings = append(found.Warnings, config.Problem{File: configuration.Path, KeyPath: "toolboxes", Message: message})
	}
	found.Warnings = append(found.Warnings, unmatchedByLock(configuration)...)
	for _, toolbox := range toolboxes {
		found.Toolboxes++
		found.Servers += len(toolbox.Servers)
	}
	return found
}

func nonNil(problems []config.Problem) []config.Problem {
	return append([]config.Problem{}, problems...)
}

func (r report) print(out io.Writer, paint terminal.Paint) error {
	var lines []string
	for _, problem := range r.Problems {
		lines = append(lines, paint(terminal.Red, problem.String()))
	}
	for _, warning := range r.Warnings {
		lines = append(lines, paint(terminal.Yellow, "warning:")+" "+warning.String())
	}
	switch {
	case !r.Valid:
	case r.File == "":
		lines = append(lines, fmt.Sprintf("no configuration found (looked for %s)", strings.Join(r.Searched, ", ")))
	default:
		lines = append(lines, fmt.Sprintf("%s: %s (toolboxes: %d, servers: %d)", r.File, paint(terminal.Green, "ok"), r.Toolboxes, r.Servers))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return fmt.Errorf("write the report: %w", err)
		}
	}
	return nil
}
