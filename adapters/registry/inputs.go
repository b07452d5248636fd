package registry

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mcp-workbench/domain/masking"
)

// Input is a value that a user gives. Commands print it as JSON.
type Input struct {
	// Name is the name in NAME=value.
	Name string `json:"name"`
	// Place says what the value becomes: "variable", "header", "argument" or "address".
	Place string `json:"place"`
	// Variable is a suggested name for an environment variable with the value, "" if a name has to be made of Name.
	Variable    string `json:"-"`
	Description string `json:"description,omitempty"`
	Format      string `json:"-"`
	// Default is "" for none.
	Default    string   `json:"default,omitempty"`
	Choices    []string `json:"-"`
	Required   bool     `json:"required"`
	Secret     bool     `json:"secret"`
	IsRepeated bool     `json:"-"`
}

// Answers are the values of inputs by their names, as the configuration has them: "${NAME}" is a variable there.
type Answers map[string][]string

// IsMissing reports whether an input needs an answer and has none.
func (i Input) IsMissing(answers Answers) bool {
	return i.Required && i.Default == "" && len(answers[i.Name]) == 0
}

// Check returns what is wrong with an answer. It does not show the answer to a secret input.
func (i Input) Check(answer string) error {
	shown := strconv.Quote(answer)
	if i.Secret {
		shown = "this value"
	}
	_, err := strconv.ParseFloat(answer, 64)
	switch {
	case strings.Contains(answer, "${"):
		return nil
	case strings.ContainsFunc(answer, unicode.IsControl):
		return fmt.Errorf("%s: a value is one line without control characters", i.Name)
	case len(i.Choices) > 0 && !slices.Contains(i.Choices, answer):
		return fmt.Errorf("%s: %s is not one of %s", i.Name, shown, strings.Join(i.Choices, ", "))
	case i.Format == "number" && err != nil:
		return fmt.Errorf("%s: %s is no number", i.Name, shown)
	case i.Format == "boolean" && answer != "true" && answer != "false":
		return fmt.Errorf("%s: %s is neither true nor false", i.Name, shown)
	}
	return nil
}

// The places of parts.
const (
	inVariable = "variable"
	inHeader   = "header"
	inArgument = "argument"
	inAddress  = "address"
)

// part is one value in the settings.
type part struct {
	place string
	// ofRuntime says that it is an argument of the program that runs the package.
	ofRuntime bool
	// name is the name of a variable or header, or that of a named argument with its dashes, "" for a positional one.
	name string
	// isSwitch says that the argument is its name only, if pieces are empty or their value is "true".
	isSwitch, isRepeated bool
	pieces               []piece
}

// piece is a fixed text, or the value of an input, which parts can share.
type piece struct {
	fixed string
	input *Input
}

// form is what a way consists of.
type form struct {
	parts  []part
	inputs []*Input
}

// Inputs returns the inputs in the order of the registry, each once.
//
// Failures: a text that would read variables of the user or is not one line.
func (w Way) Inputs() ([]Input, error) {
	f, err := w.form()
	var inputs []Input
	for _, input := range f.inputs {
		inputs = append(inputs, *input)
	}
	return inputs, err
}

// form reads what a way consists of.
func (w Way) form() (form, error) {
	var f form
	var err error
	add := func(p part, field Field, own string) {
		if err == nil {
			err = f.add(p, field, own)
		}
	}
	argument := func(ofRuntime bool, arguments []Argument) {
		for _, a := range arguments {
			p := part{place: inArgument, ofRuntime: ofRuntime, isRepeated: a.IsRepeated}
			own := a.ValueHint
			if a.Type == "named" {
				p.name, own = a.Name, strings.TrimLeft(a.Name, "-")
				p.isSwitch = a.isSwitch()
			}
			if p.isSwitch && a.Format != "boolean" {
				a.Field = Field{Value: new(text)}
			}
			add(p, a.Field, own)
		}
	}
	if w.Runtime != "" {
		argument(true, w.Package.RuntimeArgs)
		for _, variable := range w.Package.Environment {
			add(part{place: inVariable, name: variable.Name}, variable.Field, variable.Name)
		}
		argument(false, w.Package.PackageArgs)
		return f, err
	}
	address := text(w.Remote.URL)
	add(part{place: inAddress}, Field{IsRequired: true, Value: &address, Variables: w.Remote.Variables}, "")
	for _, header := range w.Remote.Headers {
		add(part{place: inHeader, name: header.Name}, header.Field, header.Name)
	}
	return f, err
}

// isSwitch reports whether a named argument has no value besides its name.
//
// Decision: an argument about which the registry says nothing but its name is a switch, as for VS Code, and so is one
// whose format is boolean; "false" leaves it out. A description alone announces a value.
func (a Argument) isSwitch() bool {
	if a.Value != nil || a.Default != nil && a.Format != "boolean" || len(a.Choices) > 0 || a.Placeholder != "" || a.ValueHint != "" {
		return false
	}
	return a.Format == "boolean" || a.Description == ""
}

