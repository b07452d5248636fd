package world_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

// tool is the part of a definition that says how it can be called.
type tool struct {
	Name        string
	InputSchema schema
	Annotations struct{ ReadOnlyHint *bool }
}

// schema is the part of a JSON Schema that minimal values need.
type schema struct {
	Type                  json.RawMessage
	Properties            map[string]schema
	Required              []string
	Enum, Examples        []json.RawMessage
	Const, Default        json.RawMessage
	Format, Pattern       string
	Minimum               json.RawMessage
	MinLength, MinItems   int
	Ref                   string `json:"$ref"`
	AnyOf, OneOf, AllOf   []json.RawMessage
	If, DependentRequired json.RawMessage
	MinProperties         int
}

// reading matches names of tools that change nothing, if their annotations do not say.
var reading = regexp.MustCompile(`(?i)^(\w+[_-])?(get|list|search|read|find|describe|show|query|view|fetch|echo|status)`)

// reads reports whether a tool can be called on any machine. Its annotations count before its name.
func (t tool) reads() bool {
	if hint := t.Annotations.ReadOnlyHint; hint != nil {
		return *hint
	}
	return reading.MatchString(t.Name)
}

// arguments returns the smallest arguments that the schema allows, if it is simple enough to know.
func (t tool) arguments() (string, bool) { return t.InputSchema.object() }

func (s schema) object() (string, bool) {
	if s.isMore() {
		return "", false
	}
	var members []string
	for _, name := range slices.Sorted(slices.Values(s.Required)) {
		value, ok := s.Properties[name].value()
		if !ok {
			return "", false
		}
		members = append(members, Quote(name)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}", true
}

// isMore reports whether a schema has rules that no minimal value is made for.
func (s schema) isMore() bool {
	return s.Ref != "" || len(s.AnyOf)+len(s.OneOf)+len(s.AllOf) > 0 || s.DependentRequired != nil || s.If != nil || s.MinProperties > 0
}

func (s schema) value() (string, bool) {
	for _, given := range slices.Concat([]json.RawMessage{s.Const, s.Default}, s.Examples, s.Enum) {
		if given != nil && string(given) != `null` {
			return string(given), true
		}
	}
	if s.isMore() || s.Pattern != "" {
		return "", false
	}
	var kind string
	if json.Unmarshal(s.Type, &kind) != nil {
		return "", false
	}
	switch kind {
	case "object":
		return s.object()
	case "array":
		return "[]", s.MinItems == 0
	case "boolean":
		return "false", true
	case "number", "integer":
		if s.Minimum != nil {
			return string(s.Minimum), true
		}
		return "1", true
	case "string":
		return s.text()
	}
	return "", false
}

func (s schema) text() (string, bool) {
	formats := map[string]string{
		"": strings.Repeat("a", max(1, s.MinLength)), "uri": "http://127.0.0.1:9/", "url": "http://127.0.0.1:9/",
		"date": "2026-01-02", "date-time": "2026-01-02T03:04:05Z", "email": "a@example.com", "uuid": "123e4567-e89b-42d3-a456-426614174000",
	}
	value, known := formats[s.Format]
	return Quote(value), known
}

// firstPrompt returns a request for the first prompt, with a word for each argument that it needs.
func firstPrompt(prompts []json.RawMessage) []exchange {
	var first struct {
		Name      string
		Arguments []struct {
			Name     string
			Required bool
		}
	}
	if len(prompts) == 0 || json.Unmarshal(prompts[0], &first) != nil {
		return nil
	}
	var arguments []string
	for _, argument := range first.Arguments {
		if argument.Required {
			arguments = append(arguments, Quote(argument.Name)+`:"a"`)
		}
	}
	return []exchange{{about: "prompt " + first.Name, method: "prompts/get", params: `{"name":` + Quote(first.Name) + `,"arguments":{` + strings.Join(arguments, ",") + `}}`}}
}

// firstResource returns a request for the first resource.
func firstResource(resources []json.RawMessage) []exchange {
	var first struct{ URI string }
	if len(resources) == 0 || json.Unmarshal(resources[0], &first) != nil {
		return nil
	}
	return []exchange{{about: "resource " + first.URI, method: "resources/read", params: `{"uri":` + Quote(first.URI) + `}`}}
}

var _ = Describe("A tool of a published server", func() {
	DescribeTable("is called with the smallest arguments that its schema allows",
		func(definition, arguments string) {
			var t tool
			Expect(json.Unmarshal([]byte(definition), &t)).To(Succeed())
			got, ok := t.arguments()
			Expect(got).To(Equal(arguments))
			Expect(ok).To(Equal(arguments != ""))
		},
		Entry("none", `{"inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}`, `{}`),
		Entry("what is required", `{"inputSchema":{"required":["n","s","e","l","o"],"properties":{"n":{"type":"integer","minimum":3},"s":{"type":"string","minLength":2},
			"e":{"enum":["x","y"]},"l":{"type":"array"},"o":{"type":"object","required":["b"],"properties":{"b":{"type":"boolean"}}}}}}`,
			`{"e":"x","l":[],"n":3,"o":{"b":false},"s":"aa"}`),
		Entry("not with a pattern", `{"inputSchema":{"required":["s"],"properties":{"s":{"type":"string","pattern":"^[A-Z]$"}}}}`, ""),
		Entry("not with alternatives", `{"inputSchema":{"anyOf":[{"required":["a"]},{"required":["b"]}]}}`, ""),
	)

	DescribeTable("is called only if it changes nothing", func(definition string, reads bool) {
		var t tool
		Expect(json.Unmarshal([]byte(definition), &t)).To(Succeed())
		Expect(t.reads()).To(Equal(reads))
	},
		Entry("by its annotations", `{"name":"x","annotations":{"readOnlyHint":true}}`, true),
		Entry("by its annotations before its name", `{"name":"get_x","annotations":{"readOnlyHint":false}}`, false),
		Entry("by its name", `{"name":"list_files"}`, true),
		Entry("or not", `{"name":"delete_file"}`, false),
	)
})
