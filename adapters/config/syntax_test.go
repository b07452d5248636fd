package config_test

import (
	"encoding/json"
	"strings"
	"unicode/utf16"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

var _ = Describe("Reading a file", func() {
	const plain = "{\n  \"toolboxes\": {\n    \"dev\": {\n      \"mcpServers\": {\"fs\": {\"command\": \"x\"}}\n    }\n  }\n}\n"

	DescribeTable("accepts", Label("G02"),
		func(content string) {
			Expect(toolboxNames(load(content))).To(Equal([]string{"dev"}))
		},
		Entry("plain JSON", plain),
		Entry("a byte order mark", "\ufeff"+plain),
		Entry("Windows line ends", strings.ReplaceAll(plain, "\n", "\r\n")),
		Entry("comments to the end of the line", "// first\n"+plain+"// last\n"),
		Entry("a comment that ends with the file", plain+"// last"),
		Entry("comments that span lines", strings.ReplaceAll(plain, "{\n", "{ /* a\n [ b */\n")),
		Entry("trailing commas", `{"toolboxes":{"dev":{"mcpServers":{"fs":{"command":"x","args":["a",],},},},},}`),
		Entry("all of these together", "\ufeff// a\r\n{/* b */\r\n\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"command\":\"x\",},},},},}\r\n/* c */"),
		Entry("names in Unicode escapes", strings.Replace(plain, `"dev"`, `"\u0064ev"`, 1)),
		Entry("brackets within strings", strings.Replace(plain, `"x"`, `"`+strings.Repeat("[", 200)+`\""`, 1)),
	)

	DescribeTable("says where and what",
		func(content, problem string) {
			Expect(problemsOf(content)).To(Equal([]string{"c.json:" + problem}))
		},
		Entry("when nothing is in it", "", `1:1: found an empty file, want an object with "toolboxes"`),
		Entry("when only a byte order mark is in it", "\ufeff", `1:1: found an empty file, want an object with "toolboxes"`),
		Entry("when only space is in it", " \n\t", `1:1: found an empty file, want an object with "toolboxes"`),
		Entry("when only a comment is in it", "// soon\n", `2:1: found the end of the file, want a key or a value`),
		Entry("when the root is a list", "\n []", `2:2: found a list, want an object with "toolboxes"`),
		Entry("when the root is null", "null", `1:1: found null, want an object with "toolboxes"`),
		Entry("when a comma is missing", "{\n  \"toolboxes\": {}\n  \"limits\": {}\n}", `3:3: found "\"", want "," or "}"`),
		Entry("when a comma is missing in a list", `{"a": [1 2]}`, `1:10: found "2", want "," or "]"`),
		Entry("when a colon is missing", `{"toolboxes" {}}`, `1:14: found "{", want ":" after the key`),
		Entry("when a value is missing", `{"toolboxes": }`, `1:15: found "}", want a key or a value`),
		Entry("when a key is a number", `{1: {}}`, `1:2: found "1", want a key in double quotes`),
		Entry("when a key has no quotes", `{toolboxes: {}}`,
			`1:2: found a word or number that JSON does not have, want a string in double quotes, a number, true, false or null`),
		Entry("when quotes are single", `{'toolboxes': {}}`, `1:2: found "'", want double quotes`),
		Entry("when something follows", "{\"toolboxes\": {}}\n}", `2:1: found "}", want nothing after the end of the object`),
		Entry("when the last brace is missing", "{\"toolboxes\": {}\n", `2:1: found the end of the file, want "," or "}"`),
		Entry("when the last brace and line end are missing", `{"toolboxes": {}`, `1:17: found the end of the file, want "," or "}"`),
		Entry("when a list does not end", `{"a": [1`, `1:9: found the end of the file, want "," or "]"`),
		Entry("when a key ends the file", `{"a"`, `1:5: found the end of the file, want ":" after the key`),
		Entry("when a string does not end", `{"a`, `1:4: found the end of the file, want the closing double quote of a string`),
		Entry("when a comment does not end", `{} /* a`, `1:4: found "/", want the end of the comment, "*/"`),
		Entry("when a string spans lines", "{\"a\": \"b\n\"}",
			`1:7: found a string with a line break or control character, want the closing double quote before it, or an escape such as \n`),
		Entry("when a path has single backslashes", `{"a": "C:\dir"}`,
			`1:7: found a string with a backslash that begins no escape, want \\ for each backslash`),
		Entry("when the file is UTF-16", encodedUTF16("{}"), `1:1: found text in UTF-16, want a file in UTF-8`),
		Entry("when the file is UTF-16 without a mark", "{\x00}\x00", `1:1: found text in UTF-16, want a file in UTF-8`),
		Entry("when a byte is not UTF-8", "{\"größe\":\n \"ä\xff\"}", `2:4: found a byte that is not UTF-8, want a file in UTF-8`),
		Entry("when objects are nested too deeply", strings.Repeat(`{"a":`, 1<<20),
			`1:501: found more than 100 objects and lists inside each other, want fewer objects and lists inside each other`),
		Entry("when lists are, after comments and strings", `{/*[*/"\"[": // [`+"\n"+strings.Repeat(`[`, 1<<20),
			`2:100: found more than 100 objects and lists inside each other, want fewer objects and lists inside each other`),
	)

	It("counts columns in characters and does not count a byte order mark", func() {
		Expect(problemsOf("\ufeff{\"größe ⚙\": 1, \"toolboxes\": {}}")).To(ConsistOf(HavePrefix(`c.json:1:2: ["größe ⚙"]: unknown key "größe ⚙"`)))
		Expect(problemsOf("{\"toolboxes\": {},\r\n/* größe ⚙ */ \"x\": 1}")).To(ConsistOf(HavePrefix(`c.json:2:15: x: unknown key "x"`)))
	})

	It("does not show a literal that it cannot read, which may be a secret", func() {
		for _, secret := range []string{`sk-live-1234`, `"sk-live-1234\q"`, "\"sk-live-1234\n\""} {
			Expect(strings.Join(problemsOf(withServer(`{"command":"x","env":{"TOKEN":`+secret+`}}`)), "\n")).NotTo(ContainSubstring("1234"))
		}
	})
})

func encodedUTF16(text string) string {
	encoded := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = append(encoded, byte(unit), byte(unit>>8))
	}
	return string(encoded)
}

