package doctor

import (
	"context"
	"fmt"
	"os"
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/masking"
)

// checkWarnings reports the warnings about the configuration, except for those that another
// check reports with a code of its own.
func checkWarnings(_ context.Context, d *Doctor) []Finding {
	reported := map[string]bool{}
	for server := range d.servers {
		for _, unset := range server.UnsetVariables() {
			reported[unset.KeyPath] = true
		}
	}
	ofCallers := unsetForCallers(d.configuration.HTTP)
	exposed := exposure(d.configuration.Path)
	var findings []Finding
	for _, warning := range d.configuration.Warnings {
		if reported[warning.KeyPath] || warning.Message == exposed {
			continue
		}
		finding := Finding{codeWarning, d.configuration.Path, warning.String(), "change that key, or leave it as it is"}
		if i := slices.IndexFunc(ofCallers, func(u domain.UnsetVariableError) bool { return u.KeyPath == warning.KeyPath }); i >= 0 {
			finding.Code, finding.Fix = codeVariable, fmt.Sprintf("set %s where 'serve --http' is started", ofCallers[i].Variable)
		} else if warning.Pattern != nil {
			finding = patternFinding(warning)
		}
		findings = append(findings, finding)
	}
	return findings
}

// unsetForCallers returns the variables without a value that authenticate callers over HTTP.
func unsetForCallers(http config.HTTP) []domain.UnsetVariableError {
	var unset []domain.UnsetVariableError
	for _, token := range http.Tokens {
		if token.Unset != nil {
			unset = append(unset, *token.Unset)
		}
	}
	if http.Auth != nil && http.Auth.Unset != nil {
		unset = append(unset, *http.Auth.Unset)
	}
	return unset
}

// checkVariables finds servers whose settings use a variable without a value, or name a secret that is held back.
func checkVariables(_ context.Context, d *Doctor) []Finding {
	var findings []Finding
	for server := range d.servers {
		for _, unset := range server.UnsetVariables() {
			finding := Finding{
				codeVariable, server.ID.Path(), fmt.Sprintf("the variable %s is %s (%s)", unset.Variable, unset.State(), unset.KeyPath),
				fmt.Sprintf("set it in the host's entry for the workbench, or write ${%s:-default}", unset.Variable),
			}
			if domain.EditorVariable(unset.Variable) != "" {
				finding.Found, finding.Fix = unset.Error(), "write that in the configuration"
			}
			findings = append(findings, finding)
		}
		traits := server.Traits
		if names := setup.HeldBack(traits.Program, traits.Inherits, os.LookupEnv); !traits.InheritsAll && traits.Program.Command != "" && len(names) > 0 {
			findings = append(findings, Finding{
				codeVariable, server.ID.Path(), masking.HeldBackNote(names), "add that key to the server, if it is to have them",
			})
		}
	}
	return findings
}

// checkDuplicates finds servers that are configured twice.
func checkDuplicates(_ context.Context, d *Doctor) []Finding {
	var findings []Finding
	first := map[string]domain.ServerID{}
	for server := range d.servers {
		settings := server.Transport + string(server.Settings)
		if other, isKnown := first[settings]; isKnown {
			findings = append(findings, Finding{
				codeDuplicate, server.ID.Path(), "it is the same server as " + other.Path(), "keep one of them, unless each toolbox needs its own process",
			})
			continue
		}
		first[settings] = server.ID
	}
	return findings
}

// checkToolboxList finds parts of the list of toolboxes that connected hosts cut off.
func checkToolboxList(_ context.Context, d *Doctor) []Finding {
	var findings []Finding
	for _, unfit := range wording.WhatDoesNotFit(d.toolboxes) {
		isConnected := slices.ContainsFunc(d.hosts.connected(), func(h host) bool { return h.Name == unfit.Host })
		if !isConnected {
			continue
		}
		finding := Finding{Code: codeTruncated, Found: unfit.Text, Fix: "have fewer toolboxes, or shorter names"}
		if unfit.NamesFit {
			finding.Code, finding.Fix = codeShortened, "begin descriptions with what matters, or have fewer toolboxes"
		}
		findings = append(findings, finding)
	}
	return findings
}