// add adds a part whose value is a field. If the user gives the whole value, the input has the name own.
func (f *form) add(p part, field Field, own string) error {
	switch {
	case p.place != inAddress && p.place != inArgument && p.name == "":
		return fmt.Errorf("a %s has no name", p.place)
	case p.place == inVariable && strings.ContainsAny(p.name, "= "): // names that mean something else where they are written
		return fmt.Errorf("%q is no name of a variable", p.name)
	}
	if err := checkTexts(p.place, p.name); err != nil {
		return err
	}
	if field.Value == nil {
		input, err := f.input(f.free(own), p, field)
		if p.place == inVariable {
			input.Variable = p.name
		}
		p.pieces = []piece{{input: input}}
		f.parts = append(f.parts, p)
		return err
	}
	rest := string(*field.Value)
	if err := checkTexts(p.name, rest); err != nil {
		return err
	}
	for _, at := range inBraces.FindAllString(rest, -1) {
		variable, ok := field.Variables[at[1:len(at)-1]]
		if !ok {
			continue
		}
		before, after, _ := strings.Cut(rest, at)
		p.pieces, rest = append(p.pieces, piece{fixed: before}), after
		if variable.Value != nil {
			if err := checkTexts(at, string(*variable.Value)); err != nil {
				return err
			}
			p.pieces = append(p.pieces, piece{fixed: string(*variable.Value)})
			continue
		}
		variable.IsRequired = variable.IsRequired || field.IsRequired
		variable.IsSecret = variable.IsSecret || field.IsSecret
		input, err := f.input(inputName(at[1:len(at)-1]), p, variable)
		if err != nil {
			return err
		}
		p.pieces = append(p.pieces, piece{input: input})
	}
	p.pieces = append(p.pieces, piece{fixed: rest})
	f.parts = append(f.parts, p)
	return nil
}

// inBraces matches the name of a variable in a value. Other braces stay as they are.
var inBraces = regexp.MustCompile(`\{[^{}]+\}`)

// checkTexts refuses texts of a registry that would read variables of the user, or that are not one line.
func checkTexts(about string, texts ...string) error {
	for _, text := range texts {
		if strings.Contains(text, "${") {
			return fmt.Errorf(`%s has "${" in its text, which would read a variable of yours`, aboutText(about))
		}
		if strings.ContainsFunc(text, unicode.IsControl) {
			return fmt.Errorf("%s has control characters in its text", aboutText(about))
		}
	}
	return nil
}

// aboutText quotes what a text is about, "" for the address.
func aboutText(about string) string {
	if about == "" {
		return "the address"
	}
	return strconv.Quote(about)
}

// input returns the input of a name. A known input also becomes required or secret if this one is.
//
// Failures: those of checkTexts.
func (f *form) input(name string, p part, field Field) (*Input, error) {
	input := &Input{
		Name: name, Place: p.place, Description: field.Description, Format: field.Format,
		Required: field.IsRequired, IsRepeated: p.isRepeated,
	}
	for _, choice := range field.Choices {
		input.Choices = append(input.Choices, string(choice))
	}
	if field.Default != nil && (len(input.Choices) == 0 || slices.Contains(field.Choices, *field.Default)) {
		input.Default = string(*field.Default)
	}
	input.Secret = field.IsSecret || input.Default == "" && isSecretName(p.place, name)
	if input.Secret {
		input.Default = "" // a published value is no secret
	}
	err := checkTexts(name, append([]string{input.Default}, input.Choices...)...)
	at := slices.IndexFunc(f.inputs, func(i *Input) bool { return i.Name == name })
	if at < 0 {
		f.inputs = append(f.inputs, input)
		return input, err
	}
	known := f.inputs[at]
	known.Required, known.Secret = known.Required || input.Required, known.Secret || input.Secret
	if known.Secret {
		known.Default = ""
	}
	return known, err
}

// isSecretName reports whether a value of that name is usually a secret, whatever the registry says.
func isSecretName(place, name string) bool {
	if place == inArgument || place == inAddress { // such as --max-tokens
		return secretArgument.MatchString(name)
	}
	return masking.IsSecretName(name)
}

var secretArgument = regexp.MustCompile(`(?i)(token|secret|password|api[_-]?key)$`)

// inputName returns a text as the name of an input.
func inputName(text string) string {
	const longest = 64
	if text = strings.Trim(notInNames.ReplaceAllString(text, "_"), "_"); text == "" {
		text = "value"
	}
	return text[:min(len(text), longest)]
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// free returns a name that no input has yet.
func (f *form) free(own string) string {
	name := inputName(own)
	for n := 2; slices.ContainsFunc(f.inputs, func(i *Input) bool { return i.Name == name }); n++ {
		name = inputName(own) + "_" + strconv.Itoa(n)
	}
	return name
}
