package doctor

import (
	"context"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/registry"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
)

// Doctor examines a configuration and its surroundings.
type Doctor struct {
	configuration *config.Configuration
	toolboxes     []domain.Toolbox
	surroundings  Surroundings
	hosts         hosts
	// prevented are the servers that cannot start for a reason that a check has found.
	prevented map[domain.ServerID]bool
}

// Surroundings describe the machine and the program itself.
type Surroundings struct {
	// StateFolder is where the program keeps its state, "" when there is no place for it.
	StateFolder string
	// Packages are those that the lock can pin.
	Packages ports.Packages
	// Entry is the name of the workbench in the files of hosts.
	Entry string
	// Keys describes the settings of servers.
	Keys setup.Keys
	// Configured returns the servers of a configuration in the form of hosts' files.
	Configured func(path string) ([]setup.Settings, error)
	// Output runs the program of a server with the environment of the server, and returns what it prints, up to a
	// limit; nil if no program may be started.
	Output func(ctx context.Context, server domain.Server, limit int64) ([]byte, error)
	// Standing asks the registry about a server that comes from it; nil if it is not asked.
	Standing func(ctx context.Context, from domain.Published) (registry.Standing, error)
}

// New returns a doctor for a configuration that was loaded.
func New(configuration *config.Configuration, surroundings Surroundings) *Doctor {
	d := &Doctor{
		configuration: configuration, toolboxes: configuration.Catalog.Toolboxes(), surroundings: surroundings,
		prevented: map[domain.ServerID]bool{},
	}
	if configuration.Path != "" {
		d.hosts = readHosts(configuration, surroundings)
	}
	return d
}

// checks examine one thing each without starting a server (checkRuntimes starts interpreters), in the order of the report.
var checks = []func(ctx context.Context, d *Doctor) []Finding{
	checkWarnings,     // D004, D005, D023
	checkCommands,     // D003, D024
	checkVariables,    // D004
	checkDuplicates,   // D006
	checkNetwork,      // D011
	checkFiles,        // D012
	checkPrograms,     // D012
	checkSecrets,      // D013
	checkSecretPlaces, // D028
	checkPins,         // D022
	checkRuntimes,     // D017
	checkToolboxList,  // D007
	checkHosts,        // D014, D015, D016
	checkSkills,       // D033
	checkPublished,    // D029, D030, D031, D032
}

// Examine returns the findings. It starts no server.
func (d *Doctor) Examine(ctx context.Context) Examination {
	if d.configuration.Path == "" {
		return Examination{Findings: []Finding{{Code: codeNoFile, Found: "no configuration was found", Fix: "'mcp-workbench init' writes one"}}}
	}
	report := Examination{Hosts: d.hosts.existing(), IsConnected: len(d.hosts.connected()) > 0 || d.hasSkills()}
	for server := range d.servers {
		report.Servers++
		if server.Start == domain.StartOnUse {
			report.AtUse++
		}
	}
	report.Findings = Invalid(d.configuration.Problems)
	for _, check := range checks {
		report.Findings = append(report.Findings, check(ctx, d)...)
	}
	return report
}

// Invalid returns a finding for each problem of a configuration.
func Invalid(problems []tree.Problem) []Finding {
	var findings []Finding
	for _, problem := range problems {
		findings = append(findings, Finding{
			Code: codeInvalid, About: problem.File, Found: problem.String(), Fix: "correct it there; 'mcp-workbench validate' checks it again",
		})
	}
	return findings
}

// servers calls a function for each configured server.
func (d *Doctor) servers(yield func(domain.Server) bool) { domain.ServersOf(d.toolboxes)(yield) }