var _ = Describe("A problem", func() {
	inFile := config.Problem{
		File: "/c.json", Line: 3, Column: 5, KeyPath: "toolboxes.dev.mcpServers.fs.args[1]",
		Found: "a number", Wanted: "a string",
	}

	DescribeTable("in one line says its place and what is wrong",
		func(problem config.Problem, line string) { Expect(problem.String()).To(Equal(line)) },
		Entry("with a position", inFile, "/c.json:3:5: toolboxes.dev.mcpServers.fs.args[1]: found a number, want a string"),
		Entry("without a key path", config.Problem{File: "/c.json", Line: 1, Column: 1, Found: "a list", Wanted: "an object"},
			"/c.json:1:1: found a list, want an object"),
		Entry("without a position", config.Problem{File: "/c.json", Found: "no file", Wanted: "one"}, "/c.json: found no file, want one"),
		Entry("outside the file", config.Problem{Source: "WORKBENCH_X", Found: "a", Wanted: "b"}, "WORKBENCH_X: found a, want b"),
		Entry("that is a warning", config.Problem{File: "/c.json", Line: 1, Column: 2, KeyPath: "a", Message: "has no effect"},
			"/c.json:1:2: a: has no effect"),
	)

	It("has as JSON only the members that it needs", func() {
		Expect(json.Marshal(inFile)).To(MatchJSON(`{
			"file": "/c.json", "line": 3, "column": 5, "keyPath": "toolboxes.dev.mcpServers.fs.args[1]",
			"found": "a number", "wanted": "a string"
		}`))
		Expect(json.Marshal(config.Problem{Source: "--log-level", Message: "m"})).To(MatchJSON(`{"source": "--log-level", "message": "m"}`))
	})

	It("is listed with the others, one per line", func() {
		err := &config.InvalidError{Problems: []config.Problem{inFile, {Source: "WORKBENCH_X", Found: "a", Wanted: "b"}}}

		Expect(err).To(MatchError(inFile.String() + "\nWORKBENCH_X: found a, want b"))
	})

	It("names the file with its whole path", func() {
		path := write("c.json", `[]`)

		_, err := config.Load(config.Options{Path: path}, transports())

		Expect(err).To(MatchError(path + `:1:1: found a list, want an object with "toolboxes"`))
	})
})
