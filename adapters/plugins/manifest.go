package plugins

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// The canonical identifiers of the schemas of version 1.0.0, the only one that is known.
const (
	// ManifestSchema is that of plugin.json.
	ManifestSchema = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
	// ServersSchema is that of mcp.json.
	ServersSchema = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
)

// member is a member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// object returns the members of a JSON object in their order.
//
// Failures: another value; a name that occurs twice.
func object(raw []byte) ([]member, error) {
	if rawjson.Kind(raw) != '{' {
		return nil, errors.New("is no object")
	}
	var members []member
	seen := map[string]bool{}
	twice := ""
	_ = rawjson.EachMember(raw, func(name, value []byte) error {
		if seen[string(name)] {
			twice = string(name)
		}
		seen[string(name)] = true
		members = append(members, member{string(name), value})
		return nil
	}) // the text was checked
	if twice != "" {
		return nil, fmt.Errorf("has %s twice", domain.QuotedName(twice))
	}
	return members, nil
}

// document returns the members of the JSON object that a file consists of.
func document(text []byte) ([]member, error) {
	if !utf8.Valid(text) || !json.Valid(text) {
		return nil, errors.New("is not valid JSON")
	}
	return object(text)
}

// readManifest reads the manifest (section 5).
func (p *Plugin) readManifest(text []byte) *RejectedError {
	fields, err := document(text)
	if err != nil {
		return &RejectedError{Problem: "it " + err.Error(), Rule: "5.2"}
	}
	for _, required := range []string{"$schema", "name"} {
		if !slices.ContainsFunc(fields, func(m member) bool { return m.name == required }) {
			return &RejectedError{Problem: fmt.Sprintf("%q is missing", required), Rule: "5.3"}
		}
	}
	for _, field := range fields {
		if rejected := p.readField(field); rejected != nil {
			return rejected
		}
	}
	return nil
}

// readField reads a field of the manifest.
func (p *Plugin) readField(field member) *RejectedError {
	wrong := func(problem, rule string) *RejectedError {
		return &RejectedError{Problem: fmt.Sprintf("%q %s", field.name, problem), Rule: rule}
	}
	text, isText := rawjson.Text(field.value), rawjson.Kind(field.value) == '"'
	switch field.name {
	case "$schema":
		if !isText || text != ManifestSchema {
			return wrong("is not "+ManifestSchema+", the only version that is supported", "5.2")
		}
	case "name":
		if p.Name = text; !isText || !isName(text) {
			return wrong(`is not 1 to 64 characters of a-z, 0-9, "-" and ".", with a letter or digit at both ends and no "--" or ".."`, "5.5")
		}
	case "version", "description", "homepage", "repository", "license":
		if !isText {
			return wrong("is not a string", "5.4")
		}
		switch field.name {
		case "version":
			p.Version = text
		case "description":
			p.Description = text
		}
	case "author":
		if problem := authorProblem(field.value); problem != "" {
			return wrong(problem, "5.4")
		}
	case "keywords":
		if !isTexts(field.value) {
			return wrong("is not a list of strings", "5.4")
		}
	case "extensions":
		return p.readExtensions(field.value)
	default:
		p.report(Manifest, "has the unknown field "+domain.QuotedName(field.name)+", which is ignored", "5.2")
	}
	return nil
}

// authorProblem returns what is wrong with an author, "" for nothing.
func authorProblem(raw []byte) string {
	fields, err := object(raw)
	if err != nil {
		return err.Error()
	}
	for _, field := range fields {
		switch {
		case !slices.Contains([]string{"name", "email", "url"}, field.name):
			return "has the unknown field " + domain.QuotedName(field.name)
		case rawjson.Kind(field.value) != '"':
			return "has the field " + domain.QuotedName(field.name) + ", which is not a string"
		}
	}
	return ""
}

// readExtensions checks the extensions, of which none is known. What is in an object of a client is not looked at.
func (p *Plugin) readExtensions(raw []byte) *RejectedError {
	if rawjson.Kind(raw) != '{' {
		p.report(Manifest, `has "extensions" that are no object, which are ignored`, "8.1")
		return nil
	}
	fields, err := object(raw)
	if err != nil {
		return &RejectedError{Problem: `"extensions" ` + err.Error(), Rule: "8.1"}
	}
	for _, field := range fields {
		if rawjson.Kind(field.value) != '{' {
			return &RejectedError{Problem: `"extensions" has ` + domain.QuotedName(field.name) + ", which is no object", Rule: "8.1"}
		}
	}
	return nil
}

// isTexts reports whether a value is a list of strings.
func isTexts(raw []byte) bool {
	var elements []json.RawMessage
	if rawjson.Kind(raw) != '[' || json.Unmarshal(raw, &elements) != nil {
		return false
	}
	return !slices.ContainsFunc(elements, func(element json.RawMessage) bool { return rawjson.Kind(element) != '"' })
}

// namePattern is that of names but for repetitions and the length.
var namePattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// isName reports whether a text is the name of a plugin (section 5.5).
func isName(text string) bool {
	const longest = 64
	return len(text) <= longest && namePattern.MatchString(text) && !strings.Contains(text, "--") && !strings.Contains(text, "..")
}
