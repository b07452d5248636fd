package review

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcp-workbench/adapters/config/keys"
	"mcp-workbench/domain"
	"mcp-workbench/domain/launcher"
	"mcp-workbench/domain/rawjson"
)

// A Change is one of a server.
type Change struct {
	// Keys describe the server.
	Keys keys.Set
	// Before and After are its states as JSON objects, Before nil for a server that is new or was disabled.
	Before, After json.RawMessage
	// IsForeign says that someone other than the user described the state after.
	IsForeign bool
	// Reads reports whether a reference to a variable gets its value. Nil means that all do; in the texts of a plugin
	// references are text.
	Reads func(variable string) bool
	// UsedBy returns the servers that use a variable now; nil for none.
	UsedBy func(variable string) []string
}

// A Review has the lines that show a change to the user before it is made. They are not escaped for a terminal.
type Review struct {
	// Runs is the program with its variables, arguments and folder, or the address.
	Runs string
	// Details say from which package it is, and which variables it sets that are code.
	Details []string
	// Grants are the variables of the user that it gets. Those that it did not get before need care.
	Grants []Grant
	// NeedsCare names grants beyond the needs of a server, and changes of its program, package, address and protections.
	// A plain --yes does not accept them.
	NeedsCare []string
}

// A Grant is a variable of the user that a server gets.
type Grant struct {
	Variable string
	// Line says who uses it now and who gets it.
	Line string
}

// Of returns the review of a change.
func Of(change Change) Review {
	before, after := read(change.Keys, change.Before), read(change.Keys, change.After)
	r := &reviewer{Change: change, before: before, after: after, isNew: change.Before == nil}
	if r.Runs = after.line(); r.Runs == "" {
		r.Runs = string(rawjson.EditMembers(change.After, func(name string, value []byte) []byte {
			return []byte(Shown(change.Keys.Member(name), value))
		}))
	}
	if name := after.pkg.name; name != "" {
		r.Details = append(r.Details, "package: "+after.pkg.written+" ("+after.pkg.kind+")")
	}
	r.moves()
	r.code()
	r.grants()
	if !r.isNew {
		r.protections()
	}
	return r.Review
}

// Lines returns the lines of the review, in the words of all commands.
func (r Review) Lines() []string {
	lines := slices.Concat([]string{"runs: " + r.Runs}, r.Details)
	for _, grant := range r.Grants {
		lines = append(lines, grant.Line)
	}
	for _, care := range r.NeedsCare {
		lines = append(lines, "needs care: "+care)
	}
	return lines
}

type reviewer struct {
	Review
	Change
	before, after facts
	isNew         bool
}

func (r *reviewer) care(format string, args ...any) {
	r.NeedsCare = append(r.NeedsCare, fmt.Sprintf(format, args...))
}

// note adds a detail, or a line that needs care.
func (r *reviewer) note(needsCare bool, line string) {
	if needsCare {
		r.NeedsCare = append(r.NeedsCare, line)
		return
	}
	r.Details = append(r.Details, line)
}

