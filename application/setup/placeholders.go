package setup

import (
	"fmt"
	"regexp"
	"strings"

	"mcp-workbench/domain/masking"
	"mcp-workbench/domain/rawjson"
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
func (k Keys) PlaceholderNotes(server Server) (notes []string) {
	add := func(place, name, value string) {
		prefix := credential.FindString(value)
		if instead := instead(strings.TrimPrefix(value, prefix), name); instead != "" {
			notes = append(notes, fmt.Sprintf("%s is a placeholder: write %q, and set %s where hosts are started", place, prefix+"${"+instead+"}", instead))
		}
	}
	for _, value := range k.valuesOf(server.Settings) {
		place := strings.Join(value.Path, ".")
		switch {
		case value.IsVariable:
			add(place, value.Name(), rawjson.Text(value.Raw))
		case value.IsNamed:
			add(place, server.Name+" "+value.Name(), rawjson.Text(value.Raw))
		case value.IsSecret:
			add(place, server.Name+" "+value.words(), rawjson.Text(value.Raw))
		case value.IsLine && rawjson.Kind(value.Raw) == '[':
			words := value.texts()
			for i, word := range words {
				name := server.Name + " value"
				if flag, rest, hasValue := strings.Cut(word, "="); hasValue {
					name, word = flag, rest
				} else if i > 0 && strings.HasPrefix(words[i-1], "-") {
					name = words[i-1]
				}
				add(fmt.Sprintf("%s[%d]", place, i), name, word)
			}
		}
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
