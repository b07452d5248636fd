package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/domain/rawjson"
)

// field is a field of a form, as its schema describes it.
type field struct {
	name, title, description string
	required                 bool
	// kind is the type of JSON Schema: string, number, integer, boolean or array.
	kind string
	// choices are the allowed values, none when any is.
	choices []choice
	// preset is the default, nil when there is none.
	preset json.RawMessage
	limits limits
}

// choice is a value of an enumeration and its title, "" for none.
type choice struct{ value, title string }

func (c choice) shown() string {
	value, title := cut(terminal.OneLine(c.value), maxTitle), cut(terminal.OneLine(c.title), maxTitle)
	if title == "" || title == value {
		return value
	}
	return value + ": " + title
}

// limits are the limits of a value in a form.
type limits struct {
	Minimum   *float64 `json:"minimum"`
	Maximum   *float64 `json:"maximum"`
	MinLength *int     `json:"minLength"`
	MaxLength *int     `json:"maxLength"`
}

// fieldSchema is the schema of a field (MCP 2025-11-25, elicitation).
type fieldSchema struct {
	Type        string          `json:"type"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Enum        []string        `json:"enum"`
	EnumNames   []string        `json:"enumNames"`
	OneOf       []titled        `json:"oneOf"`
	Items       struct {
		Enum  []string `json:"enum"`
		AnyOf []titled `json:"anyOf"`
	} `json:"items"`
	limits
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
		fields = append(fields, field{
			name: string(name), title: s.Title, description: s.Description,
			required: slices.Contains(f.Required, string(name)),
			kind:     s.Type, choices: s.choices(), preset: s.Default, limits: s.limits,
		})
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
	name := f.name
	if f.title != "" {
		name = f.title
	}
	var notes []string
	switch {
	case len(f.choices) > 0 && f.kind == "array":
		notes = append(notes, "several of these, separated by commas")
	case len(f.choices) > 0:
		notes = append(notes, "one of these")
	case f.kind == "boolean":
		notes = append(notes, "yes or no")
	case f.kind != "string":
		notes = append(notes, f.kind)
	}
	switch {
	case f.preset != nil:
		notes = append(notes, "default "+string(f.preset))
	case !f.required:
		notes = append(notes, "optional")
	}
	text := cut(terminal.OneLine(name), maxTitle)
	if f.description != "" {
		text += " - " + cut(terminal.OneLine(f.description), maxTitle)
	}
	if len(notes) > 0 {
		text += " (" + cut(terminal.OneLine(strings.Join(notes, ", ")), maxTitle) + ")"
	}
	return text + ": "
}

// read returns a line as a value of the field.
func (f field) read(line string) (json.RawMessage, error) {
	switch f.kind {
	case "boolean":
		switch strings.ToLower(line) {
		case "y", "yes", "true":
			return json.RawMessage("true"), nil
		case "n", "no", "false":
			return json.RawMessage("false"), nil
		}
		return nil, errors.New("the answer must be yes or no")
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
	case err != nil || !json.Valid([]byte(line)) || f.kind == "integer" && !whole:
		return nil, fmt.Errorf("it must be a number%s", map[bool]string{true: " without a fraction"}[f.kind == "integer"])
	case f.limits.Minimum != nil && number < *f.limits.Minimum:
		return nil, fmt.Errorf("the minimum is %g", *f.limits.Minimum)
	case f.limits.Maximum != nil && number > *f.limits.Maximum:
		return nil, fmt.Errorf("the maximum is %g", *f.limits.Maximum)
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
	case f.limits.MinLength != nil && length < *f.limits.MinLength:
		return fmt.Errorf("it must have at least %d characters", *f.limits.MinLength)
	case f.limits.MaxLength != nil && length > *f.limits.MaxLength:
		return fmt.Errorf("it must have at most %d characters", *f.limits.MaxLength)
	}
	return nil
}
