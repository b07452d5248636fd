package arguments_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/arguments"
	"mcp-workbench/tests/fixtures/schemas"
)

// definitionWith returns the definition of a tool with an input schema.
func definitionWith(schema string) []byte { return []byte(`{"name":"t","inputSchema":` + schema + `}`) }

// withProperties is a schema of an object, "a" required.
func withProperties(properties string) string {
	return `{"type":"object","properties":{` + properties + `},"required":["a"]}`
}

// problems returns the problems of arguments for a tool with an input schema.
func problems(schema, text string) []arguments.Problem {
	return arguments.CompileSchema(definitionWith(schema)).Check([]byte(text))
}

// wrong returns the same as one line.
func wrong(schema, text string) string { return arguments.Explain(problems(schema, text)) }

// manyMembers returns members with names of their own.
func manyMembers(count int) string {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, `"y%d":1,`, i)
	}
	return text.String()
}

var _ = Describe("Arguments", func() {
	const edits = `{"type":"object","properties":{"path":{"type":"string"},"dryRun":{"type":"boolean","default":false},` +
		`"edits":{"type":"array","items":{"type":"object","properties":{"oldText":{"type":"string"},"new text":{"type":"string"}},"required":["oldText"],"additionalProperties":false}},` +
		`"mode":{"enum":["fast","safe"]}},"required":["path"],"additionalProperties":false}`

	DescribeTable("are refused, in words for a model,",
		func(text, message string) {
			Expect(wrong(edits, text)).To(Equal(message))
		},
		Entry("when something required is missing", `{}`, "'path' is required and must be a string"),
		Entry("when it is missing below", `{"path":"p","edits":[{"oldText":"a"},{}]}`, "'edits[1].oldText' is required and must be a string"),
		Entry("when something is unknown", `{"path":"p","quick":1}`, "'quick' is unknown (known: path, dryRun, edits, mode)"),
		Entry("when something is misspelt", `{"path":"p","dryrun":true}`, "'dryrun' is unknown (did you mean 'dryRun'?)"),
		Entry("when something is unknown below", `{"path":"p","edits":[{"oldText":"a","b c":1}]}`, `'edits[0]["b c"]' is unknown (known: oldText, "new text")`),
		Entry("when a type is wrong", `{"path":1}`, "'path' must be a string, not the number 1"),
		Entry("when a type is wrong below", `{"path":"p","edits":["x"]}`, "'edits[0]' must be an object, not a string"),
		Entry("when a value is not in the enum", `{"path":"p","mode":"slow"}`, `'mode' must be "fast" or "safe"`),
		Entry("when the arguments are not an object", `[]`, "the arguments must be an object, not an array"),
		Entry("for all reasons at once", `{"mode":1,"paht":"p"}`,
			"'path' is required and must be a string; 'mode' must be \"fast\" or \"safe\"; 'paht' is unknown (did you mean 'path'?)"),
	)

	DescribeTable("name what a missing member is misspelt as, where others are allowed,",
		func(text, message string) {
			Expect(wrong(`{"type":"object","properties":{"message":{"type":"string"},"massage":{}},"required":["message"]}`, text)).To(Equal(message))
		},
		Entry("when it is near", `{"x":1,"mesage":"hi"}`, "'message' is required and must be a string ('mesage' looks like a misspelling of it)"),
		Entry("but not another argument", `{"massage":"hi"}`, "'message' is required and must be a string"),
		Entry("but nothing far from it", `{"text":"hi"}`, "'message' is required and must be a string"),
		Entry("but nothing behind many others", `{`+manyMembers(30)+`"mesage":"hi"}`, "'message' is required and must be a string"),
	)

	DescribeTable("have problems of four kinds",
		func(text string, refusal arguments.Refusal, path string) {
			problems := problems(edits, text)

			Expect(problems).To(HaveLen(1))
			Expect(problems[0]).To(And(HaveField("Refusal", refusal), HaveField("Path", path)))
		},
		Entry("missing", `{}`, arguments.Missing, "path"),
		Entry("unknown", `{"path":"p","x":1}`, arguments.Unknown, "x"),
		Entry("wrong type", `{"path":"p","edits":{}}`, arguments.WrongType, "edits"),
		Entry("not in the enum", `{"path":"p","mode":"x"}`, arguments.NotInEnum, "mode"),
	)

	DescribeTable("pass",
		func(schema, text string) {
			Expect(problems(schema, text)).To(BeEmpty())
		},
		Entry("when they are right", edits, `{"path":"p","edits":[{"oldText":"a","new text":"b"}],"mode":"safe","dryRun":true}`),
		Entry("when other members are allowed", `{"type":"object","properties":{"a":{}}}`, `{"b":1}`),
		Entry("when patterns may allow other members", `{"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}`, `{"xa":1}`),
		Entry("when a limit is passed", withProperties(`"a":{"type":"string","minLength":3,"pattern":"^x","format":"uri"}`), `{"a":""}`),
		Entry("when a rule across members is broken", `{"type":"object","not":{},"if":{},"then":false,"dependentRequired":{"a":["b"]}}`, `{"a":1}`),
		Entry("when a required member has a default", `{"type":"object","properties":{"a":{"default":1}},"required":["a"]}`, `{}`),
		Entry("when a value is the default, whatever the schema says", `{"$defs":{"b":{"type":"string"}},"properties":{"a":{"type":"string","enum":["x"],"default":null},"b":{"$ref":"#/$defs/b","default":{"n":[0]}}}}`, `{"a":null,"b":{"n":[0]}}`),
		Entry("when an integer has an empty fraction", withProperties(`"a":{"type":"integer"}`), `{"a":1.0}`),
		Entry("when an integer has an exponent", withProperties(`"a":{"type":"integer"}`), `{"a":20e-1}`),
		Entry("when an enum has the same number", withProperties(`"a":{"enum":[1,{"x":[1,2],"y":null}]}`), `{"a":1.0}`),
		Entry("when an enum has the same object", withProperties(`"a":{"enum":[1,{"x":[1,2],"y":null}]}`), `{"a":{"y":null,"x":[1,2.0]}}`),
		Entry("when an enum has the same text", withProperties(`"a":{"const":"\u00e9"}`), `{"a":"é"}`),
		Entry("when a type is unknown", withProperties(`"a":{"type":["string","file"]}`), `{"a":1}`),
		Entry("when null is allowed in another way", withProperties(`"a":{"type":"string","enum":["x"],"nullable":true}`), `{"a":null}`),
		Entry("when one alternative fits", withProperties(`"a":{"anyOf":[{"type":"string"},{"type":"null"}]}`), `{"a":null}`),
		Entry("when more than one fits", withProperties(`"a":{"oneOf":[{"type":"string"},{}]}`), `{"a":"x"}`),
		Entry("when an alternative cannot be judged", withProperties(`"a":{"anyOf":[{"type":"string"},false]}`), `{"a":1}`),
		Entry("when a name is there twice", withProperties(`"a":{"type":"string"}`), `{"a":1,"a":"x"}`),
		Entry("when they are not JSON", withProperties(`"a":{"type":"string"}`), `{"a":`),
		Entry("beside a reference", `{"$ref":"#/$defs/a","required":["x"],"$defs":{"a":{"type":"object"}}}`, `{}`),
		Entry("behind prefixItems", withProperties(`"a":{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`), `{"a":["x",1]}`),
		Entry("where a reference means something else in another base", `{"properties":{"a":{"$id":"x","$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string"}}}`, `{"a":1}`),
	)

	DescribeTable("are refused by schemas of schemas:",
		func(schema, text, message string) {
			Expect(wrong(schema, text)).To(Equal(message))
		},
		Entry("references", `{"properties":{"a":{"$ref":"#/definitions/s~1t"}},"definitions":{"s/t":{"type":"string"}}}`, `{"a":1}`, "'a' must be a string, not the number 1"),
		Entry("references to places in lists", `{"allOf":[{"type":"object"}],"properties":{"a":{"$ref":"#/allOf/0"}}}`, `{"a":1}`, "'a' must be an object, not the number 1"),
		Entry("all parts", `{"allOf":[{"required":["a"]},{"properties":{"a":{"type":"string"}}}]}`, `{}`, "'a' is required"),
		Entry("alternatives of types", withProperties(`"a":{"anyOf":[{"type":"string"},{"type":["null","integer"]}]}`), `{"a":1.5}`,
			"'a' must be a string, an integer or null, not the number 1.5"),
		Entry("alternatives of objects", withProperties(`"a":{"oneOf":[{"type":"null"},{"type":"object","required":["x"]}]}`), `{"a":{}}`, "'a.x' is required"),
		Entry("alternatives of members", `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, "'b' is required"),
		Entry("maps", withProperties(`"a":{"additionalProperties":{"type":"number"}}`), `{"a":{"x":1,"y":"2"}}`, "'a.y' must be a number, not a string"),
		Entry("later elements", withProperties(`"a":{"prefixItems":[{}],"items":{"type":"number"}}`), `{"a":["x","y"]}`, "'a[1]' must be a number, not a string"),
		Entry("an object without members", `{"type":"object","additionalProperties":false}`, `{"a":1}`, "'a' is unknown (no members are allowed)"),
		Entry("a constant", withProperties(`"a":{"const":"x"}`), `{"a":"y"}`, `'a' must be "x"`),
		Entry("the first level of one that leads back to itself",
			`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","required":["v"],"properties":{"v":{"type":"string"},"n":{"$ref":"#/$defs/n"}}}}}`,
			`{"n":{}}`, "'v' is required and must be a string"),
	)

	DescribeTable("are never refused by a schema that cannot be read:",
		func(schema string) {
			for _, text := range []string{`{}`, `{"a":1}`, `[]`, `null`, ``} {
				Expect(problems(schema, text)).To(BeEmpty())
			}
		},
		Entry("true", `true`),
		Entry("false", `false`),
		Entry("null", `null`),
		Entry("a text", `"x"`),
		Entry("not JSON", `{`),
		Entry("nothing but itself", `{"$ref":"#"}`),
		Entry("a circle", `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`),
		Entry("a reference to elsewhere", `{"$ref":"https://example.com/schema","required":["x"]}`),
		Entry("a name twice", `{"type":"object","required":["x"],"required":[]}`),
		Entry("a huge one", `{"required":["x"],"properties":{"x":{},"y":{"enum":["`+strings.Repeat("y", 1<<20)+`"]}}}`),
		Entry("one of very many schemas", `{"required":["x"],"allOf":[{}`+strings.Repeat(`,{}`, 6000)+`]}`),
		Entry("a deep one", `{"required":["x"],"not":`+strings.Repeat(`{"not":`, 100)+`{}`+strings.Repeat(`}`, 101)),
	)

	It("are judged with bounded work", func() {
		definition := `{"allOf":[{"$ref":"#/$defs/a0"}],"$defs":{`
		for i := range 30 {
			next := `{"$ref":"#/$defs/a` + string(rune('1'+i)) + `"}`
			definition += `"a` + string(rune('0'+i)) + `":{"allOf":[` + next + `,` + next + `],"anyOf":[` + next + `,` + next + `]},`
		}
		definition += `"z":{}}}`

		Expect(problems(definition, `{"a":[1,2,3]}`)).To(BeEmpty())
	})

	It("have no more problems than a model can read", func() {
		problems := problems(`{"required":["`+strings.Repeat(`x","y`, 50)+`"],"additionalProperties":false}`, `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1}`)

		Expect(problems).To(HaveLen(8))
	})

	It("are named without what must not be shown", func() {
		Expect(wrong(`{"additionalProperties":false,"properties":{"x\u001b[1m":{}}}`, `{"`+"\U000E0041"+`a\u0007":1}`)).To(Equal("'a' is unknown (known: x)"))
	})
})

