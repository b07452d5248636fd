package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/doctor/preflight"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// editResult is the output of the commands that change the configuration with --json. Server is ""
// if it is about a toolbox, and From is the place before a move.
type editResult struct {
	File    string   `json:"file"`
	Created bool     `json:"created"`
	From    string   `json:"from,omitempty"`
	Toolbox string   `json:"toolbox"`
	Server  string   `json:"server"`
	Written bool     `json:"written"`
	Notes   []string `json:"notes"`
	Diff    string   `json:"diff"`
}

// Add adds a server to a toolbox of the configuration, which must be the one of the scope. A
// name of a toolbox and a description that are "" are proposed.
func (e *Editor) Add(server serverconfig.Server, name, description, scope string) error {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return err
	}
	if server, err = e.keepSecretsOf(own, server); err != nil {
		return err
	}
	place, err := configuration.Add(server, setup.Place{Toolbox: name, Description: description})
	if err != nil {
		return err
	}
	after, err := addServer(own.text(), place, server.Name, server.Settings)
	if err == nil {
		after, err = own.withSecrets(after)
	}
	if err != nil {
		return err
	}
	checked, err := own.check(after)
	if err != nil {
		return aboutServer(err, place.Toolbox, server.Name)
	}
	result := editResult{
		File: own.path, Created: own.isNew(), Toolbox: place.Toolbox, Server: server.Name, Notes: append([]string{}, server.Notes...),
	}
	for _, warning := range checked.Warnings {
		if strings.HasPrefix(warning.KeyPath, "toolboxes."+place.Toolbox+".mcpServers."+server.Name+".") {
			result.Notes = append(result.Notes, warning.Message)
		}
	}
	toolbox, _ := checked.Catalog.Toolbox(domain.ToolboxName(place.Toolbox)) // it has no servers if all are disabled
	if entry, ok := toolbox.Server(domain.ServerName(server.Name)); ok {
		for _, problem := range preflight.Check(slices.Values([]domain.Server{entry})) {
			result.Notes = append(result.Notes, problem.String())
		}
		if note := preflight.Relative(entry, e.Sources.WorkDir); note != "" {
			result.Notes = append(result.Notes, note)
		}
	}
	added := fmt.Sprintf("Added %s/%s.", place.Toolbox, server.Name)
	if name == "" {
		added = fmt.Sprintf("Added %s/%s, since that toolbox fits; --toolbox NAME chooses another.", place.Toolbox, server.Name)
	}
	done := own.done(added)
	return e.write(own.change(after, server.HasSecrets()), result, done)
}

// aboutServer returns the failure of a check without the lines of a configuration that was not written, if all
// of it is about one server.
func aboutServer(err error, toolbox, name string) error {
	invalid, isInvalid := errors.AsType[*config.InvalidError](err)
	if !isInvalid {
		return err
	}
	about := &config.InvalidError{}
	for _, problem := range invalid.Problems {
		key, isAbout := strings.CutPrefix(problem.KeyPath, config.KeyPath("toolboxes", toolbox, "mcpServers", name))
		if !isAbout {
			return err
		}
		problem.File, problem.Line, problem.Column = "", 0, 0
		problem.KeyPath = strings.TrimPrefix(name+key, ".")
		about.Problems = append(about.Problems, problem)
	}
	return about
}

// Remove removes the server NAME or TOOLBOX/NAME from the configuration, which must be the one
// of the scope.
func (e *Editor) Remove(name, toolbox, scope string) error {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return err
	}
	id, err := configuration.Find(name, toolbox)
	if err != nil {
		return err
	}
	after, err := removeServer(own.text(), string(id.Toolbox), string(id.Server))
	if err != nil {
		return err
	}
	if _, err := own.check(after); err != nil {
		return err
	}
	result := editResult{File: own.path, Toolbox: string(id.Toolbox), Server: string(id.Server), Notes: []string{}}
	done := own.done(fmt.Sprintf("Removed %s/%s.", id.Toolbox, id.Server))
	return e.write(own.change(after, false), result, done)
}

func (e *Editor) openInScope(scope string) (*ownFile, setup.Configuration, error) {
	own, err := e.openOwnFile()
	if err != nil {
		return nil, setup.Configuration{}, err
	}
	configuration, err := own.configuration()
	if err != nil {
		return nil, setup.Configuration{}, err
	}
	return own, configuration, checkScope(configuration, scope)
}

// checkScope fails unless the configuration is the one of a scope.
func checkScope(configuration setup.Configuration, scope string) error {
	if err := configuration.CheckScope(scope); err != nil {
		return &UsageError{err}
	}
	return nil
}

// write makes a change that the command itself asks for, so it asks no question.
func (e *Editor) write(c change, result editResult, done string) error {
	result.Diff = c.diff()
	e.sayNotes(result.Notes)
	if e.DryRun {
		_ = e.show(c) // finish returns the failure
		return e.finish(result, false)
	}
	if e.printErr != nil {
		return e.printErr
	}
	if err := c.apply(); err != nil {
		return err
	}
	result.Written = true
	e.say("%s", done)
	return e.finish(result, false)
}
