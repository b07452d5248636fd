package registry

import (
	"regexp"
	"slices"
	"strings"

	"mcp-workbench/application/setup"
)

// WayOf returns the way of a server that settings take: the package that they run, or the address.
func (s Server) WayOf(settings setup.Settings) (Way, bool) {
	if settings.URL != "" {
		way, err := s.Way(Machine{}, Choice{Remote: true})
		return way, err == nil
	}
	for kind, known := range runtimes {
		if !slices.Contains(known.programs, settings.Command) {
			continue
		}
		for _, p := range s.Packages {
			if p.RegistryType == kind {
				return Way{Runtime: settings.Command, Package: p}, true
			}
		}
	}
	return Way{}, false
}

// Answers returns the values of inputs that settings have. Values that are defaults, and those that cannot be told from
// others, are left out.
func (w Way) Answers(settings setup.Settings) Answers {
	f, err := w.form()
	if err != nil {
		return nil
	}
	r := recovery{form: f, answers: Answers{}}
	if w.Runtime != "" {
		if at := slices.Index(settings.Args, w.Package.Target()); at >= 0 {
			r.arguments(settings.Args[:at], true)
			r.arguments(settings.Args[at+1:], false)
		}
	}
	for _, p := range f.parts {
		switch p.place {
		case inVariable:
			r.take(p, settings.Env[p.name])
		case inHeader:
			r.take(p, settings.Headers[p.name])
		case inAddress:
			r.take(p, settings.URL)
		case inArgument:
			if name, text, _ := strings.Cut(p.text(), "="); p.ofRuntime && (p.name == "-e" || p.name == "--env") && text != "" {
				r.take(p, name+"="+settings.Env[name])
			}
		}
	}
	for _, input := range f.inputs {
		if given := r.answers[input.Name]; len(given) == 1 && given[0] == input.Default {
			delete(r.answers, input.Name)
		}
	}
	return r.answers
}

// recovery finds the answers in settings.
type recovery struct {
	form    form
	answers Answers
}

// text returns the value of a part, with "{}" for each input.
func (p part) text() string {
	text := ""
	for _, piece := range p.pieces {
		if text += piece.fixed; piece.input != nil {
			text += "{}"
		}
	}
	return text
}

// take reads the inputs of a part from its value, and reports whether the value is of the form of the part.
func (r *recovery) take(p part, value string) bool {
	form := ""
	var names []string
	for _, piece := range p.pieces {
		form += regexp.QuoteMeta(piece.fixed)
		if piece.input != nil {
			form += "(.+)"
			names = append(names, piece.input.Name)
		}
	}
	found := regexp.MustCompile("^(?s:" + form + ")$").FindStringSubmatch(value)
	if found == nil {
		return false
	}
	for i, name := range names {
		if p.isRepeated || len(r.answers[name]) == 0 {
			r.answers[name] = append(r.answers[name], found[i+1])
		}
	}
	return true
}

// arguments reads the named arguments from words, and then the positional ones from the words that are left.
func (r *recovery) arguments(words []string, ofRuntime bool) {
	words = slices.Clone(words)
	for _, p := range r.form.parts {
		if p.place != inArgument || p.ofRuntime != ofRuntime || p.name == "" {
			continue
		}
		for at := slices.Index(words, p.name); at >= 0; at = slices.Index(words, p.name) {
			count := 1
			if !p.isSwitch && at+1 < len(words) {
				r.take(p, words[at+1])
				count = 2
			}
			words = slices.Delete(words, at, at+count)
			if !p.isRepeated {
				break
			}
		}
	}
	for _, p := range r.form.parts {
		if p.place != inArgument || p.ofRuntime != ofRuntime || p.name != "" {
			continue
		}
		for len(words) > 0 && r.take(p, words[0]) {
			if words = words[1:]; !p.isRepeated {
				break
			}
		}
	}
}
