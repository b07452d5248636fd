package definitions_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/tests/spec"
)

// withProperties is a schema of an object, "a" required.
func withProperties(properties string) string {
	return `{"type":"object","properties":{` + properties + `},"required":["a"]}`
}

// long has so many parameters that a signature gets too long.
var long = func() string {
	var list []string
	for c := 'b'; c <= 'z'; c++ {
		list = append(list, `"`+strings.Repeat(string(c), 20)+`":{"type":"string","title":"`+strings.Repeat("t", 40)+`"}`)
	}
	return strings.Join(list, ",")
}()

var _ = Describe("A signature", func() {
	DescribeTable("says what the schema says",
		func(schema, signature string) {
			Expect(definitions.Signature(toolWith(schema), false)).To(Equal(signature))
		},
		Entry("nothing", `{"type":"object","properties":{}}`, "t()"),
		Entry("a type", withProperties(`"a":{"type":"string"}`), "t(a: string)"),
		Entry("each type", withProperties(`"a":{"type":"number"},"b":{"type":"integer"},"c":{"type":"boolean"},"d":{"type":"null"}`),
			"t(a: number, b?: integer, c?: boolean, d?: null)"),
		Entry("several types", withProperties(`"a":{"type":["string","null"]}`), "t(a: string | null)"),
		Entry("any type", withProperties(`"a":{},"b":true,"c":{"description":"x"}`), "t(a, b?, c?)"),
		Entry("a free object", withProperties(`"a":{"type":"object"}`), "t(a: object)"),
		Entry("a nested object", withProperties(`"a":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":"number"}},"required":["y"]}`),
			"t(a: {x?: string, y: number})"),
		Entry("a map", withProperties(`"a":{"type":"object","additionalProperties":{"type":"number"}}`), "t(a: {[key: string]: number})"),
		Entry("a map with names", withProperties(`"a":{"properties":{"x":{"type":"string"}},"additionalProperties":{"type":"number"},"propertyNames":{"type":"string"}}`),
			"t(a: {x?: string, [key: string]: number})"),
		Entry("lists", withProperties(`"a":{"type":"array","items":{"type":"string"}},"b":{"type":"array"}`), "t(a: string[], b?: any[])"),
		Entry("a list of alternatives", withProperties(`"a":{"items":{"type":["string","number"]}}`), "t(a: (string | number)[])"),
		Entry("a tuple", withProperties(`"a":{"prefixItems":[{"type":"string"},{"type":"number"}],"items":{"type":"null"}}`), "t(a: [string, number, ...null[]])"),
		Entry("a tuple of older drafts", withProperties(`"a":{"type":"array","items":[{"type":"string"},{}]}`), "t(a: [string, any])"),
		Entry("an enum", withProperties(`"a":{"type":"string","enum":["x","y z",1,null]}`), `t(a: "x" | "y z" | 1 | null)`),
		Entry("a constant", withProperties(`"a":{"const":"x"},"b":{"const":{"k":[1,true]}}`), `t(a: "x", b?: {"k": [1, true]})`),
		Entry("alternatives", withProperties(`"a":{"anyOf":[{"type":"string"},{"type":"null"},{"type":"string"}]},"b":{"oneOf":[{"type":"number"},{}]}`),
			"t(a: string | null, b?)"),
		Entry("what holds together", withProperties(`"a":{"allOf":[{"properties":{"x":{"type":"string"}}},{"anyOf":[{"type":"object"},{"type":"null"}]}]}`),
			"t(a: {x?: string} & (object | null))"),
		Entry("one part of a whole", withProperties(`"a":{"allOf":[{"type":"string"}],"description":"x"}`), "t(a: string)"),
		Entry("defaults", withProperties(`"a":{"type":"string","default":"x\"y"},"b":{"type":"array","items":{"type":"number"},"default":[1,2]}`),
			`t(a: string = "x\"y", b?: number[] = [1, 2])`),
		Entry("ranges", withProperties(`"a":{"type":"number","minimum":1,"maximum":20},"b":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1.5,"multipleOf":0.5}`),
			"t(a: number /* >=1 <=20 */, b?: number /* >0 <1.5 multiple of 0.5 */)"),
		Entry("lengths", withProperties(`"a":{"type":"string","minLength":1,"maxLength":9},"b":{"type":"array","minItems":1,"maxItems":3,"uniqueItems":true}`),
			"t(a: string /* >=1 chars <=9 chars */, b?: any[] /* >=1 items <=3 items unique */)"),
		Entry("formats and patterns", withProperties(`"a":{"type":"string","format":"date-time"},"b":{"type":"string","pattern":"^[a-z]+$"}`),
			"t(a: string /* date-time */, b?: string /* pattern ^[a-z]+$ */)"),
		Entry("limits of elements", withProperties(`"a":{"type":"array","items":{"type":"string","minLength":1},"maxItems":2}`),
			"t(a: (string /* >=1 chars */)[] /* <=2 items */)"),
		Entry("no limit that every integer has", withProperties(`"a":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}`), "t(a: integer)"),
		Entry("references", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{"type":"string","enum":["x"]}}}`, `t(a: "x")`),
		Entry("what is required and not described", withProperties(`"b":{"type":"string"}`), "t(b?: string, a)"),
		Entry("names that are not identifiers", withProperties(`"a":{},"b-c":{"type":"string"},"":{},"1x":{}`), `t(a, "b-c"?: string, ""?, "1x"?)`),
		Entry("parts of the arguments", `{"allOf":[{"properties":{"a":{"type":"string"}}},{"required":["a","b"]}]}`, "t(a: string, b)"),
		Entry("further arguments", `{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`, "t(a?, [key: string]: string)"),
		Entry("nothing of annotations", `{"type":"object","x-parameter-location":"query","properties":{"a":{"type":"string","x-mcp-header":"A","enumNames":["b"],"errorMessage":{}},`+
			`"b":{"$ref":"#/$defs/B","x-order":1}},"$defs":{"B":{"type":"string","deprecationMessage":"x"}}}`, "t(a?: string, b?: string)"),
		Entry("arguments that are not stated", `{"$schema":"http://json-schema.org/draft-07/schema#"}`, "t(…)"),
		Entry("arguments that can be anything", `{"type":"object","additionalProperties":true}`, "t(…)"),
	)

	DescribeTable("is marked when the schema says more",
		func(schema, signature string) {
			Expect(definitions.Signature(toolWith(schema), true)).To(Equal(signature))
		},
		Entry("a rule across members", `{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "t~(a?, b?)"),
		Entry("a member that all alternatives require", `{"oneOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"required":["a","b"]}]}`, "t~(a: 1, b?)"),
		Entry("a rule across members below", withProperties(`"a":{"type":"object","oneOf":[{"required":["x"]},{"required":["y"]}]}`), "t~(a: object)"),
		Entry("dependentRequired", `{"type":"object","properties":{"a":{}},"dependentRequired":{"a":["b"]}}`, "t~(a?)"),
		Entry("not", withProperties(`"a":{"not":{"type":"string"}}`), "t~(a)"),
		Entry("if", `{"type":"object","properties":{},"if":{"required":["a"]},"then":{"required":["b"]}}`, "t~()"),
		Entry("patternProperties", withProperties(`"a":{"type":"object","patternProperties":{"^x":{"type":"string"}}}`), "t~(a: object)"),
		Entry("rules for names", withProperties(`"a":{"type":"object","propertyNames":{"pattern":"^x"}}`), "t~(a: object)"),
		Entry("a keyword of a library", withProperties(`"a":{"type":"string","format":"date","formatMinimum":"2026-01-01"}`), "t~(a: string /* date */)"),
		Entry("an unknown type", withProperties(`"a":{"type":"file"}`), "t~(a)"),
		Entry("false", withProperties(`"a":false`), "t~(a)"),
		Entry("a reference to itself", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"array","items":{"$ref":"#/$defs/A"}}}}`, "t~(a?: …[])"),
		Entry("a reference to elsewhere", withProperties(`"a":{"$ref":"https://example.com/a"}`), "t~(a)"),
		Entry("a reference to nothing", withProperties(`"a":{"$ref":"#/$defs/A"}`), "t~(a)"),
		Entry("something beside a reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A","minLength":2}},"$defs":{"A":{"type":"string"}}}`, "t~(a?: string)"),
		Entry("a pattern that a comment cannot hold", withProperties(`"a":{"type":"string","pattern":"a*/b"}`), "t~(a: string /* pattern a* /b */)"),
		Entry("a name that may not be shown", withProperties(`"a":{},"b\u001b[31m":{"type":"string"}`), "t~(a, b?: string)"),
		Entry("a member twice", withProperties(`"a":{"type":"string","type":"number"}`), "t~(a: number)"),
		Entry("true", `true`, "t~(…)"),
		Entry("null", `null`, "t~(…)"),
		Entry("a text", `"object"`, "t~(…)"),
	)

	It("leaves out what is in nested objects, and most of long enums, when it is too long", func() {
		values := `["1","2","3","4","5","6","7"]`
		tool := toolWith(withProperties(`"a":{"type":"object","properties":{"x":{}}},"e":{"enum":` + values + `},` + long))

		Expect(definitions.Signature(tool, false)).To(HavePrefix(`t~(a: {…}, e?: "1" | "2" | "3" | "4" | "5" | "6" | …, bbb`))
	})

	It("is not marked when it is long and whole", func() {
		Expect(definitions.Signature(toolWith(withProperties(`"a":{"type":"string"},`+long)), false)).To(HavePrefix("t(a: string, bbb"))
	})

	It("is the name of a tool whose definition is not JSON", func() {
		tool := domain.ToolInfo{Name: "t", Shown: "t", Definition: []byte(`{"name":`)}

		Expect(definitions.Signature(tool, true)).To(Equal("t"))
		Expect(definitions.Signature(domain.ToolInfo{Shown: "t"}, true)).To(Equal("t"))
	})

	It("quotes a tool's name that has signs of its own", func() {
		Expect(definitions.Signature(toolOf(`{"name":"a b(c)","inputSchema":{"type":"object","properties":{}}}`), true)).To(Equal(`"a b(c)"()`))
		Expect(definitions.Signature(toolOf(`{"name":"repo/a.b-c_d","inputSchema":{"type":"object"}}`), true)).To(Equal(`repo/a.b-c_d()`))
	})

	It("shows no control characters, escapes and tag characters", func() {
		tool := toolOf(`{"name":"t\u0007","description":"Red\u001b[31m \udb40\udc41and\u009b blue.","inputSchema":{"type":"object","properties":{
			"a":{"enum":["x\u0000y","\u007f"],"default":"\u001b]0;t\u0007z"}}}}`)

		Expect(definitions.Signature(tool, true)).To(Equal(`t~(a?: "xy" | "" = "z") — Red and blue.`))
	})

	It("is never longer than the definition", func() {
		properties, same := `"a b":{"$ref":"#/$defs/x"}`, `,"%":{"$ref":"#/$defs/x"}`
		for _, name := range []string{"c", "d", "e", "f"} {
			properties += strings.ReplaceAll(same, "%", name)
		}
		tool := toolOf(`{"name":"t","inputSchema":{"properties":{` + properties + `},"required":["a b","c"],"$defs":{"x":{"enum":["` +
			strings.Repeat("x", 70) + `"]}}}}`)

		Expect(definitions.Signature(tool, true)).To(Equal(`t~("a b",c)`), "%d bytes", len(tool.Definition))
	})
})

