package hostfiles

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// IsForeign reports whether others than the user may have written the file: that of a
// project, or one that is no file of a host on this machine.
func (f File) IsForeign() bool { return f.Scope != User && f.Scope != Local }

// ReviewNotes returns what a person has to know of a server that others wrote before they
// take it, a line each: which of their variables go where, and which variables decide about
// code.
func (s Server) ReviewNotes() []string {
	var notes []string
	if variables := s.Settings.variables(); len(variables) > 0 {
		notes = append(notes, fmt.Sprintf("it gets variables of yours: %s (%s)", strings.Join(variables, ", "), s.Settings.target()))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Env)) {
		if decides := domain.CodeVariable(name); decides != "" {
			notes = append(notes, fmt.Sprintf("it sets %s, which %s", name, decides))
		}
	}
	return notes
}

// ShownVariable returns what is shown of a variable of a server: its value, without what looks like
// a secret in it. What a value decides about code is never hidden, whatever stands beside it.
func (s Server) ShownVariable(name string) string {
	value := s.Settings.Env[name]
	switch {
	case domain.CodeVariable(name) != "":
		return shownWords(value)
	case looksSecret(name, value):
		return maskedText(value)
	}
	return value
}

// variables returns the names of the variables of the environment that a server gets,
// sorted.
func (s Settings) variables() []string {
	names := slices.Clone(s.InheritEnv)
	values := slices.Concat(
		s.Args, []string{s.Command, s.URL, s.Cwd}, slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.Headers)),
	)
	if s.OAuth != nil {
		values = append(values, s.OAuth.ClientID, s.OAuth.ClientSecret, s.OAuth.Issuer)
	}
	for _, value := range values {
		for _, found := range reference().FindAllStringSubmatch(value, -1) {
			names = append(names, strings.TrimPrefix(strings.TrimLeft(found[1], "${"), "env:"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// target returns who a server is: its program, or the origin of its address.
func (s Settings) target() string {
	if s.URL == "" {
		return "the program " + s.Command
	}
	address, err := url.Parse(s.URL)
	if err != nil || address.Host == "" {
		return "an address"
	}
	return cmp.Or(address.Scheme, "http") + "://" + address.Host
}
