package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcp-workbench/adapters/config"
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
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			findings, err := examine(command.Context(), *options, offline)
			if err != nil {
				return err
			}
			return reportFindings(findings, asJSON)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	command.Flags().BoolVar(&offline, "offline", false, "start no server")
	return command
}

// slowStart is how long a server may take to start before it is a finding: hosts have
// been seen to give up after 30 seconds.
const slowStart = 20 * time.Second

// examine returns what is wrong.
func examine(ctx context.Context, options options, offline bool) ([]finding, error) {
	configuration, err := options.load(newTransports(version(), nil, slog.New(slog.DiscardHandler)))
	if invalid, ok := errors.AsType[*config.InvalidError](err); ok {
		return brokenConfiguration(invalid), nil
	}
	if err != nil {
		return nil, &exitError{code: exitFailure, err: err}
	}
	findings := examineConfiguration(configuration)
	if offline || configuration.Path == "" {
		return findings, nil
	}
	visit, err := newVisit(options)
	if err != nil {
		return nil, err
	}
	defer visit.Close()
	err = visit.withServers(ctx, func(ctx context.Context) error {
		found, err := visit.examine(ctx)
		findings = append(findings, found...)
		return err
	})
	return findings, err
}

// examine starts all servers at once, and returns what is wrong with them, in their order.
func (v *visit) examine(ctx context.Context) ([]finding, error) {
	toolboxes := v.configuration.Catalog.Toolboxes()
	var servers []domain.Server
	for _, toolbox := range toolboxes {
		servers = append(servers, toolbox.Servers...)
	}
	defer v.starts.Begin(servers)()
	begun := time.Now()
	found := make([][]finding, len(toolboxes))
	failures := make([]error, len(toolboxes))
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
				if configured, _ := toolbox.Server(server.ID.Server); configured.Unset != nil {
					continue // which was found already, and is why it does not start
				}
				found[i] = append(found[i], examineServer(server, took[server.ID])...)
			}
			failures[i] = err
		})
	}
	all.Wait()
	var findings []finding
	for _, some := range found {
		findings = append(findings, some...)
	}
	return findings, errors.Join(failures...)
}

// reportFindings prints the findings and returns the error with which the program exits.
func reportFindings(findings []finding, asJSON bool) error {
	var err error
	switch {
	case asJSON:
		err = json.NewEncoder(os.Stdout).Encode(struct {
			Findings []finding `json:"findings"`
		}{append([]finding{}, findings...)})
	case len(findings) == 0:
		_, err = fmt.Println("nothing was found")
	default:
		for _, f := range findings {
			if _, err = fmt.Print(f.lines()); err != nil {
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
