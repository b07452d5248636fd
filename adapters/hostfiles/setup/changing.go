package setup

import (
	"encoding/json"
	"fmt"

	"mcp-workbench/adapters/wording"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/textedit"
)

// Describe writes the description of a toolbox; "" removes it.
func (e *Editor) Describe(toolbox, text, scope string) error {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return err
	}
	name, err := configuration.Toolbox(toolbox)
	if err != nil {
		return err
	}
	path := []string{"toolboxes", string(name), "description"}
	before, isDescribed := memberOf(own.text(), path)
	quoted, _ := json.Marshal(text) // a string can always be encoded
	result := editResult{File: own.path, Toolbox: string(name), Notes: []string{}}
	after := own.text()
	switch {
	case isDescribed && text == "":
		after, err = textedit.DeleteJSON(after, path)
	case !isDescribed && text == "", string(before) == string(quoted):
		return e.nothing(result, "it already has this description")
	default:
		after, err = textedit.SetJSON(after, path, quoted)
	}
	if err != nil {
		return fmt.Errorf("describe %s: %w", name, err)
	}
	checked, err := own.check(after)
	if err != nil {
		return err
	}
	for _, unfit := range wording.WhatDoesNotFit(checked.Catalog.Toolboxes()) {
		result.Notes = append(result.Notes, unfit.Text)
	}
	return e.write(own.change(after, false), result, own.done("Described "+string(name)+"."))
}

// PrintDescription prints the description of a toolbox, and how much of it the known hosts pass on.
func (e *Editor) PrintDescription(toolbox, scope string) error {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return err
	}
	name, err := configuration.Toolbox(toolbox)
	if err != nil {
		return err
	}
	var description string
	if value, isDescribed := memberOf(own.text(), []string{"toolboxes", string(name), "description"}); isDescribed {
		_ = json.Unmarshal(value, &description) // a string, which was checked, or of a disabled toolbox
	}
	lines := wording.DescriptionsIn(own.checked.Catalog.Toolboxes())
	if e.AsJSON {
		return e.finish(map[string]any{"file": own.path, "toolbox": name, "description": description, "hosts": lines}, false)
	}
	if description == "" {
		e.Console.Err.Printf("mcp-workbench: %s has no description; %s writes one\n",
			name, e.command("describe "+domain.ShellWord(string(name))+" TEXT"))
	} else {
		e.say("%s", description)
	}
	for _, line := range lines {
		e.Console.Err.Printf("mcp-workbench: %s\n", line)
	}
	return e.finish(nil, false)
}

// Enable enables a toolbox or a server that is disabled.
func (e *Editor) Enable(name, scope string) error {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return err
	}
	id, err := configuration.Named(name)
	if err != nil {
		return err
	}
	result := editResult{File: own.path, Toolbox: string(id.Toolbox), Server: string(id.Server), Notes: []string{}}
	toolbox := domain.ServerID{Toolbox: id.Toolbox}
	if id.Server != "" && isDisabled(own.text(), toolbox) {
		result.Notes = append(result.Notes, fmt.Sprintf("the toolbox %s is disabled; %s enables it",
			id.Toolbox, e.command("enable "+domain.ShellWord(string(id.Toolbox)))))
	}
	if !isDisabled(own.text(), id) {
		return e.nothing(result, placeOf(id)+" is enabled already")
	}
	after, err := textedit.DeleteJSON(own.text(), append(pathOf(id), "disabled"))
	if err != nil {
		return fmt.Errorf("enable %s: %w", placeOf(id), err)
	}
	checked, err := own.check(after)
	if err != nil {
		return err
	}
	if checked.Pinning == domain.PinBlock || checked.Packages == domain.PackagesLocked {
		result.Notes = append(result.Notes, "a running workbench starts it only after its own next start, like a new server")
	}
	return e.write(own.change(after, false), result, own.done("Enabled "+placeOf(id)+"."))
}

// Disable disables a toolbox or a server, which may have mistakes, as may the rest of the
// configuration.
func (e *Editor) Disable(name, scope string) error {
	own, invalid, err := e.openFaultyFile()
	if err != nil {
		return err
	}
	configuration, err := own.configuration()
	if err == nil {
		err = checkScope(configuration, scope)
	}
	if err != nil {
		return err
	}
	id, err := configuration.Named(name)
	if err != nil {
		return err
	}
	result := editResult{File: own.path, Toolbox: string(id.Toolbox), Server: string(id.Server), Notes: []string{}}
	if isDisabled(own.text(), id) {
		return e.nothing(result, placeOf(id)+" is disabled already")
	}
	after, err := textedit.SetJSON(own.text(), append(pathOf(id), "disabled"), []byte("true"))
	if err != nil {
		return fmt.Errorf("disable %s: %w", placeOf(id), err)
	}
	if result.Notes, err = own.checkFaulty(after, invalid); err != nil {
		return err
	}
	if id.Server != "" && allDisabled(after, configuration, id.Toolbox) {
		result.Notes = append(result.Notes, fmt.Sprintf("the toolbox %s has no other server that is enabled, so it is left out", id.Toolbox))
	}
	return e.write(own.change(after, false), result, own.done("Disabled "+placeOf(id)+"."))
}

// allDisabled reports whether every server of a toolbox is disabled.
func allDisabled(text []byte, configuration setup.Configuration, toolbox domain.ToolboxName) bool {
	for _, server := range configuration.Servers {
		if server.ID.Toolbox == toolbox && !isDisabled(text, server.ID) {
			return false
		}
	}
	return true
}

// isDisabled reports whether a toolbox or a server is disabled itself.
func isDisabled(text []byte, id domain.ServerID) bool {
	value, _ := memberOf(text, append(pathOf(id), "disabled"))
	return string(value) == "true"
}

// memberOf returns the value at a path of a text that was read before, and reports whether there
// is one.
func memberOf(text []byte, path []string) (json.RawMessage, bool) {
	members, _ := textedit.ReadJSON(text, path[:len(path)-1])
	for _, member := range members {
		if member.Name == path[len(path)-1] {
			return member.Value, true
		}
	}
	return nil, false
}

// nothing says that there is nothing to change.
func (e *Editor) nothing(result editResult, why string) error {
	e.sayNotes(result.Notes)
	e.say("Nothing to change: %s.", why)
	return e.finish(result, false)
}
