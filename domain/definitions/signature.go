package definitions

import (
	"strings"
	"unicode/utf8"

	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// maxSignature is the length of a signature, in characters, above which the members of nested
// objects and the rest of long enums are left out.
const maxSignature = 400

// signature is a tool in a few words.
type signature struct {
	// name is quoted if necessary; sentence is the first sentence of the description.
	name, sentence string
	parameters     []shownParameter
	// required are the names that no form of the signature leaves out.
	required []string
	// lossy is set when the definition contains more than the signature, lossyWithoutProse when
	// it contains more than the signature without the prose of parameters.
	lossy, lossyWithoutProse bool
	// longest is the length of the definition in bytes: no signature is longer.
	longest int
}

// shownParameter is a parameter in a signature, and the sentence with a rule about it.
type shownParameter struct {
	text, rule string
}

// Signature returns the compact form of a tool. With prose, required parameters keep the first
// sentence of their description if that contains a rule. The signature is never longer than the
// definition, in bytes, and has every required parameter. For a definition too short for that,
// it is only the name.
func Signature(tool domain.ToolInfo, prose bool) string {
	return readDefinition(tool).sign().text(prose)
}

// sign makes the signature of a tool.
func sign(tool *readTool) *signature {
	schema := tool.definition.Member("inputSchema")
	rest := tool.readDescription()
	s := &signature{name: tool.name, sentence: tool.first, longest: len(tool.definition.Raw)}
	list, lossy := renderParameters(schema, false)
	s.parameters = list.shown
	s.lossy = lossy
	if s.length() > maxSignature {
		list, lossy = renderParameters(schema, true)
		s.parameters, s.lossy = list.shown, lossy
	}
	s.required = list.required
	s.lossyWithoutProse = s.lossy
	s.judge(rest, list)
	return s
}

// renderedParameters are the parameters of a tool in the forms that a signature needs.
type renderedParameters struct {
	shown    []shownParameter
	required []string
	// list are the parameters in the same order.
	list []parameter
}

func renderParameters(schema rawjson.Value, brief bool) (renderedParameters, bool) {
	r := renderer{root: schema, brief: brief}
	parameters, stated := r.arguments(schema, 0)
	list := parameters.list
	rendered := renderedParameters{list: list}
	for _, p := range list {
		rendered.shown = append(rendered.shown, shownParameter{text: r.parameter(p, 1)})
		if p.required {
			rendered.required = append(rendered.required, identifier(clean(p.name)))
		}
	}
	if rest, hasRest := r.rest(schema, 1); hasRest {
		rendered.shown = append(rendered.shown, shownParameter{text: rest})
	} else if len(list) == 0 && (!stated || allowsAnything(schema)) {
		rendered.shown = append(rendered.shown, shownParameter{text: leftOut.text})
	}
	return rendered, r.lossy
}

// allowsAnything reports whether a schema explicitly allows members that it does not name.
func allowsAnything(schema rawjson.Value) bool {
	additional := schema.Member("additionalProperties")
	return additional.Kind == 't' || additional.Kind == '{'
}

// judge finds the sentences with rules about required parameters, and looks for rules in what is left out: urgent
// ones, and dependencies between parameters. rest is the description without its first sentence.
func (s *signature) judge(rest string, list renderedParameters) {
	dependencies := newDependencies(list.list)
	ruleLeftOut := holds(rest, isUrgent) || dependencies.areIn(rest, "")
	urgentInProse := false
	for i, p := range list.list {
		description := p.schema.Member("description").Text()
		switch {
		case description == "":
		case !p.required:
			ruleLeftOut = ruleLeftOut || dependencies.areInOptional(clean(description), p.name)
		default:
			sentence, others := firstSentence(description)
			binds := dependencies.areIn(sentence, p.name)
			if binds || holds(sentence, isRule) {
				s.parameters[i].rule = commentText(sentence)
				urgentInProse = urgentInProse || binds || holds(sentence, isUrgent)
			}
			ruleLeftOut = ruleLeftOut || holds(others, isUrgent) || dependencies.areIn(others, p.name)
		}
	}
	s.lossy = s.lossy || ruleLeftOut
	s.lossyWithoutProse = s.lossyWithoutProse || ruleLeftOut || urgentInProse
}

// length returns the length of the signature without any prose, in characters.
func (s *signature) length() int {
	length := utf8.RuneCountInString(s.name) + len("()")
	for i, p := range s.parameters {
		if i > 0 {
			length += len(", ")
		}
		length += utf8.RuneCountInString(p.text)
	}
	return length
}

// text returns the signature.
func (s *signature) text(prose bool) string {
	for _, text := range []string{s.write(prose, true), s.write(false, true), s.write(false, false)} {
		if len(text) <= s.longest {
			return text
		}
	}
	return s.shortest()
}

func (s *signature) write(prose, sentence bool) string {
	var text strings.Builder
	text.WriteString(s.name)
	switch {
	case prose && s.lossy, !prose && s.lossyWithoutProse:
		text.WriteByte('~')
	}
	text.WriteByte('(')
	for i, p := range s.parameters {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(p.text)
		if prose && p.rule != "" {
			text.WriteString(" /* " + p.rule + " */")
		}
	}
	text.WriteByte(')')
	if sentence && s.sentence != "" {
		text.WriteString(" — " + s.sentence)
	}
	return text.String()
}

// shortest returns names only, for definitions that are shorter than a signature.
func (s *signature) shortest() string {
	text := s.name + "~(" + strings.Join(s.required, ",") + ")"
	if len(text) > s.longest {
		// The definition is all but empty.
		return s.name
	}
	return text
}
