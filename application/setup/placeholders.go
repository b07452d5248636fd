package setup

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/domain/masking"
)

// What pages of servers write where a user is to put a value: YOUR_API_KEY, <your-key>, a variable as shells and other programs
// than the workbench refer to it, and ${input:id} as VS Code asks for it.
var (
	placeholder = regexp.MustCompile(`(?i)^(?:<[^<>]*>|\[[a-z _-]+\]|(?:your|insert|enter|replace)[-_ ].*|your[a-z]+|.*[-_ ](?:here|placeholder)|change[-_]?me|x{3,}|\*{3,}|\.{3}|…)$`)
	ofOthers    = regexp.MustCompile(strings.ReplaceAll(`^(?:\$NAME|\$env:NAME|%NAME%|\{env:NAME\}|\$?\{\{\s*(?:(?:env|secrets|inputs)\.)?NAME\s*\}\})$`, "NAME", `([A-Za-z_][A-Za-z0-9_]*)`))
	ofInput     = regexp.MustCompile(`\$\{(?:input|env|secret):([^}]*)\}`)
	credential  = regexp.MustCompile(`(?i)^(?:bearer|basic|token)\s+`)
)

// PlaceholderNotes returns which values of a server are placeholders of a page, and what to write instead, one line
// each. No value is shown.
func (s Server) PlaceholderNotes() (notes []string) {
	add := func(place, name, value string) {
		prefix := credential.FindString(value)
		if instead := instead(strings.TrimPrefix(value, prefix), name); instead != "" {
			notes = append(notes, fmt.Sprintf("%s is a placeholder: write %q, and set %s where hosts are started", place, prefix+"${"+instead+"}", instead))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Env)) {
		add("env."+name, name, s.Settings.Env[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings.Headers)) {
		add("headers."+name, s.Name+" "+name, s.Settings.Headers[name])
	}
	for i, arg := range s.Settings.Args {
		name, value := s.Name+" value", arg
		if flag, rest, hasValue := strings.Cut(arg, "="); hasValue {
			name, value = flag, rest
		} else if i > 0 && strings.HasPrefix(s.Settings.Args[i-1], "-") {
			name = s.Settings.Args[i-1]
		}
		add(fmt.Sprintf("args[%d]", i), name, value)
	}
	return notes
}

// instead returns the variable to refer to instead of a value, "" for one that is no placeholder.
func instead(value, name string) string {
	if found := ofOthers.FindStringSubmatch(value); found != nil {
		return strings.Join(found[1:], "") // only one of them matched
	}
	if found := ofInput.FindStringSubmatch(value); found != nil {
		name = found[1]
	} else if !placeholder.MatchString(value) {
		return ""
	}
	return masking.VariableName(name)
}
