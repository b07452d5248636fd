package setup

import (
	"encoding/json"
	"fmt"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// edit is a change of the configuration by one command. Its steps change the text one after another; after
// one that fails, the others do nothing.
type edit struct {
	own    *ownFile
	id     domain.ServerID
	text   []byte
	err    error
	result editResult
	// isPrivate says that only the owner may read the file afterwards.
	isPrivate bool
	// asks says that the user is shown the change and asked. isShown says that it was shown already.
	asks, isShown bool
	// around, unless nil, calls the function that writes the file.
	around func(write func() error) error
}

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
	// Published is about a server of the registry.
	Published *publishedResult `json:"published,omitempty"`
}

// edit returns an edit about a toolbox or a server.
func (f *ownFile) edit(id domain.ServerID) *edit {
	return &edit{own: f, id: id, text: f.text(), result: editResult{
		File: f.path, Created: f.isNew(), Toolbox: string(id.Toolbox), Server: string(id.Server), Notes: []string{},
	}}
}

// step makes one change of the text.
func (e *edit) step(change func(text []byte) ([]byte, error)) {
	if e.err != nil {
		return
	}
	if changed, err := change(e.text); err != nil {
		e.err = err
	} else {
		e.text = changed
	}
}

// set sets the member at a path to a value.
func (e *edit) set(path []string, value any) {
	e.step(func(text []byte) ([]byte, error) { return withMember(text, path, value) })
}

// withMember returns a text with the member at a path set to a value.
//
// Failures: those of textedit.SetJSON.
func withMember(text []byte, path []string, value any) ([]byte, error) {
	written, err := setup.JSON(value)
	if err != nil {
		return nil, err
	}
	return textedit.SetJSON(text, path, written)
}

// remove removes the member at a path.
func (e *edit) remove(path []string) {
	e.step(func(text []byte) ([]byte, error) { return textedit.DeleteJSON(text, path) })
}

// replace replaces the strings at a path.
func (e *edit) replace(path []string, replaced func(string) string) {
	e.step(func(text []byte) ([]byte, error) { return textedit.MapJSON(text, path, replaced) })
}

func (e *edit) note(format string, args ...any) {
	e.result.Notes = append(e.result.Notes, fmt.Sprintf(format, args...))
}

// check returns the configuration after the edit, whose failure names the edit.
//
// Failures: those of the steps and of ownFile.check.
func (e *edit) check(name string) (*config.Configuration, error) {
	if e.err != nil {
		return nil, fmt.Errorf("%s: %w", name, e.err)
	}
	return e.own.check(e.text)
}

// openInScope returns the configuration of a scope.
func (e *Editor) openInScope(scope string) (*ownFile, setup.Configuration, error) {
	own, err := e.openOwnFile()
	if err != nil {
		return nil, setup.Configuration{}, err
	}
	configuration, err := own.inScope(scope)
	return own, configuration, err
}

// editOf returns an edit of what a function finds in the configuration of a scope.
func (e *Editor) editOf(scope string, find func(setup.Configuration) (domain.ServerID, error)) (*edit, error) {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return nil, err
	}
	id, err := find(configuration)
	return own.edit(id), err
}

// inScope returns what plans depend on, and fails unless the file is the one of a scope.
func (f *ownFile) inScope(scope string) (setup.Configuration, error) {
	configuration, err := f.configuration()
	if err != nil {
		return setup.Configuration{}, err
	}
	if err := configuration.CheckScope(scope); err != nil {
		return setup.Configuration{}, &UsageError{err}
	}
	return configuration, nil
}

// write makes an edit, prints what was done, and ends the command.
func (e *Editor) write(edit *edit, done string) error {
	if err := e.make(edit, done); err != nil {
		return err
	}
	return e.finish(edit.result, false)
}

// make makes an edit and says what was done. It asks no question unless the edit says so, since the command itself asks for
// the edit.
func (e *Editor) make(edit *edit, done string) (err error) {
	change := edit.own.change(edit.text, edit.isPrivate)
	if apply := change.apply; edit.around != nil {
		change.apply = func() error { return edit.around(apply) }
	}
	edit.result.Diff = change.diff()
	edit.result.Notes = append(edit.result.Notes, change.notes...)
	e.sayNotes(edit.result.Notes)
	switch {
	case edit.isShown:
		edit.result.Written, err = e.apply(change, e.terminal.Confirm)
	case edit.asks:
		edit.result.Written, err = e.settle(change)
	case e.DryRun:
		err = e.show(change)
	case e.printErr == nil: // otherwise the user did not see the notes
		edit.result.Written, err = e.apply(change, nil)
	}
	if edit.result.Written {
		e.say("%s", edit.own.done(done))
	}
	return err
}

// nothing says that there is nothing to change.
func (e *Editor) nothing(edit *edit, why string) error {
	e.sayNotes(edit.result.Notes)
	e.say("Nothing to change: %s.", why)
	return e.finish(edit.result, false)
}

// placeOf names a toolbox or a server.
func placeOf(id domain.ServerID) string {
	if id.Server == "" {
		return string(id.Toolbox)
	}
	return id.Path()
}

// pathOf returns the path of a member of a toolbox or a server in the file, or of the two themselves.
func pathOf(id domain.ServerID, member ...string) []string {
	path := []string{"toolboxes", string(id.Toolbox)}
	if id.Server != "" {
		path = append(path, "mcpServers", string(id.Server))
	}
	return append(path, member...)
}

// disabledIn returns the path of the member that disables a toolbox or a server, which may be one of a plugin.
func disabledIn(text []byte, id domain.ServerID) []string {
	path := pathOf(id, "disabled")
	if _, hasPlugin := memberOf(text, pathOf(domain.ServerID{Toolbox: id.Toolbox}, "plugin")); hasPlugin && id.Server != "" {
		path[2] = "servers"
	}
	return path
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
