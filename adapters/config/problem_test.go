package config_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/config"
)

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
