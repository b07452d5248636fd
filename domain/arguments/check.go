package arguments

import (
	"encoding/json"
	"slices"
	"strings"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

const (
	// maxProblems is the number of problems that are reported at once.
	maxProblems = 8
	// maxChecks bounds the work of one check: everything after that passes.
	maxChecks = 50_000
	// maxArguments is the length of the longest arguments that are checked, in bytes.
	maxArguments = 1 << 20
	// maxNamed is the number of names, or values, that a problem lists.
	maxNamed = 20
)

// Check returns the problems of arguments, of the four kinds of Refusal. It returns none for
// arguments that it cannot judge because they are not JSON, have a name twice, or are longer
// than 1 MiB. It never refuses what a validator of JSON Schema accepts, and its work is bounded.
func (s *Schema) Check(arguments json.RawMessage) []Problem {
	if s == nil || len(arguments) > maxArguments {
		return nil
	}
	read, err := rawjson.Parse(arguments)
	if err != nil {
		return nil
	}
	c := checker{}
	c.check(s.root, read, nil)
	return c.problems
}

// Explain joins problems into one line for a model.
func Explain(problems []Problem) string {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Text
	}
	return strings.Join(texts, "; ")
}

// checker collects problems.
type checker struct {
	problems []Problem
	checks   int
}

func (c *checker) add(p *Problem) {
	if len(c.problems) < maxProblems && !slices.Contains(c.problems, *p) {
		c.problems = append(c.problems, *p)
	}
}

// check checks a value at a path.
func (c *checker) check(r *rule, v rawjson.Value, at *path) {
	if c.checks++; r == nil || v.Kind == rawjson.TooDeep || c.checks > maxChecks || len(c.problems) >= maxProblems {
		return
	}
	if r.standard.Exists() && mayEqual(r.standard, v) {
		return
	}
	if r.types != 0 && !r.types.allow(v) {
		c.add(at.problem(WrongType, "must be "+r.types.text()+", not "+kindText(v)))
		return
	}
	c.checks += len(r.enum)
	if r.enum != nil && !slices.ContainsFunc(r.enum, func(allowed rawjson.Value) bool { return mayEqual(allowed, v) }) {
		c.add(at.problem(NotInEnum, "must be "+enumText(r.enum)))
		return
	}
	switch v.Kind {
	case '{':
		c.checkObject(r, v, at)
	case '[':
		for i := r.itemsFrom; i < len(v.Parts) && r.items != nil; i++ {
			c.check(r.items, v.Parts[i].Value, &path{above: at, index: i})
		}
	}
	for _, part := range r.rules {
		c.check(part, v, at)
	}
	for _, alternatives := range r.alternatives {
		c.checkAny(alternatives, v, at)
	}
}

func (c *checker) checkObject(r *rule, v rawjson.Value, at *path) {
	// Each name in the schema is compared with each in the object: many of both would take too long.
	c.checks += (len(r.required) + len(r.properties)) * len(v.Parts) / 32
	if v.Repeats() || c.checks > maxChecks {
		return
	}
	for _, name := range r.required {
		if !v.Member(name).Exists() {
			c.add((&path{above: at, name: name, index: -1}).problem(Missing, "is required"+r.wantedType(name)+r.misspelt(name, v)))
		}
	}
	for i := range v.Parts {
		m := &v.Parts[i]
		described, known := r.property(m.Name)
		switch {
		case known && described == nil:
		case known:
			c.check(described, m.Value, &path{above: at, name: m.Name, index: -1})
		case r.closed:
			c.add((&path{above: at, name: m.Name, index: -1}).problem(Unknown, "is unknown"+r.suggestion(m.Name)))
		case r.additional != nil:
			c.check(r.additional, m.Value, &path{above: at, name: m.Name, index: -1})
		}
	}
}

// wantedType returns the type of a missing member, to continue a sentence.
func (r *rule) wantedType(name string) string {
	if described, _ := r.property(name); described != nil && described.types != 0 {
		return " and must be " + described.types.text()
	}
	return ""
}

// misspelt names the member that is probably a misspelling of a missing one, to end a sentence. If the
// schema is closed, unknown members have problems of their own.
func (r *rule) misspelt(name string, v rawjson.Value) string {
	var others []string
	for i := range v.Parts {
		if _, known := r.property(v.Parts[i].Name); !known && !r.closed && len(others) < maxNamed {
			others = append(others, definitions.ParameterName(v.Parts[i].Name))
		}
	}
	if near, found := domain.Nearest(definitions.ParameterName(name), others); found {
		return " ('" + near + "' looks like a misspelling of it)"
	}
	return ""
}

// suggestion names the members that could be meant by an unknown one, to end a sentence.
func (r *rule) suggestion(name string) string {
	if len(r.properties) == 0 {
		return " (no members are allowed)"
	}
	names := make([]string, 0, len(r.properties))
	for _, p := range r.properties {
		names = append(names, definitions.ParameterName(p.name))
	}
	if near, found := domain.Nearest(definitions.ParameterName(name), names); found {
		return " (" + domain.DidYouMean(near) + ")"
	}
	return " (known: " + cutList(names) + ")"
}

// cutList joins the first names.
func cutList(names []string) string {
	if len(names) > maxNamed {
		names = append(slices.Clone(names[:maxNamed]), "…")
	}
	return strings.Join(names, ", ")
}

// enumText returns the values of an enum for a sentence.
func enumText(enum []rawjson.Value) string {
	var words []string
	for _, v := range enum[:min(len(enum), maxNamed)] {
		text, _ := definitions.Literal(v)
		words = append(words, text)
	}
	if len(enum) > maxNamed {
		words = append(words, "another that the definition lists")
	}
	return enumeration(words, "or")
}

// checkAny checks that a value matches one of the alternatives. Otherwise it adds the problems of
// the alternative that comes nearest.
func (c *checker) checkAny(alternatives []*rule, v rawjson.Value, at *path) {
	var nearest []Problem
	wanted, onlyTypes := types(0), true
	for _, alternative := range alternatives {
		inner := checker{checks: c.checks}
		inner.check(alternative, v, at)
		c.checks = inner.checks
		if len(inner.problems) == 0 {
			return
		}
		wrongHere := inner.problems[0].Refusal == WrongType && inner.problems[0].Path == at.text()
		if wrongHere && alternative.types != 0 {
			wanted |= alternative.types
		} else {
			onlyTypes = false
		}
		if nearest == nil || !wrongHere {
			nearest = inner.problems
		}
	}
	if onlyTypes {
		c.add(at.problem(WrongType, "must be "+wanted.text()+", not "+kindText(v)))
		return
	}
	for i := range nearest {
		c.add(&nearest[i])
	}
}
