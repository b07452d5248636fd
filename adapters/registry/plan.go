package registry

import (
	"fmt"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/serverconfig"
)

// Plan is what is written for a server, and what a user has to know about it.
type Plan struct {
	Settings serverconfig.Settings
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
	settings serverconfig.Settings
	// names are those of the variables, in the order of the registry.
	names []string
	care  []string
}

// texts returns the values of a part: one, or several for a repeated one; none if a value in it is missing.
func (b *builder) texts(p part) []string {
	count := 1
	for _, piece := range p.pieces {
		if p.isRepeated {
			count = max(count, len(b.answers[piece.input]))
		}
	}
	var texts []string
	for n := range count {
		text := ""
		for _, piece := range p.pieces {
			value := piece.fixed
			if piece.input != "" {
				if value = b.value(piece.input, n); value == "" {
					return nil
				}
			}
			text += value
		}
		texts = append(texts, text)
	}
	return texts
}

// value returns the nth value of an input, "" for none. One value is for all repetitions.
func (b *builder) value(name string, n int) string {
	if given := b.answers[name]; len(given) > 0 {
		return given[min(n, len(given)-1)]
	}
	return b.input(name).Default
}

func (b *builder) input(name string) Input {
	at := slices.IndexFunc(b.form.inputs, func(i Input) bool { return i.Name == name })
	return b.form.inputs[at]
}

// secret returns the name of a secret input in a part, "" for none.
func (b *builder) secret(p part) string {
	for _, piece := range p.pieces {
		if piece.input != "" && b.input(piece.input).Secret {
			return piece.input
		}
	}
	return ""
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
	b.settings.Args = slices.Concat(b.beforePackage(words), b.target(words), arguments)
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
		return []string{p.name}
	}
	if secret := b.secret(p); secret != "" {
		b.note("%s is an argument, and other users of this machine can read the arguments of programs", secret)
	}
	words := []string{value}
	if p.name != "" {
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

// beforePackage returns the words before the package.
func (b *builder) beforePackage(words []string) []string {
	drop := func(known ...string) []string {
		return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(known, word) })
	}
	switch b.way.Package.RegistryType {
	case NPM:
		words = append([]string{"-y"}, drop("-y", "--yes")...)
	case OCI:
		words = append([]string{"run", "-i", "--rm"}, drop("run", "-i", "--interactive", "--rm")...)
		for _, name := range b.names {
			words = append(words, "-e", name)
		}
		return words
	default:
		words = withoutFrom(words)
	}
	return words
}

// target returns the package, and for uvx the program of the package if the entry names another one.
func (b *builder) target(words []string) []string {
	target := b.way.Package.Target()
	at := slices.Index(words, "--from")
	if b.way.Package.RegistryType != PyPI || at < 0 || at+1 >= len(words) {
		return []string{target}
	}
	if named := pypiPackage(words[at+1]); !strings.EqualFold(named, b.way.Package.Identifier) {
		b.note("--from %s: the program %s comes from another package", words[at+1], b.way.Package.Identifier)
		return []string{"--from", words[at+1], b.way.Package.Identifier}
	}
	program := words[at+2:]
	if len(program) == 1 && !strings.HasPrefix(program[0], "-") {
		return []string{"--from", target, program[0]}
	}
	return []string{target}
}

// withoutFrom returns the options of uvx without --from, its package and a program behind it.
func withoutFrom(words []string) []string {
	at := slices.Index(words, "--from")
	if at < 0 || at+1 >= len(words) {
		return words
	}
	rest := words[at+2:]
	if len(rest) == 1 && !strings.HasPrefix(rest[0], "-") {
		rest = nil
	}
	return slices.Concat(words[:at], rest)
}

// pypiPackage returns the name in a requirement of Python: "name[extra]==1.0".
func pypiPackage(requirement string) string {
	if end := strings.IndexAny(requirement, "[@=<>~! "); end >= 0 {
		return requirement[:end]
	}
	return requirement
}

// note adds a line about what needs care, once.
func (b *builder) note(format string, args ...any) {
	if line := fmt.Sprintf(format, args...); !slices.Contains(b.care, line) {
		b.care = append(b.care, line)
	}
}