// rounds is the number of random schemas that are tried.
const rounds = 1000

// validator compiles a schema with a library.
func validator(schema schemas.Object) *jsonschema.Resolved {
	GinkgoHelper()
	var parsed jsonschema.Schema
	Expect(json.Unmarshal([]byte(schemas.JSON(schema)), &parsed)).To(Succeed())
	resolved, err := parsed.Resolve(nil)
	Expect(err).NotTo(HaveOccurred(), schemas.JSON(schema))
	return resolved
}

var _ = Describe("With random schemas", func() {
	It("no valid arguments are refused, and most refusals of a library are seen", func() {
		valid, invalid, seen := 0, 0, 0
		random := schemas.New(uint64(GinkgoRandomSeed()))
		for range rounds {
			schema := random.ToolSchema()
			library := validator(schema)
			compiled := arguments.CompileSchema(definitionWith(schemas.JSON(schema)))
			for range 4 {
				text := schemas.JSON(random.Arguments(schema))
				problems := compiled.Check([]byte(text))
				var read any
				Expect(json.Unmarshal([]byte(text), &read)).To(Succeed())
				if library.Validate(read) != nil {
					invalid++
					seen += min(1, len(problems))
					continue
				}
				valid++
				Expect(problems).To(BeEmpty(), "%s\n%s", schemas.JSON(schema), text)
			}
		}
		Expect(valid).To(BeNumerically(">", rounds/2), "of %d", valid+invalid)
		Expect(seen).To(BeNumerically(">", invalid/2), "of %d", invalid)
	})
})
