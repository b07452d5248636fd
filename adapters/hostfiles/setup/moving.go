package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
	"mcp-workbench/adapters/hostfiles/textedit"
	"mcp-workbench/adapters/lock/lockfile"
	"mcp-workbench/adapters/system/safefile"
	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// patternKeys are the keys whose patterns name toolboxes and servers.
var patternKeys = []string{"confirm", "readOnly"}

// inheritedKeys are the keys of a toolbox that apply to its servers.
var inheritedKeys = []string{"confirm", "readOnly", "trustAnnotations", "start", "definitions", "results"}

// Move gives a toolbox another name, or a server another toolbox, another name or both, in the
// configuration, which must be the one of the scope. The description is that of a new toolbox.
func Move(e *Editor, from, to, description, scope string) error {
	own, configuration, err := e.openInScope(scope)
	if err != nil {
		return err
	}
	move, err := configuration.Move(from, to)
	if err != nil {
		return err
	}
	if description != "" && !move.Creates {
		return &UsageError{errors.New("--description is for a new toolbox; 'mcp-workbench describe TOOLBOX TEXT' changes that of another")}
	}
	if move.Creates {
		description = cmp.Or(description, setup.Description(string(move.To.Toolbox), []string{string(move.To.Server)}))
	}
	edit := e.edit(own, move.To)
	if move.From.Server == "" {
		own.renamed = map[string]string{string(move.From.Toolbox): string(move.To.Toolbox)}
	}
	edit.result.From = placeOf(move.From)
	edit.move(move, description)
	checked, err := edit.check("move " + placeOf(move.From))
	if err != nil {
		return err
	}
	if err := edit.showMoved(checked, move); err != nil {
		return err
	}
	lock := movedLock{file: lockfile.Beside(own.path), move: move}
	edit.around = lock.during
	edit.result.Notes = append(movedNotes(own, checked, move), lock.plan()...)
	if move.Creates && description == "" {
		edit.note("the toolbox %s has no description, which a model reads; %s writes one",
			move.To.Toolbox, e.command("describe "+domain.ShellWord(string(move.To.Toolbox))+" TEXT"))
	}
	return edit.write("Moved " + placeOf(move.From) + " to " + placeOf(move.To) + ".")
}

// enables reports whether a server is enabled once it is in its new toolbox, although its old one is disabled.
func enables(before []byte, move setup.Move) bool {
	from, to := domain.ServerID{Toolbox: move.From.Toolbox}, domain.ServerID{Toolbox: move.To.Toolbox}
	return move.From.Server != "" && isDisabledIn(before, from) && !isDisabledIn(before, to) && !isDisabledIn(before, move.From)
}

// showMoved shows the review of a moved server, and lets the edit ask if it is protected less than before. What a disabled toolbox kept
// from running is shown as what 'enable' shows.
func (e *edit) showMoved(checked *config.Configuration, move setup.Move) error {
	if move.From.Server == "" {
		return nil
	}
	if enables(e.own.text(), move) {
		return e.showEnabled()
	}
	servers, err := serversIn(e.text)
	if err != nil {
		return err
	}
	for _, server := range servers {
		if server.ID == move.To {
			reviewed := e.own.reviewOf(server.ID, &server.Settings, &server.Settings, false)
			reviewed.NeedsCare = append(reviewed.NeedsCare, lessProtected(e.own.checked, checked, move)...)
			e.editor.sayReview(reviewed)
			return e.weigh(reviewed.NeedsCare)
		}
	}
	return nil
}

// lessProtected says which protections a server loses on its way into another toolbox, since patterns name toolboxes and the
// tokens of callers too.
func lessProtected(before, after *config.Configuration, move setup.Move) []string {
	was, wasThere := serverOf(before, move.From)
	now, isThere := serverOf(after, move.To)
	if !wasThere || !isThere {
		return nil // it is disabled
	}
	var lines []string
	note := func(isWeaker bool, key string, now, was any) {
		if isWeaker {
			lines = append(lines, fmt.Sprintf("%s is %s, was: %s", key, rawjson.MustMarshal(now), rawjson.MustMarshal(was)))
		}
	}
	had, has := was.Approvals.AtServer(move.From), now.Approvals.AtServer(move.To)
	asksLess := has.AsksLessThan(had, move.To)
	note(asksLess, "confirm", confirmed(has), confirmed(had))
	note(has.ReadsMoreThan(domain.Approvals{ReadOnly: had.ReadOnly, TrustAnnotations: true}, move.To), "readOnly", texts(has.ReadOnly), texts(had.ReadOnly))
	note(has.TrustAnnotations && !had.TrustAnnotations, "trustAnnotations", has.TrustAnnotations, had.TrustAnnotations)
	for _, token := range after.HTTP.Tokens {
		if !reaches(token, move.From.Toolbox) && reaches(token, move.To.Toolbox) {
			lines = append(lines, fmt.Sprintf("the token %q reaches it (http.tokens)", token.Name))
		}
	}
	return lines
}

