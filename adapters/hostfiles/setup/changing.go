package setup

import (
	"slices"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles"
	"mcp-workbench/adapters/wording"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// DescribeToolbox writes the description of a toolbox; "" removes it.
func DescribeToolbox(e *Editor, toolbox, text, scope string) error {
	edit, err := e.editOf(scope, func(c setup.Configuration) (id domain.ServerID, err error) {
		id.Toolbox, err = c.Toolbox(toolbox)
		return id, err
	})
	if err != nil {
		return err
	}
	name, path := placeOf(edit.id), pathOf(edit.id, "description")
	_, isDescribed := memberOf(edit.text, path)
	switch {
	case isDescribed && text == "":
		edit.remove(path)
	case descriptionIn(edit.text, edit.id.Toolbox) == text:
		return edit.nothing("it already has this description")
	default:
		edit.set(path, text)
	}
	checked, err := edit.check("describe " + name)
	if err != nil {
		return err
	}
	for _, line := range edit.own.shortenedBy(checked) {
		edit.note("%s", line)
	}
	return edit.write("Described " + name + ".")
}

// PrintDescription prints the description of a toolbox in the configuration in force, and which connected hosts do not
// pass on all of it. The rest of the configuration may have mistakes.
func PrintDescription(e *Editor, inForce *config.Configuration, toolbox, scope string) error {
	if inForce.Path == "" {
		return inForce.Missing()
	}
	program := e.Program // commands to run next name no file that the user did not name
	program.Sources.Path, program.Sources.Origin = inForce.Path, inForce.Origin
	own, _, err := program.openFaultyFile()
	if err != nil {
		return err
	}
	configuration, err := own.inScope(scope)
	if err != nil {
		return err
	}
	name, err := configuration.Toolbox(toolbox)
	if err != nil {
		return err
	}
	id, description := domain.ServerID{Toolbox: name}, descriptionIn(own.text(), name)
	lines := own.shortenedBy(inForce)
	if e.AsJSON {
		return e.finish(map[string]any{"file": own.path, "toolbox": id.Toolbox, "description": description, "hosts": lines}, false)
	}
	if description == "" {
		e.Console.Err.Printf("mcp-workbench: %s has no description; %s writes one\n",
			id.Toolbox, e.command("describe "+domain.ShellWord(string(id.Toolbox))+" TEXT"))
	} else {
		e.say("%s", description)
	}
	for _, line := range lines {
		e.Console.Err.Printf("mcp-workbench: %s\n", line)
	}
	return e.finish(nil, false)
}

// shortenedBy returns a line for each connected host that does not pass on all descriptions of toolboxes.
func (f *ownFile) shortenedBy(checked *config.Configuration) []string {
	lines := []string{}
	machine, err := hostfiles.ThisMachine()
	if err != nil {
		return lines // without a home folder there are no files of hosts
	}
	connected := hostfiles.Connected(machine, EntryName, hostfiles.Configuration{Path: f.path, IsNamed: f.origin.IsNamed()})
	for _, unfit := range wording.WhatDoesNotFit(checked.Catalog.Toolboxes()) {
		if slices.Contains(connected, unfit.Host) {
			lines = append(lines, unfit.Text)
		}
	}
	return lines
}

// Enable enables a toolbox or a server that is disabled.
func Enable(e *Editor, name, scope string) error {
	edit, err := e.editOf(scope, func(c setup.Configuration) (domain.ServerID, error) { return c.Named(name) })
	if err != nil {
		return err
	}
	id := edit.id
	if id.Server != "" && isDisabledIn(edit.text, domain.ServerID{Toolbox: id.Toolbox}) {
		edit.note("the toolbox %s is disabled; %s enables it", id.Toolbox, e.command("enable "+domain.ShellWord(string(id.Toolbox))))
	}
	if !isDisabledIn(edit.text, id) {
		return edit.nothing(placeOf(id) + " is enabled already")
	}
	edit.remove(disabledIn(edit.text, id))
	checked, err := edit.check("enable " + placeOf(id))
	if err != nil {
		return err
	}
	if err := edit.showEnabled(); err != nil {
		return err
	}
	if checked.Pinning == domain.PinBlock || checked.Packages == domain.PackagesLocked {
		edit.note("a running workbench starts it only after its own next start, like a new server")
	}
	return edit.write("Enabled " + placeOf(id) + ".")
}

// showEnabled shows what the edit lets start. In a file that is used only if it is trusted, the user is asked whether the trust goes
// on; without a yes, 'trust' shows the file again.
func (e *edit) showEnabled() error {
	servers, err := serversIn(e.text)
	if err != nil {
		return err
	}
	for _, server := range servers {
		isMeant := server.ID == e.id || e.id.Server == "" && server.ID.Toolbox == e.id.Toolbox
		if isMeant && !server.Settings.Disabled {
			e.editor.say("%s", domain.ReviewLine(server.ID.Path()+":"))
			e.editor.sayReview(e.own.reviewOf(server.ID, nil, &server.Settings, e.own.needsTrust()))
		}
	}
	if folder := pluginOf(e.own.path, e.text, string(e.id.Toolbox)); folder != "" {
		plugin, err := e.editor.ReadPlugin(folder)
		if err != nil {
			e.note("the plugin of %s cannot be used: %v", e.id.Toolbox, err)
		} else {
			e.editor.sayPlugin(plugin)
		}
	}
	if !e.own.isTrusted || !e.own.needsTrust() {
		return nil
	}
	yes := false
	if e.editor.asks() {
		if yes, err = e.editor.terminal.Confirm("Trust " + e.own.path + " with what this enables?"); err != nil {
			return err
		}
	}
	if !yes {
		e.own.distrustUnseen()
	}
	return nil
}

// Disable disables a toolbox or a server, which may have mistakes, as may the rest of the
// configuration.
func Disable(e *Editor, name, scope string) error {
	own, invalid, err := e.openFaultyFile()
	if err != nil {
		return err
	}
	configuration, err := own.inScope(scope)
	if err != nil {
		return err
	}
	id, err := configuration.Named(name)
	if err != nil {
		return err
	}
	edit := e.edit(own, id)
	if isDisabledIn(edit.text, id) {
		return edit.nothing(placeOf(id) + " is disabled already")
	}
	edit.set(disabledIn(edit.text, id), true)
	_, err = edit.check("disable " + placeOf(id))
	if edit.result.Notes, err = leftOf(invalid, err); err != nil {
		return err
	}
	if id.Server != "" && allDisabled(edit.text, configuration, id.Toolbox) {
		edit.note("the toolbox %s has no other server that is enabled, so it is left out", id.Toolbox)
	}
	return edit.write("Disabled " + placeOf(id) + ".")
}

// allDisabled reports whether every server of a toolbox is disabled.
func allDisabled(text []byte, configuration setup.Configuration, toolbox domain.ToolboxName) bool {
	for _, server := range configuration.Servers {
		if server.ID.Toolbox == toolbox && !isDisabledIn(text, server.ID) {
			return false
		}
	}
	for _, name := range configuration.Plugins[toolbox] {
		if !isDisabledIn(text, domain.ServerID{Toolbox: toolbox, Server: name}) {
			return false
		}
	}
	return true
}

// isDisabledIn reports whether a toolbox or a server is disabled itself.
func isDisabledIn(text []byte, id domain.ServerID) bool {
	value, _ := memberOf(text, disabledIn(text, id))
	return string(value) == "true"
}
