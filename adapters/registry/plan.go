package registry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/application/setup"
	"mcp-workbench/domain"
)

// Plan is what is written for a server, and what a user has to know about it.
type Plan struct {
	Settings setup.Settings
	// NeedsCare are the options that give the server more than a server needs, one line each.
	NeedsCare []string
}

// Plan returns the settings of a server that runs in a way. A part without an answer and without a default is left out.
//
// Failures: those of Inputs; an answer that is wrong.
func (s Server) Plan(way Way, answers Answers) (Plan, error) {
	f, err := way.form()
	if err != nil {
		return Plan{}, fmt.Errorf("the entry of %s cannot be used: %w", s.Name, err)
	}
	for _, input := range f.inputs {
		given := answers[input.Name]
		if len(given) > 1 && !input.IsRepeated {
			return Plan{}, fmt.Errorf("%s takes one value", input.Name)
		}
		for _, answer := range given {
			if err := input.Check(answer); err != nil {
				return Plan{}, err
			}
		}
	}
	b := builder{way: way, form: f, answers: answers}
	b.settings.From = &domain.Published{Registry: s.Name, Version: s.Version}
	if way.Runtime != "" {
		b.program()
	} else if err = b.address(); err != nil {
		return Plan{}, fmt.Errorf("the entry of %s cannot be used: %w", s.Name, err)
	}
	if b.err != nil {
		return Plan{}, fmt.Errorf("the entry of %s cannot be used: %w", s.Name, b.err)
	}
	if suspicion := Suspicion(s.Name); suspicion != "" {
		b.care = append([]string{suspicion}, b.care...)
	}
	return Plan{Settings: b.settings, NeedsCare: b.care}, nil
}

// builder makes settings of the parts of a way.
type builder struct {
	way      Way
	form     form
	answers  Answers
	settings setup.Settings
	// names are those of the variables, in the order of the registry.
	names []string
	// target is the package as its program takes it.
	target string
	care   []string
	err    error // of a text that is put together
}

// texts returns the values of a part: one, or several for a repeated one; none if a value in it is missing.
func (b *builder) texts(p part) []string {
	count := 1
	for _, piece := range p.pieces {
		if p.isRepeated && piece.input != nil {
			count = max(count, len(b.answers[piece.input.Name]))
		}
	}
	var texts []string
	for n := range count {
		// What the user did not answer comes from the registry, and stands apart from the references of the user.
		text, published := "", p.name
		for _, piece := range p.pieces {
			value := piece.fixed
			if piece.input != nil {
				if value = b.value(piece.input, n); value == "" {
					return nil
				}
			}
			if text += value; piece.input != nil && len(b.answers[piece.input.Name]) > 0 {
				published += withoutReferences(value)
			} else {
				published += value
			}
		}
		if err := checkTexts(p.name, published); err != nil && b.err == nil {
			b.err = err
		}
		texts = append(texts, text)
	}
	return texts
}

// withoutReferences stands for an answer of the user among texts of the registry: without the references that are whole in it, and
// with the rest, which the registry's texts could make one.
func withoutReferences(answer string) string { return wholeReference.ReplaceAllString(answer, "_") }

var wholeReference = regexp.MustCompile(`\$\{[^{}]*\}`)

// value returns the nth value of an input, "" for none. One value is for all repetitions.
func (b *builder) value(input *Input, n int) string {
	if given := b.answers[input.Name]; len(given) > 0 {
		return given[min(n, len(given)-1)]
	}
	return input.Default
}

func (b *builder) address() error {
	if b.way.Remote.Type == "sse" {
		b.settings.Transport = "sse"
	}
	for _, p := range b.form.parts {
		values := b.texts(p)
		if len(values) == 0 {
			continue
		}
		if p.place == inAddress {
			b.settings.URL = values[0]
			continue
		}
		if b.settings.Headers == nil {
			b.settings.Headers = map[string]string{}
		}
		b.settings.Headers[p.name] = values[0]
	}
	if left := inBraces.FindString(strings.ReplaceAll(b.settings.URL, "${", "")); left != "" {
		return fmt.Errorf("its address has %s, which the registry does not describe", left)
	}
	b.careOfAddress()
	return nil
}

// program makes the settings of a package.
func (b *builder) program() {
	var words, arguments []string
	for _, p := range b.form.parts {
		switch values := b.texts(p); {
		case p.place == inVariable && len(values) > 0:
			b.set(p.name, values[0])
		case p.place == inArgument && p.ofRuntime:
			for _, value := range values {
				words = append(words, b.option(p, value)...)
			}
		case p.place == inArgument:
			for _, value := range values {
				arguments = append(arguments, b.argument(p, value)...)
			}
		}
	}
	b.settings.Command = b.way.Runtime
	b.settings.Args = b.packageWords(words, arguments)
	b.careOfProgram()
}

// set sets a variable of the program.
func (b *builder) set(name, value string) {
	if b.settings.Env == nil {
		b.settings.Env = map[string]string{}
	}
	if _, isSet := b.settings.Env[name]; !isSet {
		b.names = append(b.names, name)
	}
	b.settings.Env[name] = value
}

// argument returns the words of an argument.
func (b *builder) argument(p part, value string) []string {
	if p.isSwitch {
		if value == "false" {
			return nil
		}
		if !p.ofRuntime {
			b.careOfArgument(p.name)
		}
		return []string{p.name}
	}
	if at := slices.IndexFunc(p.pieces, func(piece piece) bool { return piece.input != nil && piece.input.Secret }); at >= 0 {
		b.note("%s is an argument, and other users of this machine can read the arguments of programs", p.pieces[at].input.Name)
	}
	words := []string{value}
	switch {
	case p.name != "" && value == "":
		words = []string{p.name} // an entry has an empty value for a switch
	case p.name != "":
		words = []string{p.name, value}
	}
	if !p.ofRuntime {
		b.careOfArgument(words[0])
	}
	return words
}

// option returns the words of an argument of the program that runs the package. A variable of a container goes into the
// settings, so that its value is in no list of processes.
func (b *builder) option(p part, value string) []string {
	name, text, isSet := strings.Cut(value, "=")
	if b.way.Package.RegistryType == OCI && (p.name == "-e" || p.name == "--env") && isSet && name != "" {
		b.set(name, text)
		return nil
	}
	return b.argument(p, value)
}

// note adds a line about what needs care, once.
func (b *builder) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(b.care, line) {
		b.care = append(b.care, line)
	}
}
