package config_test

import (
	"encoding/json"
	"strings"
	"unicode/utf16"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
	"mcp-workbench/adapters/config/tree"
)

var _ = Describe("Keys", func() {
	DescribeTable("that occur twice are problems that name both lines", Label("G02"),
		func(content string, problems ...string) {
			Expect(problemsOf(content)).To(Equal(problems))
		},
		Entry("at the root", "{\"toolboxes\":{},\n\"logLevel\":\"warn\",\n\"toolboxes\":{}}",
			`c.json:3:1: toolboxes: found "toolboxes" a second time (the first is on line 1), want each key once`),
		Entry("as toolboxes", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"command\":\"x\"}}},\n\n\"dev\":{}}}",
			`c.json:3:1: toolboxes.dev: found "dev" a second time (the first is on line 1), want each key once`),
		Entry("in a toolbox", "{\"toolboxes\":{\"dev\":{\"description\":\"a\",\n\"description\":\"b\",\"mcpServers\":{\"fs\":{\"command\":\"x\"}}}}}",
			`c.json:2:1: toolboxes.dev.description: found "description" a second time (the first is on line 1), want each key once`),
		Entry("as servers", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\n\"fs\":{\"command\":\"x\"},\n\"fs\":{\"command\":\"x\"}}}}}",
			`c.json:3:1: toolboxes.dev.mcpServers.fs: found "fs" a second time (the first is on line 2), want each key once`),
		Entry("in a server, each time", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"command\":\"x\",\n\"command\":\"y\",\n\"command\":\"z\"}}}}}",
			`c.json:2:1: toolboxes.dev.mcpServers.fs.command: found "command" a second time (the first is on line 1), want each key once`,
			`c.json:3:1: toolboxes.dev.mcpServers.fs.command: found "command" a second time (the first is on line 1), want each key once`),
		Entry("in env", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"command\":\"x\",\"env\":{\"A\":\"1\",\n\"A\":\"2\"}}}}}}",
			`c.json:2:1: toolboxes.dev.mcpServers.fs.env.A: found "A" a second time (the first is on line 1), want each key once`),
		Entry("in limits", "{\"toolboxes\":{},\"limits\":{\"call\":1,\n\"call\":2}}",
			`c.json:2:1: limits.call: found "call" a second time (the first is on line 1), want each key once`),
		Entry("deep in the settings of a transport", "{\"toolboxes\":{\"dev\":{\"mcpServers\":{\"fs\":{\"url\":\"x\",\"oauth\":[{\"id\":\"1\",\n\"id\":\"2\"}]}}}}}",
			`c.json:2:1: toolboxes.dev.mcpServers.fs.oauth[0].id: found "id" a second time (the first is on line 1), want each key once`),
		Entry("written in two ways", "{\"toolboxes\":{},\n\"toolbox\\u0065s\":{}}",
			`c.json:2:1: toolboxes: found "toolboxes" a second time (the first is on line 1), want each key once`),
	)

	It("are case-sensitive", func() {
		configuration := load(withServers("fs", "FS", "Fs"))

		Expect(configuration.Catalog.Toolboxes()[0].ServerNames()).To(Equal([]string{"fs", "FS", "Fs"}))
	})

	DescribeTable("that are unknown are reported with the legal key that is meant",
		func(content, problem string) {
			Expect(problemsOf(content)).To(ContainElement("c.json:" + problem))
		},
		Entry("at the root", withRoot(`"tooboxes":{}`), `2:1: tooboxes: unknown key "tooboxes"; did you mean 'toolboxes'?`),
		Entry("at the root, in other words", withRoot(`"log_level":"warn"`), `2:1: log_level: unknown key "log_level"; did you mean 'logLevel'?`),
		Entry("at the root, unlike any other", withRoot(`"gateway":1`),
			`2:1: gateway: unknown key "gateway"; want one of the keys that 'mcp-workbench help configuration root' describes`),
		Entry("in a toolbox", `{"toolboxes":{"dev":{"descripton":"a","mcpServers":{"fs":{"command":"x"}}}}}`,
			`1:22: toolboxes.dev.descripton: unknown key "descripton"; did you mean 'description'?`),
		Entry("in a toolbox, in other words", `{"toolboxes":{"dev":{"servers":{}}}}`,
			`1:22: toolboxes.dev.servers: unknown key "servers"; did you mean 'mcpServers'?`),
		Entry("in a toolbox, a server beside its mcpServers", `{"toolboxes":{"dev":{"fs":{"command":"x"}}}}`,
			`1:22: toolboxes.dev.fs: found a server outside of "mcpServers", want "mcpServers": {"fs": {…}}`),
		Entry("in a server", withServer(`{"command":"x","argss":[]}`),
			`2:16: toolboxes.dev.mcpServers.fs.argss: unknown key "argss"; did you mean 'args'?`),
		Entry("in a server, a misspelt environment for env", withServer(`{"command":"x","enviroment":{}}`),
			`2:16: toolboxes.dev.mcpServers.fs.enviroment: unknown key "enviroment"; did you mean 'env'?`),
		Entry("in a server, environment for env", withServer(`{"command":"x","environment":{}}`),
			`2:16: toolboxes.dev.mcpServers.fs.environment: unknown key "environment"; did you mean 'env'?`),
		Entry("in a server, workingDirectory for cwd", withServer(`{"command":"x","workingDirectory":"/"}`),
			`2:16: toolboxes.dev.mcpServers.fs.workingDirectory: unknown key "workingDirectory"; did you mean 'cwd'?`),
		Entry("in a server, only the case differs", withServer(`{"command":"x","INHERITENV":true}`),
			`2:16: toolboxes.dev.mcpServers.fs.INHERITENV: unknown key "INHERITENV"; did you mean 'inheritEnv'?`),
		Entry("in a server, a key of another transport", withServer(`{"type":"stdio","command":"x","headers":{}}`),
			`2:31: toolboxes.dev.mcpServers.fs.headers: unknown key "headers"; want one of the keys that 'mcp-workbench help configuration' describes`),
		Entry("in a server, never suggesting a key without effect", withServer(`{"command":"x","timeouts":1}`),
			`2:16: toolboxes.dev.mcpServers.fs.timeouts: unknown key "timeouts"; want one of the keys that 'mcp-workbench help configuration' describes`),
		Entry("in limits", withRoot(`"limits":{"connct":1}`), `2:11: limits.connct: unknown key "connct"; did you mean 'connect'?`),
		Entry("in the limits of a server", withServer(`{"command":"x","limits":{"open_reply":1}}`),
			`2:26: toolboxes.dev.mcpServers.fs.limits.open_reply: unknown key "open_reply"; did you mean 'openReply'?`),
	)

	It("that begin with _ or $ are ignored on every level, also when they occur twice", func() {
		configuration := load(`{
			"$schema": "x", "_": 1, "_": 2,
			"limits": {"_why": "slow", "call": "5s"},
			"toolboxes": {"_comment": "a", "$ref": [], "dev": {"_": "b", "mcpServers": {"_": "c", "$x": 1, "fs": {
				"_": "d", "$id": {"a": 1, "a": 2}, "url": "x", "oauth": {"_": 1, "id": "i", "$": 2}, "limits": {"$": 0}
			}}}}
		}`)

		Expect(configuration.Warnings).To(BeEmpty())
		Expect(server(configuration).Settings).To(MatchJSON(`{"url":"x","oauth":{"id":"i"}}`))
	})

	It("that begin with _ or $ are kept in env and headers, where they are data", func() {
		environment := server(load(withServer(`{"command":"x","env":{"_JAVA_OPTIONS":"-Xmx1g","$A":"b"}}`)))
		Expect(environment.Settings).To(MatchJSON(`{"command":"x","env":{"_JAVA_OPTIONS":"-Xmx1g","$A":"b"}}`))

		headers := server(load(withServer(`{"url":"x","headers":{"_h":"v"}}`)))
		Expect(headers.Settings).To(MatchJSON(`{"url":"x","headers":{"_h":"v"}}`))
	})

	It("with an object under such a name, where a toolbox or server could be, come with a warning", func() {
		Expect(warningsOf(`{"toolboxes":{"_old":{},"dev":{"mcpServers":{"$fs":{},"fs":{"command":"x"}}}}}`)).To(Equal([]string{
			`c.json:1:15: toolboxes._old: ignored, since its name begins with "_"`,
			`c.json:1:46: toolboxes.dev.mcpServers["$fs"]: ignored, since its name begins with "$"`,
		}))
	})

	It("are quoted in key paths when a path could be read in two ways", func() {
		names := []string{`a.b`, `a b`, `größe`, `a\"b`, `a[0]`, ``, "line\\nend"}
		content := `{"toolboxes":{"d":{"mcpServers":{"f":{"command":"x","env":{"` + strings.Join(names, `":1,"`) + `":1}}}}}}`

		Expect(problemsOf(content)).To(HaveExactElements(
			ContainSubstring(`.f.env["a.b"]: found`),
			ContainSubstring(`.f.env["a b"]: found`),
			ContainSubstring(`.f.env["größe"]: found`),
			ContainSubstring(`.f.env["a\"b"]: found`),
			ContainSubstring(`.f.env["a[0]"]: found`),
			ContainSubstring(`.f.env[""]: found`),
			ContainSubstring(`.f.env["line\nend"]: found`),
		))
	})
})

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
	inFile := tree.Problem{
		File: "/c.json", Line: 3, Column: 5, KeyPath: "toolboxes.dev.mcpServers.fs.args[1]",
		Found: "a number", Wanted: "a string",
	}

	DescribeTable("in one line says its place and what is wrong",
		func(problem tree.Problem, line string) { Expect(problem.String()).To(Equal(line)) },
		Entry("with a position", inFile, "/c.json:3:5: toolboxes.dev.mcpServers.fs.args[1]: found a number, want a string"),
		Entry("without a key path", tree.Problem{File: "/c.json", Line: 1, Column: 1, Found: "a list", Wanted: "an object"},
			"/c.json:1:1: found a list, want an object"),
		Entry("without a position", tree.Problem{File: "/c.json", Found: "no file", Wanted: "one"}, "/c.json: found no file, want one"),
		Entry("outside the file", tree.Problem{Source: "WORKBENCH_X", Found: "a", Wanted: "b"}, "WORKBENCH_X: found a, want b"),
		Entry("that is a warning", tree.Problem{File: "/c.json", Line: 1, Column: 2, KeyPath: "a", Message: "has no effect"},
			"/c.json:1:2: a: has no effect"),
	)

	It("has as JSON only the members that it needs", func() {
		Expect(json.Marshal(inFile)).To(MatchJSON(`{
			"file": "/c.json", "line": 3, "column": 5, "keyPath": "toolboxes.dev.mcpServers.fs.args[1]",
			"found": "a number", "wanted": "a string"
		}`))
		Expect(json.Marshal(tree.Problem{Source: "--log-level", Message: "m"})).To(MatchJSON(`{"source": "--log-level", "message": "m"}`))
	})

	It("is listed with the others, one per line", func() {
		err := &config.InvalidError{Problems: []tree.Problem{inFile, {Source: "WORKBENCH_X", Found: "a", Wanted: "b"}}}

		Expect(err).To(MatchError(inFile.String() + "\nWORKBENCH_X: found a, want b"))
	})

	It("names the file with its whole path", func() {
		path := write("c.json", `[]`)

		_, err := config.Load(config.Options{Path: path}, transports())

		Expect(err).To(MatchError(path + `:1:1: found a list, want an object with "toolboxes"`))
	})
})
