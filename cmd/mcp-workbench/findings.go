package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/terminal"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/domain"
)

// finding is something that doctor found. Its code stays the same for ever.
type finding struct {
	Code string `json:"code"`
	// About is what it is about: a server as toolbox/server, a file, or "".
	About string `json:"about"`
	Found string `json:"found"`
	Mend  string `json:"mend"`
}

// The codes of findings. 'mcp-workbench help shell' lists them.
const (
	codeBroken      = "D001"
	codeNoFile      = "D002"
	codeCommand     = "D003"
	codeVariable    = "D004"
	codeWarning     = "D005"
	codeTwice       = "D006"
	codeUnfit       = "D007"
	codeUnreachable = "D008"
	codeSlow        = "D009"
	codeLock        = "D010"
	codeNetwork     = "D011"
	codeWritable    = "D012"
	codeReadable    = "D013"
	codeHostEntry   = "D014"
	codeHostTwice   = "D015"
	codeHostUnread  = "D016"
	codeRuntime     = "D017"
	codeOutput      = "D018"
	codeHandshake   = "D019"
	codeCut         = "D020"
	codeFilter      = "D021"
	codePackage     = "D022"
	codePattern     = "D023"
)

// lines returns the finding as a person reads it.
func (f finding) lines(paint terminal.Paint) string {
	about := f.About
	if about != "" {
		about += ": "
	}
	return paint(terminal.Yellow, f.Code) + fmt.Sprintf(" %s%s\n     %s\n", about, f.Found, f.Mend)
}

// brokenConfiguration returns a finding for each problem of a configuration that cannot
// be used.
func brokenConfiguration(invalid *config.InvalidError) []finding {
	var findings []finding
	for _, problem := range invalid.Problems {
		findings = append(findings, finding{
			Code: codeBroken, About: problem.File, Found: problem.String(), Mend: "correct it there; 'mcp-workbench validate' checks it again",
		})
	}
	return findings
}

// examineConfiguration returns what is wrong without starting anything.
func examineConfiguration(ctx context.Context, configuration *config.Configuration) []finding {
	if configuration.Path == "" {
		return []finding{{Code: codeNoFile, Found: "no configuration was found", Mend: "'mcp-workbench init' writes one"}}
	}
	var findings []finding
	toolboxes := configuration.Catalog.Toolboxes()
	unset := unsetPaths(toolboxes)
	forCallers := unsetForCallers(configuration.HTTP)
	changeable := whoChanges(configuration.Path)
	for _, warning := range configuration.Warnings {
		if slices.Contains(unset, warning.KeyPath) || warning.Message == changeable {
			continue // which have a code of their own
		}
		if i := slices.IndexFunc(forCallers, func(u domain.UnsetVariable) bool { return u.KeyPath == warning.KeyPath }); i >= 0 {
			findings = append(findings, finding{
				codeVariable, configuration.Path, warning.String(), fmt.Sprintf("set %s where 'serve --http' is started", forCallers[i].Variable),
			})
			continue
		}
		if warning.NamesNoTool {
			findings = append(findings, patternFinding(warning))
			continue
		}
		findings = append(findings, finding{codeWarning, configuration.Path, warning.String(), "change that key, or leave it as it is"})
	}
	for _, problem := range unknownCommands(configuration.Path, toolboxes, os.Getenv("PATH")) {
		findings = append(findings, finding{codeCommand, problem.KeyPath, problem.Message, "write the absolute path of the command, which 'command -v' prints"})
	}
	findings = append(findings, examineServers(toolboxes)...)
	findings = append(findings, examineNetwork(os.Getenv)...)
	findings = append(findings, examineFiles(configuration.Path, toolboxes)...)
	pinned := pinnedPackagesOf(configuration)
	findings = append(findings, pinned.examine()...)
	findings = append(findings, examineRuntimes(ctx, pinned.toolboxes())...)
	for _, message := range wording.WhatDoesNotFit(toolboxes) {
		findings = append(findings, finding{codeUnfit, "", message, "have fewer toolboxes, or shorter names and descriptions"})
	}
	return findings
}

// unsetPaths returns where the configuration uses variables that are not set.
func unsetPaths(toolboxes []domain.Toolbox) []string {
	var paths []string
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			if server.Unset != nil {
				paths = append(paths, server.Unset.KeyPath)
			}
		}
	}
	return paths
}

// unsetForCallers returns the variables without a value by which callers over HTTP would
// authenticate.
func unsetForCallers(http config.HTTP) []domain.UnsetVariable {
	var unset []domain.UnsetVariable
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

// examineServers finds servers that lack a variable, and those that are configured
// twice.
func examineServers(toolboxes []domain.Toolbox) []finding {
	var findings []finding
	first := map[string]domain.ServerID{}
	for _, toolbox := range toolboxes {
		for _, server := range toolbox.Servers {
			if server.Unset != nil {
				findings = append(findings, finding{
					codeVariable, placeOf(server.ID), fmt.Sprintf("the variable %s is %s (%s)", server.Unset.Variable, server.Unset.State(), server.Unset.KeyPath),
					fmt.Sprintf("set it in the host's entry for the workbench, or write ${%s:-default}", server.Unset.Variable),
				})
			}
			same := server.Transport + string(server.Settings)
			if other, twice := first[same]; twice {
				findings = append(findings, finding{
					codeTwice, placeOf(server.ID), "it is the same server as " + placeOf(other), "keep one of them, unless each toolbox needs its own process",
				})
				continue
			}
			first[same] = server.ID
		}
	}
	return findings
}
