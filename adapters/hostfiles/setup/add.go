package setup

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// Add adds a server to a toolbox of the configuration, which must be the one of the scope. A
// name of a toolbox and a description that are "" are proposed.
func Add(e *Editor, server setup.Server, name, description, scope string) error {
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
	edit, err := newAddition(e, own, server, place)
	if err != nil {
		return err
	}
	reviewed := own.reviewOf(edit.id, nil, &server.Settings, e.IsPasted)
	e.sayReview(reviewed)
	if err := edit.weigh(reviewed.NeedsCare); err != nil {
		return err
	}
	added := fmt.Sprintf("Added %s/%s.", place.Toolbox, server.Name)
	if name == "" {
		added = fmt.Sprintf("Added %[1]s/%[2]s; 'mcp-workbench move %[1]s/%[2]s TOOLBOX' moves it to another toolbox.", place.Toolbox, server.Name)
	}
	return edit.write(added)
}

// newAddition returns the edit that adds a server, with notes about it.
func newAddition(e *Editor, own *ownFile, server setup.Server, place setup.Place) (*edit, error) {
	edit := e.edit(own, domain.ServerID{Toolbox: domain.ToolboxName(place.Toolbox), Server: domain.ServerName(server.Name)})
	edit.isPrivate, edit.asks = e.Transports.Keys().HaveSecrets(server), e.AsksFirst
	edit.step(func(text []byte) ([]byte, error) { return addServer(text, place, server.Name, server.Settings) })
	edit.step(own.withSecrets)
	if edit.err != nil {
		return nil, edit.err
	}
	checked, err := own.check(edit.text)
	if err != nil {
		return nil, aboutServer(err, place.Toolbox, server.Name)
	}
	edit.result.Notes = slices.Concat(edit.result.Notes, server.Notes, e.Transports.Keys().PlaceholderNotes(server))
	for _, warning := range checked.Warnings {
		isSaid := func(note string) bool { return strings.HasSuffix(note, warning.Message) } // of a placeholder
		if !slices.ContainsFunc(edit.result.Notes, isSaid) && strings.HasPrefix(warning.KeyPath, "toolboxes."+place.Toolbox+".mcpServers."+server.Name+".") {
			edit.note("%s", warning.Message)
		}
	}
	toolbox, _ := checked.Catalog.Toolbox(domain.ToolboxName(place.Toolbox)) // it has no servers if all are disabled
	if entry, ok := toolbox.Server(domain.ServerName(server.Name)); ok {
		for _, problem := range programs.Problems(slices.Values([]domain.Server{entry})) {
			edit.note("%s", problem)
		}
		if note := programs.RelativeWarning(entry, e.Sources.WorkDir); note != "" {
			edit.note("%s", note)
		}
	}
	return edit, nil
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
		key, isAbout := strings.CutPrefix(problem.KeyPath, tree.KeyPath("toolboxes", toolbox, "mcpServers", name))
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
func Remove(e *Editor, name, toolbox, scope string) error {
	edit, err := e.editOf(scope, func(c setup.Configuration) (domain.ServerID, error) { return c.Find(name, toolbox) })
	if err != nil {
		return err
	}
	path := edit.id.Path()
	edit.step(func(text []byte) ([]byte, error) {
		return removeServer(text, string(edit.id.Toolbox), string(edit.id.Server))
	})
	if _, err := edit.check("remove " + path); err != nil {
		return err
	}
	return edit.write("Removed " + path + ".")
}