// grouped are the published servers in toolboxes, and developer those that a developer
// might have.
var (
	grouped = map[domain.ToolboxName][]string{
		"code":  {"github", "gitlab", "context7", "figma", "chrome-devtools"},
		"cloud": {"azure", "cloudflare"},
		"data":  {"supabase", "mongodb", "postgres"},
		"web":   {"firecrawl", "tavily", "brave-search", "google-maps"},
		"local": {"filesystem", "memory", "sequential-thinking", "desktop-commander", "everything"},
	}
	developer = map[domain.ToolboxName][]string{
		"code": {"github", "context7"}, "browser": {"chrome-devtools"}, "data": {"supabase", "postgres"}, "files": {"filesystem"},
	}
)

// portrait writes what a published server's tools look like in each form.
func portrait(server string) string {
	tools := toolbox(GinkgoTB(), server)
	var text strings.Builder
	for _, form := range definitions.Forms() {
		shown := definitions.Show(form, "box", tools, definitions.DefaultBudget)
		fmt.Fprintf(&text, "%s: %s, %d bytes\n", form, shown.Form, shown.Bytes)
	}
	write := func(title string, lines []string) {
		fmt.Fprintf(&text, "\n%s\n\n%s\n", title, strings.Join(lines, "\n"))
	}
	compact := definitions.Show(definitions.Compact, "box", tools, 0).Servers[0].Tools
	write("compact", compact)
	var bare []string
	for i, tool := range tools[0].Tools {
		if line := definitions.Signature(tool, false); line != compact[i] {
			bare = append(bare, line)
		}
	}
	write("compact without the prose of parameters, where it differs", bare)
	write("names", definitions.Show(definitions.Names, "box", tools, definitions.DefaultBudget).Servers[0].Tools)
	write("names in half of that", definitions.Show(definitions.Names, "box", tools, len(strings.Join(compact, ""))/4).Servers[0].Tools)
	return text.String()
}