// moves notes what was another program, package or address.
func (r *reviewer) moves() {
	if r.isNew {
		return
	}
	was := func(what, before, after string) {
		if before != after {
			r.care("another %s: %s, was: %s", what, orNone(after), orNone(before))
		}
	}
	for _, path := range sortedOnce(r.before.origins, r.after.origins) {
		what := path
		if !strings.Contains(path, ".") {
			what = "address"
		}
		was(what, r.before.origins[path], r.after.origins[path])
	}
	was("program", r.before.command, r.after.command)
	was("package", r.before.pkg.id(), r.after.pkg.id())
	for _, path := range sortedOnce(r.before.places, r.after.places) {
		was(path, r.before.places[path], r.after.places[path])
	}
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// code notes the variables and options that are code.
func (r *reviewer) code() {
	for _, name := range slices.Sorted(maps.Keys(r.after.variables)) {
		value, had := r.before.variables[name]
		if decides := domain.CodeVariable(name); decides != "" && r.after.variables[name] != "${"+name+"}" { // which the user set
			isOther := !r.isNew && (!had || value != r.after.variables[name])
			r.note(r.IsForeign || isOther, fmt.Sprintf("it sets %s, which %s", name, decides))
		}
	}
	for _, option := range launcher.CodeOptions(r.after.command, r.after.args) {
		if isOther := !r.isNew && !slices.Contains(launcher.CodeOptions(r.before.command, r.before.args), option); r.IsForeign || isOther {
			r.care("%s is code, or names code that is loaded", option)
		}
	}
}

// grants notes what the server gets: variables of the user, and values that may be secrets.
func (r *reviewer) grants() {
	for _, value := range r.after.data {
		if !r.isNew && !slices.ContainsFunc(r.before.data, func(v datum) bool { return v == value }) {
			r.care("%s is a %s that it did not get before", value.name, value.kind)
		}
	}
	for _, name := range r.after.references {
		if domain.EditorVariable(name) != "" || r.Reads != nil && !r.Reads(name) {
			continue // it has no value here
		}
		line := name + " goes to " + r.after.target()
		if users := r.users(name); len(users) > 0 {
			line = fmt.Sprintf("%s (now used by %s) goes to %s", name, strings.Join(users, ", "), r.after.target())
		}
		if r.Grants = append(r.Grants, Grant{name, line}); !r.isNew && !slices.Contains(r.before.references, name) {
			r.care("%s", line)
		}
	}
	if r.after.getsAll {
		line := "all your variables go to " + r.after.target()
		if r.Grants = append(r.Grants, Grant{"", line}); !r.isNew && !r.before.getsAll {
			r.care("%s", line)
		}
	}
}

func (r *reviewer) users(variable string) []string {
	if r.UsedBy == nil || slices.Contains(r.before.references, variable) {
		return nil
	}
	return r.UsedBy(variable)
}

// protections notes the protections that another value replaces, or that are gone.
func (r *reviewer) protections() {
	r.NeedsCare = append(r.NeedsCare, Weaker(keys.Protection|keys.File, r.Keys.Values(r.Change.Before), r.Keys.Values(r.Change.After))...)
}

// Weaker returns a line for each value with one of the traits, itself or by the object that it is in, that differs between two
// states or is gone. A protection that no state has without its key counts only if the state before has it, and what a server
// inherits has lines of its own.
func Weaker(traits keys.Trait, before, after []keys.Value) []string {
	var lines []string
	for _, change := range keys.Changes(before, after) {
		isCounted := change.Of.Is(traits) || change.Key.Is(keys.File)
		isStricter := change.Before == nil && change.Of.Is(keys.Strict)
		if !isCounted || isStricter || change.Of.Is(keys.Inherits) || isDefault(change.Key, change.Before) && isDefault(change.Key, change.Raw) {
			continue
		}
		now := "gone"
		if change.Raw != nil {
			now = Shown(change.Key, change.Raw)
		}
		lines = append(lines, fmt.Sprintf("%s is %s, was: %s", change.Path(), now, Shown(change.Key, change.Before)))
	}
	return lines
}

// isDefault reports whether a value, nil for none, is the default of its key.
func isDefault(key keys.Key, raw json.RawMessage) bool {
	return raw == nil || key.HasDefault && (string(raw) == key.Default || rawjson.Kind(raw) == '"' && rawjson.Text(raw) == key.Default)
}

// Shown returns a value of a key as JSON, with its secrets masked.
func Shown(key keys.Key, raw json.RawMessage) string {
	if raw == nil {
		return "none"
	}
	var value any
	_ = json.Unmarshal(raw, &value) // the configuration was checked
	return string(rawjson.MustMarshal(shownIn(value, key)))
}

// shownIn returns a value of JSON with its texts as the key shows them.
func shownIn(value any, key keys.Key) any {
	switch value := value.(type) {
	case string:
		return key.Shown(value)
	case []any:
		for i, element := range value {
			value[i] = shownIn(element, key)
		}
	case map[string]any:
		for name, member := range value {
			value[name] = shownIn(member, key.Member(name))
		}
	}
	return value
}

// sortedOnce returns the names of two maps.
func sortedOnce(first, other map[string]string) []string {
	names := slices.Concat(slices.Collect(maps.Keys(first)), slices.Collect(maps.Keys(other)))
	slices.Sort(names)
	return slices.Compact(names)
}