// confirmed returns the patterns of the tools whose calls need a yes.
func confirmed(approvals domain.Approvals) []string {
	patterns := texts(approvals.Confirm)
	if approvals.ConfirmDestructive {
		patterns = append(patterns, domain.Destructive)
	}
	return patterns
}

func texts(patterns domain.ToolPatterns) []string {
	texts := []string{}
	for _, pattern := range patterns {
		texts = append(texts, pattern.Text)
	}
	return texts
}

// serverOf returns a server that is enabled.
func serverOf(configuration *config.Configuration, id domain.ServerID) (server domain.Server, isThere bool) {
	toolbox, _ := configuration.Catalog.Toolbox(id.Toolbox) // it has no servers if all are disabled
	return toolbox.Server(id.Server)
}

// reaches reports whether the caller with a token sees a toolbox.
func reaches(token config.Token, toolbox domain.ToolboxName) bool {
	return token.Toolboxes == nil || slices.Contains(token.Toolboxes, string(toolbox))
}

// move changes the names of a toolbox or a server wherever the configuration has them.
func (e *edit) move(move setup.Move, description string) {
	from, to := domain.ServerID{Toolbox: move.From.Toolbox}, domain.ServerID{Toolbox: move.To.Toolbox}
	if description != "" {
		e.set(pathOf(to, "description"), description)
	}
	e.step(func(text []byte) ([]byte, error) { return textedit.MoveJSON(text, pathOf(move.From), pathOf(move.To)) })
	if move.Empties {
		e.remove(pathOf(from))
	}
	for _, key := range patternKeys {
		e.replace([]string{key}, move.InRoot)
		if move.From.Server != "" && from == to {
			e.replace(pathOf(from, key), move.InToolbox)
		}
	}
	for _, token := range e.own.checked.HTTP.Tokens {
		if move.From.Server == "" {
			e.replace([]string{"http", "tokens", token.Name, "toolboxes"}, func(name string) string {
				return string(move.Moved(domain.ServerID{Toolbox: domain.ToolboxName(name)}).Toolbox)
			})
		}
	}
}

// movedNotes says what else a move changes.
func movedNotes(own *ownFile, checked *config.Configuration, move setup.Move) []string {
	notes := []string{}
	if move.Empties {
		notes = append(notes, fmt.Sprintf("the toolbox %s is removed, since it has no other server", move.From.Toolbox))
	}
	if move.From.Toolbox != move.To.Toolbox && move.From.Server != "" {
		for _, key := range keysIn(own.text(), move.From.Toolbox) {
			notes = append(notes, fmt.Sprintf("%q of the toolbox %s no longer applies to %s; write it there if it should", key, move.From.Toolbox, move.To.Path()))
		}
		for _, key := range keysIn(own.text(), move.To.Toolbox) {
			notes = append(notes, fmt.Sprintf("%q of the toolbox %s now applies to %s", key, move.To.Toolbox, move.To.Path()))
		}
		notes = append(notes, tokenNotes(checked, move)...)
	}
	if move.From.Server != move.To.Server {
		notes = append(notes, nameNotes(own.text(), move)...)
	}
	for _, warning := range checked.Warnings {
		isNew := func(w tree.Problem) bool { return w.Message == warning.Message }
		if warning.Pattern != nil && !slices.ContainsFunc(own.checked.Warnings, isNew) {
			notes = append(notes, warning.KeyPath+": "+warning.Message)
		}
	}
	return notes
}

// keysIn returns the keys of a toolbox that apply to its servers.
func keysIn(text []byte, toolbox domain.ToolboxName) []string {
	members, _ := textedit.ReadJSON(text, []string{"toolboxes", string(toolbox)}) // was read before
	var keys []string
	for _, member := range members {
		if slices.Contains(inheritedKeys, member.Name) {
			keys = append(keys, member.Name)
		}
	}
	return keys
}

