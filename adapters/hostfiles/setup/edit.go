package setup

import (
	"fmt"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// edit is a change of the configuration by one command. Its steps change the text one after another; after
// one that fails, the others do nothing.
type edit struct {
	editor *Editor
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
func (e *Editor) edit(own *ownFile, id domain.ServerID) *edit {
	return &edit{editor: e, own: own, id: id, text: own.text(), result: editResult{
		File: own.path, Created: own.isNew(), Toolbox: string(id.Toolbox), Server: string(id.Server), Notes: []string{},
	}}
}

// editOf returns an edit of what a function finds in the configuration of a scope.
func (e *Editor) editOf(scope string, find func(setup.Configuration) (domain.ServerID, error)) (*edit, error) {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return nil, err
	}
	id, err := find(configuration)
	return e.edit(own, id), err
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

// write makes the edit, prints what was done, and ends the command.
func (e *edit) write(done string) error {
	if err := e.make(done); err != nil {
		return err
	}
	return e.editor.finish(e.result, false)
}

// make makes the edit and says what was done. It asks no question unless the edit says so, since the command itself asks for
// the edit.
func (e *edit) make(done string) (err error) {
	change := e.own.change(e.text, e.isPrivate)
	if apply := change.apply; e.around != nil {
		change.apply = func() error { return e.around(apply) }
	}
	e.result.Diff = change.diff()
	e.result.Notes = append(e.result.Notes, change.notes...)
	e.editor.sayNotes(e.result.Notes)
	switch {
	case e.isShown:
		e.result.Written, err = e.editor.apply(change, e.editor.terminal.Confirm)
	case e.asks:
		e.result.Written, err = e.editor.settle(change)
	case e.editor.DryRun:
		err = e.editor.show(change)
	case e.editor.printErr == nil: // otherwise the user did not see the notes
		e.result.Written, err = e.editor.apply(change, nil)
	}
	if e.result.Written {
		e.editor.say("%s", e.own.done(done))
	}
	return err
}

// weigh lets the edit ask about what needs care.
//
// Failures: those of Editor.unaccepted.
func (e *edit) weigh(care []string) error {
	if len(care) == 0 || e.editor.AllowOptions || e.editor.DryRun {
		return nil
	}
	e.asks = true
	return e.editor.unaccepted(care)
}

// nothing says that there is nothing to change, and ends the command.
func (e *edit) nothing(why string) error {
	e.editor.sayNotes(e.result.Notes)
	e.editor.say("Nothing to change: %s.", why)
	return e.editor.finish(e.result, false)
}

// placeOf names a toolbox or a server.
func placeOf(id domain.ServerID) string {
	if id.Server == "" {
		return string(id.Toolbox)
	}
	return id.Path()
}
