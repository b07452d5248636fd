package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain"
)

func newDoctorCommand(options *options) *cobra.Command {
	var asJSON, offline bool
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Find what goes wrong in practice, and say how to mend it",
		Long: `Find what goes wrong in practice, and say how to mend it.

It starts every server unless --offline is given. Each finding has a code that stays
('mcp-workbench help shell' lists them), what was found, and how to mend it. The exit code
is 0 without findings, otherwise 1.`,
		Args: noWords,
		RunE: func(command *cobra.Command, _ []string) error {
			findings, err := examine(command.Context(), *options, offline)
			if err != nil {
				return err
			}
			return reportFindings(findings, asJSON, terminal.NewPaint(console.Out, options.colour))
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	command.Flags().BoolVar(&offline, "offline", false, "start no server")
	return command
}

// examine returns what is wrong.
func examine(ctx context.Context, options options, offline bool) ([]finding, error) {
	options = options.starting()
	configuration, err := options.load(newTransports(version(), nil, nil, slog.New(slog.DiscardHandler)))
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return brokenConfiguration(invalid), nil
	}
	if err != nil {
		return nil, ended(err)
	}
	findings := examineConfiguration(ctx, configuration)
	if configuration.Path == "" {
		return findings, nil
	}
	ofHosts, connected := examineHosts(configuration)
	findings = append(findings, ofHosts...)
	if offline {
		return findings, nil
	}
	stray := newStrayLines()
	visit, err := newVisit(options, stray.handler)
	if err != nil {
		return nil, err
	}
	defer visit.Close()
	err = visit.withServers(ctx, func(ctx context.Context) error {
		found, err := visit.examine(ctx, stray, connected)
		findings = append(findings, found...)
		return err
	})
	return findings, err
}

// examine starts all servers at once, and returns what is wrong with them, in their order.
// Connected are the hosts that start the workbench.
func (v *visit) examine(ctx context.Context, stray *strayLines, connected []string) ([]finding, error) {
	toolboxes := v.configuration.Catalog.Toolboxes()
	var servers []domain.Server
	for _, toolbox := range toolboxes {
		servers = append(servers, toolbox.Servers...)
	}
	defer v.starts.Begin(servers)()
	begun := time.Now()
	found := make([][]finding, len(toolboxes))
	failures := make([]error, len(toolboxes))
	listedAll := make([]domain.OpenedToolbox, len(toolboxes))
	var all sync.WaitGroup
	for i, toolbox := range toolboxes {
		all.Go(func() {
			var mu sync.Mutex // guards took
			took := map[domain.ServerID]time.Duration{}
			listed, err := v.tools.lister.ListTools(ctx, toolbox.Name, "", func(server domain.OpenedServer) {
				v.starts.Done(server.ID)
				mu.Lock()
				defer mu.Unlock()
				took[server.ID] = time.Since(begun)
			})
			for _, server := range listed.Servers {
				configured, _ := toolbox.Server(server.ID.Server)
				if configured.Unset != nil {
					continue // which was found already, and is why it does not start
				}
				started := startedServer{server, configured, took[server.ID], stray.of(server.ID)}
				found[i] = append(found[i], started.examine()...)
			}
			found[i] = append(found[i], examineAnswer(listed, v.configuration.Definitions, connected)...)
			failures[i], listedAll[i] = err, listed
		})
	}
	all.Wait()
	var findings []finding
	for _, some := range found {
		findings = append(findings, some...)
	}
	started := map[domain.ServerID]domain.OpenedServer{}
	for _, toolbox := range listedAll {
		for _, server := range toolbox.Servers {
			started[server.ID] = server
		}
	}
	findings = append(findings, examinePatterns(v.configuration, started)...)
	return findings, errors.Join(failures...)
}

// reportFindings prints the findings and returns the error with which the program exits.
func reportFindings(findings []finding, asJSON bool, paint terminal.Paint) error {
	var err error
	switch {
	case asJSON:
		err = json.NewEncoder(console.Out.Data()).Encode(struct {
			Findings []finding `json:"findings"`
		}{append([]finding{}, findings...)})
	case len(findings) == 0:
		_, err = fmt.Fprintln(console.Out, paint(terminal.Green, "nothing was found"))
	default:
		for _, f := range findings {
			if _, err = fmt.Fprint(console.Out, f.lines(paint)); err != nil {
				break
			}
		}
	}
	switch {
	case err != nil:
		return &exitError{code: exitFailure, err: fmt.Errorf("print the findings: %w", err)}
	case len(findings) > 0:
		return &exitError{code: exitFailure}
	}
	return nil
}