// tokenNotes says which callers over HTTP reach a server now, and which no longer do.
func tokenNotes(checked *config.Configuration, move setup.Move) []string {
	var notes []string
	for _, token := range checked.HTTP.Tokens {
		before, after := reaches(token, move.From.Toolbox), reaches(token, move.To.Toolbox)
		switch {
		case before && !after:
			notes = append(notes, fmt.Sprintf("the token %q no longer reaches %s (http.tokens)", token.Name, move.To.Path()))
		case after && !before:
			notes = append(notes, fmt.Sprintf("the token %q now reaches %s (http.tokens)", token.Name, move.To.Path()))
		}
	}
	return notes
}

// nameNotes says which patterns of the root name a server by its old name alone, which servers of
// other toolboxes can have too.
func nameNotes(text []byte, move setup.Move) []string {
	members, _ := textedit.ReadJSON(text, nil) // was read before
	var notes []string
	for _, member := range members {
		var patterns []string
		if !slices.Contains(patternKeys, member.Name) || json.Unmarshal(member.Value, &patterns) != nil {
			continue
		}
		for _, pattern := range patterns {
			if rest, found := strings.CutPrefix(pattern, string(move.From.Server)+"/"); found && move.InRoot(pattern) == pattern {
				notes = append(notes, fmt.Sprintf("%q of %q no longer matches %s; write \"%s/%s\" there if it should",
					pattern, member.Name, move.To.Path(), move.To.Path(), rest))
			}
		}
	}
	return notes
}

// movedLock moves the entries of servers in the lock beside the configuration.
type movedLock struct {
	file   *lockfile.File
	move   setup.Move
	after  domain.Lock
	before []byte // the text of the lock that is to be replaced; nil for none
}

// plan reads the lock and returns notes about it.
func (l *movedLock) plan() []string {
	before, readErr := l.file.Text() // before it is parsed, so that a later change is noticed
	lock, err := l.file.Lock()
	switch {
	case err != nil:
		return []string{fmt.Sprintf("%s cannot be read, so it keeps the old name: %v", domain.LockName, err)}
	case lock == nil:
		return nil
	case readErr != nil:
		return []string{readErr.Error()}
	}
	// An entry that the lock has under a new name belongs to a server that is gone.
	taken := map[domain.ServerID]bool{}
	for _, server := range lock.Servers {
		if to := l.move.Moved(server.ID); to != server.ID {
			taken[to] = true
		}
	}
	if len(taken) == 0 {
		return nil
	}
	for _, server := range lock.Servers {
		if !taken[server.ID] {
			server.ID = l.move.Moved(server.ID)
			l.after.Servers = append(l.after.Servers, server)
		}
	}
	for _, pinned := range lock.Packages {
		if !taken[pinned.ID] {
			pinned.ID = l.move.Moved(pinned.ID)
			l.after.Packages = append(l.after.Packages, pinned)
		}
	}
	slices.SortFunc(l.after.Servers, func(a, b domain.LockedServer) int { return a.ID.Compare(b.ID) })
	slices.SortFunc(l.after.Packages, func(a, b domain.PinnedPackage) int { return a.ID.Compare(b.ID) })
	l.before = before
	return []string{domain.LockName + " gets the new name too"}
}

// during writes the lock if plan changed it, then calls write, and restores the lock if that fails. The
// lock is written first, since trust in the configuration is also trust in the lock beside it.
//
// Failures: safefile.ErrChanged if the lock changed since plan; those of write and of the file system.
func (l *movedLock) during(write func() error) error {
	if l.before == nil {
		return write()
	}
	return safefile.Exclusively(l.file.Path(), func() error { return l.duringLocked(write) })
}

func (l *movedLock) duringLocked(write func() error) error {
	now, err := l.file.Text()
	if err == nil && !bytes.Equal(now, l.before) {
		err = fmt.Errorf("write %s: %w", l.file.Path(), safefile.ErrChanged)
	}
	if err != nil {
		return err
	}
	if err := l.file.Save(l.after); err != nil {
		return err
	}
	if err = write(); err != nil {
		err = errors.Join(err, safefile.Replace(l.file.Path(), l.before, lockMode))
	}
	return err
}

// lockMode is the mode of a lock, which is meant to be shared.
const lockMode = 0o644
