package shell

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain/rawjson"
)

// field is a field of a form.
type field struct {
	fieldSchema
	name     string
	required bool
	choices  []choice // the allowed values, none when any is
}

// choice is a value of an enumeration and its title, "" for none.
type choice struct{ value, title string }

func (c choice) line() string {
	value, title := shortText(terminal.OneLine(c.value), maxTitle), shortText(terminal.OneLine(c.title), maxTitle)
	if title == "" || title == value {
		return value
	}
	return value + ": " + title
}

// fieldSchema is the schema of a field (MCP 2025-11-25, elicitation).
type fieldSchema struct {
	Type        string          `json:"type"` // string, number, integer, boolean or array
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Format      string          `json:"format"` // of a string; a name that is not in formats is ignored
	Default     json.RawMessage `json:"default"`
	Enum        []string        `json:"enum"`
	EnumNames   []string        `json:"enumNames"`
	OneOf       []titled        `json:"oneOf"`
	Items       struct {
		Enum  []string `json:"enum"`
		AnyOf []titled `json:"anyOf"`
	} `json:"items"`
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	MinLength *int     `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
}

type titled struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

// readFields returns the fields of a form in their order.
func readFields(schema json.RawMessage) ([]field, error) {
	var f form
	if err := json.Unmarshal(schema, &f); err != nil {
		return nil, fmt.Errorf("the form cannot be read: %w", err)
	}
	if len(f.Properties) == 0 {
		return nil, nil
	}
	var fields []field
	err := rawjson.EachMember(f.Properties, func(name, value []byte) error {
		var s fieldSchema
		if err := json.Unmarshal(value, &s); err != nil {
			return fmt.Errorf("the field %q: %w", name, err)
		}
		if !slices.Contains([]string{"string", "number", "integer", "boolean", "array"}, s.Type) {
			return fmt.Errorf("the field %q has the type %q, which no form has", name, s.Type)
		}
		fields = append(fields, field{s, string(name), slices.Contains(f.Required, string(name)), s.choices()})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the form cannot be read: %w", err)
	}
	return fields, nil
}

func (s fieldSchema) choices() []choice {
	var choices []choice
	for i, value := range slices.Concat(s.Enum, s.Items.Enum) {
		c := choice{value: value}
		if i < len(s.EnumNames) {
			c.title = s.EnumNames[i]
		}
		choices = append(choices, c)
	}
	for _, option := range slices.Concat(s.OneOf, s.Items.AnyOf) {
		choices = append(choices, choice{value: option.Const, title: option.Title})
	}
	return choices
}

// question returns the prompt.
func (f field) question() string {
	var notes []string
	switch {
	case len(f.choices) > 0 && f.Type == "array":
		notes = append(notes, "several of these, separated by commas")
	case len(f.choices) > 0:
		notes = append(notes, "one of these")
	case f.Type == "boolean":
		notes = append(notes, "yes or no")
	case f.Type != "string":
		notes = append(notes, f.Type)
	case formats[f.Format].name != "":
		notes = append(notes, formats[f.Format].name)
	}
	switch {
	case f.Default != nil:
		notes = append(notes, "default "+string(f.Default))
	case !f.required:
		notes = append(notes, "optional")
	}
	text := shortText(terminal.OneLine(cmp.Or(f.Title, f.name)), maxTitle)
	if f.Description != "" {
		text += " - " + shortText(terminal.OneLine(f.Description), maxTitle)
	}
	if len(notes) > 0 {
		text += " (" + shortText(terminal.OneLine(strings.Join(notes, ", ")), maxTitle) + ")"
	}
	return text + ": "
}

// read returns a line as a value of the field.
func (f field) read(line string) (json.RawMessage, error) {
	switch f.Type {
	case "boolean":
		yes, ok := terminal.ReadYesNo(line)
		if value := strings.ToLower(line); value == "true" || value == "false" {
			yes, ok = value == "true", true
		}
		if !ok {
			return nil, errors.New("the answer must be yes or no")
		}
		return json.Marshal(yes)
	case "number", "integer":
		return f.readNumber(line)
	case "array":
		return f.readSome(line)
	}
	if err := f.checkText(line); err != nil {
		return nil, err
	}
	return json.Marshal(line)
}

func (f field) readNumber(line string) (json.RawMessage, error) {
	number, err := strconv.ParseFloat(line, 64)
	whole := !strings.ContainsAny(line, ".eE")
	switch {
	case err != nil || !json.Valid([]byte(line)) || f.Type == "integer" && !whole:
		return nil, fmt.Errorf("it must be a number%s", map[bool]string{true: " without a fraction"}[f.Type == "integer"])
	case f.Minimum != nil && number < *f.Minimum:
		return nil, fmt.Errorf("the minimum is %g", *f.Minimum)
	case f.Maximum != nil && number > *f.Maximum:
		return nil, fmt.Errorf("the maximum is %g", *f.Maximum)
	}
	return json.RawMessage(line), nil
}

func (f field) readSome(line string) (json.RawMessage, error) {
	var values []string
	for value := range strings.SplitSeq(line, ",") {
		value = strings.TrimSpace(value)
		if err := f.checkText(value); err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return json.Marshal(values)
}

func (f field) checkText(text string) error {
	length := len([]rune(text))
	switch {
	case len(f.choices) > 0 && !slices.ContainsFunc(f.choices, func(c choice) bool { return c.value == text }):
		return fmt.Errorf("%q is not one of these", text)
	case f.MinLength != nil && length < *f.MinLength:
		return fmt.Errorf("it must have at least %d characters", *f.MinLength)
	case f.MaxLength != nil && length > *f.MaxLength:
		return fmt.Errorf("it must have at most %d characters", *f.MaxLength)
	}
	if format, known := formats[f.Format]; known && f.Type == "string" && !format.fits(text) {
		return fmt.Errorf("it must be %s, such as %s", format.name, format.example)
	}
	return nil
}
