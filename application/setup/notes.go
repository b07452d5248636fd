package setup

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"mcp-workbench/domain"
)

// ReviewNotes returns what a user should know about a server that someone else configured, one line
// each: which of the user's variables it gets, and which variables it sets that decide which code runs.
func (s Server) ReviewNotes() []string {
	var notes []string
	if variables := s.Settings.variables(); len(variables) > 0 {
		notes = append(notes, fmt.Sprintf("it gets your variables: %s (%s)", strings.Join(variables, ", "), s.Settings.target()))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Env)) {
		if decides := domain.CodeVariable(name); decides != "" {
			notes = append(notes, fmt.Sprintf("it sets %s, which %s", name, decides))
		}
	}
	return notes
}

// variables returns the sorted names of the environment variables that a server gets.
func (s Settings) variables() []string {
	names := slices.Clone(s.InheritEnv)
	values := slices.Concat(
		s.Args, []string{s.Command, s.URL, s.Cwd}, slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.Headers)),
	)
	if s.OAuth != nil {
		values = append(values, s.OAuth.ClientID, s.OAuth.ClientSecret, s.OAuth.Issuer)
	}
	for _, value := range values {
		for _, found := range variable.FindAllString(value, -1) {
			name, _, _ := strings.Cut(strings.Trim(found, "${}"), ":-")
			if domain.EditorVariable(name) == "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// target returns the program of a server, or the origin of its address.
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
