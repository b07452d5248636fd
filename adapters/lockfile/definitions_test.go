package lockfile_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lockfile"
	"mcp-workbench/domain"
)

var _ = Describe("The pin of a tool", func() {
	It("is the SHA-256 of the canonical JSON of name, description, input schema and annotations", func() {
		const canonical = `{"annotations":{"readOnlyHint":true},"description":"Reads é","inputSchema":{"properties":{},"type":"object"},"name":"read"}`
		sum := sha256.Sum256([]byte(canonical))

		found := pin("read", `{ "name": "read", "title": "Read", "inputSchema": {"type":"object", "properties":{}},
			"annotations": {"readOnlyHint": true}, "description": "Reads \u00e9", "_meta": {}, "outputSchema": {"type":"object"}}`)

		Expect(string(found.Definition)).To(Equal(canonical))
		Expect(found.Digest).To(Equal(hex.EncodeToString(sum[:])))
	})

	DescribeTable("is the same as long as the tool says the same",
		func(one, other string) { Expect(pin("a", one).Digest).To(Equal(pin("a", other).Digest)) },
		Entry("in another order", `{"name":"a","description":"b"}`, `{"description":"b","name":"a"}`),
		Entry("written otherwise", `{"name":"a","description":"b/"}`, `{ "name" : "\u0061" , "description":"b\/" }`),
		Entry("with other members around", `{"name":"a"}`, `{"name":"a","title":"t","_meta":{"now":1},"icons":[]}`),
	)

	DescribeTable("is another one when something is different",
		func(one, other string) { Expect(pin("a", one).Digest).NotTo(Equal(pin("a", other).Digest)) },
		Entry("the description", `{"name":"a","description":"b"}`, `{"name":"a","description":"c"}`),
		Entry("a hidden character in it", `{"name":"a","description":"b"}`, "{\"name\":\"a\",\"description\":\"b\u200b\"}"),
		Entry("whether there is one", `{"name":"a"}`, `{"name":"a","description":""}`),
		Entry("the schema, deep inside", `{"inputSchema":{"properties":{"x":{"enum":[1]}}}}`, `{"inputSchema":{"properties":{"x":{"enum":[2]}}}}`),
		Entry("a number beyond what doubles hold", `{"inputSchema":{"maximum":9007199254740993}}`, `{"inputSchema":{"maximum":9007199254740992}}`),
		Entry("an annotation", `{"annotations":{"readOnlyHint":true}}`, `{"annotations":{"readOnlyHint":false}}`),
		Entry("a second description", `{"description":"b"}`, `{"description":"b","description":"c"}`),
		Entry("which of two descriptions is the last", `{"description":"b","description":"c"}`, `{"description":"c","description":"b"}`),
	)

	It("leaves the description of the tool out when only its schema is pinned", func() {
		schema := func(definition string) string {
			return lockfile.NewDefinitions().Pin(domain.ToolInfo{Name: "a", Definition: json.RawMessage(definition)}, domain.PinSchema).Digest
		}
		const one = `{"name":"a","description":"b","inputSchema":{"properties":{"x":{"description":"c"}}},"annotations":{}}`

		Expect(schema(strings.Replace(one, `"b"`, `"other"`, 1))).To(Equal(schema(one)))
		Expect(schema(strings.Replace(one, `"description":"b",`, ``, 1))).To(Equal(schema(one)))
		Expect(schema(one)).NotTo(Equal(pin("a", one).Digest))
		for _, part := range []string{`"a"`, `"c"`, `"x"`, `{}}`} {
			Expect(schema(strings.Replace(one, part, strings.Replace(part, part[1:2], "?", 1), 1))).NotTo(Equal(schema(one)), part)
		}
	})

	It("is there for what is no JSON, too", func() {
		one, other := pin("a", `{"name":"a","description":nul}`), pin("a", `{"name":"a","description":nil}`)

		Expect(one.Digest).To(HaveLen(64))
		Expect(json.Valid(one.Definition)).To(BeTrue())
		Expect(pin("a", `{"name":"a","description":"\ud8"}`).Digest).NotTo(BeEmpty())
		Expect(other.Digest).To(HaveLen(64))
	})
})

var _ = Describe("The changes between two pins", func() {
	changes := func(before, after string) []string {
		var lines []string
		for _, change := range lockfile.NewDefinitions().Changes(pin("a", before), pin("a", after)) {
			lines = append(lines, change.Member+" | "+change.Path+" | "+string(change.Before)+" | "+string(change.After))
		}
		return lines
	}

	It("are none when nothing changed", func() {
		Expect(changes(`{"name":"a","inputSchema":{"type":"object"}}`, `{"inputSchema":{"type":"object"},"name":"a"}`)).To(BeEmpty())
	})

	It("are each place with what was there and what is, in a stable order", func() {
		before := `{"name":"a","description":"b","inputSchema":{"type":"object","properties":{"path":{"type":"string"},"old":{"type":"null"}},"required":["path"]}}`
		after := `{"name":"a","description":"c","inputSchema":{"type":"object","properties":{"path":{"type":"number"}},"required":["path","x"]},"annotations":{"title":"t"}}`

		Expect(changes(before, after)).To(Equal([]string{
			`annotations | annotations.title |  | "t"`,
			`description | description | "b" | "c"`,
			`inputSchema | inputSchema.properties.old.type | "null" | `,
			`inputSchema | inputSchema.properties.path.type | "string" | "number"`,
			`inputSchema | inputSchema.required | ["path"] | ["path","x"]`,
		}))
	})

	It("are found in lists of objects, under odd names and in empty values", func() {
		Expect(changes(`{"inputSchema":{"anyOf":[{"a.b":1},{"":{}}]}}`, `{"inputSchema":{"anyOf":[{"a.b":2},{"":[]}]}}`)).To(Equal([]string{
			`inputSchema | inputSchema.anyOf[0]["a.b"] | 1 | 2`,
			`inputSchema | inputSchema.anyOf[1][""] | {} | []`,
		}))
	})

	It("are found where a name is there twice", func() {
		Expect(changes(`{"description":"b","description":"c"}`, `{"description":"b","description":"d"}`)).To(Equal([]string{
			`description | description (2) | "c" | "d"`,
		}))
	})

	It("name each member once", func() {
		found := lockfile.NewDefinitions().Changes(pin("a", `{"inputSchema":{"a":1,"b":2}}`), pin("a", `{"description":"x","inputSchema":{"a":3,"b":4}}`))

		Expect(domain.ChangedMembers(found)).To(Equal([]string{"description", "inputSchema"}))
	})
})