var _ = Describe("Published servers", func() {
	for _, server := range catalogs {
		It("look as they did: "+server, func() {
			golden := filepath.Join("testdata", server+".txt")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				Expect(os.WriteFile(golden, []byte(portrait(server)), 0o644)).To(Succeed())
			}
			expected := spec.Must(os.ReadFile(golden))
			Expect(portrait(server)).To(Equal(string(expected)), "UPDATE_GOLDEN=1 writes the new look, for you to read")
		})
	}

	It("are all there", func() {
		Expect(spec.Must(filepath.Glob("../../tests/catalogs/*.json"))).To(HaveLen(len(catalogs)))
	})

	It("show every required parameter", func() {
		for _, server := range catalogs {
			for _, tool := range catalog(GinkgoTB(), server).Tools {
				signature := definitions.Signature(tool, true)
				for _, name := range requiredOf(tool) {
					Expect(signature).To(Or(ContainSubstring(name+":"), ContainSubstring(name+","), ContainSubstring(name+")"), ContainSubstring(name+`":`)))
				}
				Expect(len(signature)).To(BeNumerically("<=", len(tool.Definition)))
			}
		}
	})

	It("cost at most 15 % of their definitions, five toolboxes in sum", func() {
		full, auto := sums(grouped)

		Expect(auto).To(BeNumerically("<=", full*15/100), "%d of %d bytes", auto, full)
	})

	It("cost at most 33 % of their definitions where many toolboxes are small", func() {
		full, auto := sums(developer)

		Expect(auto).To(BeNumerically("<=", full*33/100), "%d of %d bytes", auto, full)
	})
})

// sums adds what toolboxes cost in full, and in the form that is chosen, which has to
// be within the budget and shorter than 40 KB, where hosts begin to cut.
func sums(toolboxes map[domain.ToolboxName][]string) (full, auto int) {
	GinkgoHelper()
	for name, servers := range toolboxes {
		tools := toolbox(GinkgoTB(), servers...)
		chosen := definitions.Show(definitions.Auto, name, tools, definitions.DefaultBudget)
		Expect(chosen.Bytes).To(BeNumerically("<=", definitions.DefaultBudget), "%s", name)
		compact := definitions.Show(definitions.Compact, name, tools, 0)
		Expect(compact.Bytes).To(BeNumerically("<", 40_000), "%s", name)
		full += definitions.Show(definitions.Full, name, tools, 0).Bytes
		auto += chosen.Bytes
	}
	return full, auto
}

// requiredOf returns the names that a tool's input schema requires.
func requiredOf(tool domain.ToolInfo) []string {
	var definition struct {
		InputSchema struct{ Required []string }
	}
	Expect(json.Unmarshal(tool.Definition, &definition)).To(Succeed())
	return definition.InputSchema.Required
}
