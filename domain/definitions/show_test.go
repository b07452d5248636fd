package definitions_test

import (
	"bytes"
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/definitions"
	"mcp-workbench/domain/rawjson"
)

// text writes the tools of an answer in a short form, as JSON with a line break
// after each tool.
func text(shown definitions.Shown) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for i, server := range shown.Servers {
		text.WriteString(map[bool]string{true: "{", false: ",\n"}[i == 0])
		Expect(encoder.Encode(string(server.Server))).To(Succeed())
		text.Truncate(text.Len() - 1)
		text.WriteString(":[")
		for j, tool := range server.Tools {
			if j > 0 {
				text.WriteString(",\n")
			}
			Expect(encoder.Encode(tool)).To(Succeed())
			text.Truncate(text.Len() - 1)
		}
		text.WriteString("]")
	}
	return text.String() + "}"
}

// tools makes a server with tools of the form {name, description, inputSchema}.
func tools(server string, list ...string) definitions.ServerTools {
	tools := definitions.ServerTools{Server: domain.ServerName(server)}
	for _, definition := range list {
		tools.Tools = append(tools.Tools, toolOf(definition))
	}
	return tools
}

var _ = Describe("Tools of a toolbox", func() {
	const (
		read  = `{"name":"read","description":"Reads a file. All of it.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Must be absolute."}},"required":["path"]},"outputSchema":{"type":"object"}}`
		write = `{"name":"write","description":"Writes a file. Must not exist.","inputSchema":{"type":"object","properties":{}}}`
	)
	servers := []definitions.ServerTools{tools("files", read, write), tools("none"), tools("more", write)}

	It("are signatures by server in compact form", func() {
		shown := definitions.Show(definitions.Compact, "dev", servers, 0)

		Expect(shown.Form).To(Equal(definitions.Compact))
		Expect(shown.Servers).To(Equal([]definitions.ServerTexts{
			{Server: "files", Tools: []string{"read(path: string /* Must be absolute. */) — Reads a file.", "write~() — Writes a file."}},
			{Server: "none", Tools: []string{}},
			{Server: "more", Tools: []string{"write~() — Writes a file."}},
		}))
	})

	It("are names with first sentences in the form of names", func() {
		shown := definitions.Show(definitions.Names, "dev", servers, 1000)

		Expect(shown.Servers[0].Tools).To(Equal([]string{"read — Reads a file.", "write — Writes a file."}))
	})

	It("are objects in the full and the lean form", func() {
		for _, form := range []definitions.Form{definitions.Full, definitions.Lean} {
			shown := definitions.Show(form, "dev", servers, 0)

			Expect(shown.Form).To(Equal(form))
			Expect(shown.Servers).To(BeNil())
		}
	})

	It("take as many bytes as is said, in the server's bytes and with the server and toolbox", func() {
		text := read[:len(read)-1] + `,"server":"files","toolbox":"dev"},` + "\n"
		full := definitions.Show(definitions.Full, "dev", servers[:1], 0).Bytes - definitions.Show(definitions.Full, "dev", []definitions.ServerTools{tools("files", write)}, 0).Bytes
		lean := definitions.Show(definitions.Lean, "dev", servers[:1], 0).Bytes - definitions.Show(definitions.Lean, "dev", []definitions.ServerTools{tools("files", write)}, 0).Bytes

		Expect(full).To(Equal(len(text)))
		Expect(full - lean).To(Equal(len(`"outputSchema":{"type":"object"}`)))
	})

	It("take no more than is said as texts", func() {
		for _, form := range []definitions.Form{definitions.Compact, definitions.Names} {
			shown := definitions.Show(form, "dev", servers, 1000)

			Expect(len(text(shown))).To(BeNumerically("~", shown.Bytes, 8))
			Expect(len(text(shown))).To(BeNumerically("<=", shown.Bytes))
		}
	})

	Describe("that are named within a budget", func() {
		many := tools("s", strings.Split(strings.Repeat(`{"name":"tool","description":"Does one of the many things that tools do."}`+"\n", 50)+`{"name":"last"}`, "\n")...)

		named := func(budget int) []string {
			shown := definitions.Show(definitions.Names, "dev", []definitions.ServerTools{many}, budget)
			if budget > 500 {
				Expect(shown.Bytes).To(BeNumerically("<=", budget))
			}
			return shown.Servers[0].Tools
		}

		It("have shorter sentences where whole ones do not fit", func() {
			Expect(named(2000)).To(And(HaveLen(51), HaveEach(Or(Equal("last"), Equal("tool — Does one of the many…")))))
		})

		It("have none where short ones do not fit", func() {
			Expect(named(600)).To(And(HaveLen(51), HaveEach(Or(Equal("last"), Equal("tool")))))
		})

		It("keep their names whatever the budget", func() {
			Expect(named(0)).To(And(HaveLen(51), HaveEach(Or(Equal("last"), Equal("tool")))))
		})
	})

	Describe("of which the form is chosen", func() {
		auto := func(budget int) definitions.Shown { return definitions.Show(definitions.Auto, "dev", servers, budget) }

		It("are as detailed as fits the budget", func() {
			Expect(auto(definitions.DefaultBudget).Form).To(Equal(definitions.Lean))
			compact := auto(200)
			Expect(compact.Form).To(Equal(definitions.Compact))
			Expect(compact.Servers[0].Tools[0]).To(Equal("read(path: string /* Must be absolute. */) — Reads a file."))
			Expect(compact.Bytes).To(BeNumerically("<=", 200))
		})

		It("lose the prose of parameters before their signatures", func() {
			shown := auto(definitions.Show(definitions.Compact, "dev", servers, 0).Bytes - 1)

			Expect(shown.Form).To(Equal(definitions.Compact))
			Expect(shown.Servers[0].Tools[0]).To(Equal("read~(path: string) — Reads a file."))
		})

		It("are names at last", func() {
			Expect(auto(100).Form).To(Equal(definitions.Names))
			Expect(auto(0).Form).To(Equal(definitions.Names))
		})

		It("are whole without one", func() {
			Expect(definitions.Show(definitions.Auto, "dev", nil, 100)).To(Equal(definitions.Shown{Form: definitions.Lean, Bytes: 2}))
		})
	})
})

var _ = Describe("A form", func() {
	It("is known by its name", func() {
		Expect(definitions.Forms()).To(HaveEach(WithTransform(definitions.Form.Known, BeTrue())))
		Expect(definitions.Form("tiny").Known()).To(BeFalse())
	})

	It("is short when tools are texts", func() {
		Expect(definitions.Compact.Short()).To(BeTrue())
		Expect(definitions.Names.Short()).To(BeTrue())
		Expect(definitions.Full.Short() || definitions.Lean.Short() || definitions.Auto.Short()).To(BeFalse())
	})
})

var _ = Describe("A description for people", func() {
	It("has the whole text, and each parameter with its type, default and text", func() {
		described := definitions.Describe(toolOf(`{"name":"t","title":"The \u0007tool","description":"First. \nSecond.\n","inputSchema":` +
			`{"type":"object","required":["b"],"properties":{"a":{"type":"integer","default":3},` +
			`"b":{"description":"One.\nTwo.","$ref":"#/$defs/size"}},"$defs":{"size":{"enum":["s","m"]}}}}`))

		Expect(described.Title).To(Equal("The tool"))
		Expect(described.Text).To(Equal("First. \nSecond."))
		Expect(described.Signature).To(Equal(`t(a?: integer = 3, b: "s" | "m")`))
		Expect(described.Parameters).To(HaveExactElements(
			And(HaveField("Text", "a?: integer = 3"), HaveField("Required", false), HaveField("Description", "")),
			And(HaveField("Text", `b: "s" | "m"`), HaveField("Required", true), HaveField("Description", "One.\nTwo.")),
		))
	})

	It("has every member of nested objects, which a long signature leaves out", func() {
		tool := toolWith(withProperties(`"a":{"type":"object","properties":{"inner":{"type":"string"}}},` + long))

		described := definitions.Describe(tool)

		Expect(described.Signature).To(ContainSubstring("a: {…}"))
		Expect(described.Parameters[0].Text).To(Equal("a: {inner?: string}"))
	})

	It("has no parameters without a schema", func() {
		Expect(definitions.Describe(toolOf(`{"name":"t"}`)).Parameters).To(BeEmpty())
	})
})

var _ = Describe("Settings", func() {
	boxes := []domain.Toolbox{{Name: "a"}, {Name: "b"}}

	It("are full and check nothing when nothing is said", func() {
		var settings definitions.Settings

		Expect(settings.Form("a")).To(Equal(definitions.Full))
		Expect(settings.AllFull(boxes)).To(BeTrue())
		Expect(settings.ChecksCalls(boxes)).To(BeFalse())
	})

	It("let a toolbox differ from the others", func() {
		settings := definitions.Settings{
			Default: definitions.Compact, ByToolbox: map[domain.ToolboxName]definitions.Form{"b": definitions.Lean},
		}

		Expect(settings.Form("a")).To(Equal(definitions.Compact))
		Expect(settings.Form("b")).To(Equal(definitions.Lean))
		Expect(settings.Used(boxes)).To(Equal([]definitions.Form{definitions.Lean, definitions.Compact}))
		Expect(settings.AllFull(boxes)).To(BeFalse())
	})

	It("do not count a form that no toolbox has", func() {
		settings := definitions.Settings{
			Default:   definitions.Names,
			ByToolbox: map[domain.ToolboxName]definitions.Form{"a": definitions.Full, "b": definitions.Full},
		}

		Expect(settings.AllFull(boxes)).To(BeTrue())
		Expect(settings.ChecksCalls(boxes)).To(BeFalse())
	})

	It("take auto for names where tools are registered with their definitions", func() {
		Expect(definitions.Settings{Default: definitions.Auto}.Form("a")).To(Equal(definitions.Auto))
		Expect(definitions.Settings{Default: definitions.Auto, Registered: true}.Form("a")).To(Equal(definitions.Names))
		Expect(definitions.Settings{Default: definitions.Lean, Registered: true}.Form("a")).To(Equal(definitions.Lean))
	})

	DescribeTable("say whether calls are checked",
		func(form definitions.Form, validation definitions.Validation, checks bool) {
			Expect(definitions.Settings{Default: form, Validation: validation}.ChecksCalls(boxes)).To(Equal(checks))
		},
		Entry(nil, definitions.Full, definitions.ValidateUnseen, false),
		Entry(nil, definitions.Lean, definitions.ValidateUnseen, false),
		Entry(nil, definitions.Compact, definitions.ValidateUnseen, true),
		Entry(nil, definitions.Names, definitions.ValidateUnseen, true),
		Entry(nil, definitions.Auto, definitions.ValidateUnseen, true),
		Entry(nil, definitions.Auto, definitions.ValidateNone, false),
		Entry(nil, definitions.Full, definitions.ValidateAll, true),
	)
})

var _ = Describe("The first sentence of a description", func() {
	DescribeTable("ends",
		func(description, shown string) {
			Expect(definitions.Signature(describedTool(description+strings.Repeat(" ", 300)), true)).To(Equal("t()" + shown))
		},
		Entry("at a full stop", "Reads a file. Fast.", " — Reads a file."),
		Entry("at another sign", "Really? Yes.", " — Really?"),
		Entry("nowhere, without one", "Reads a file", " — Reads a file"),
		Entry("not within a number or name", "Reads v1.2 of a.txt now. Then more.", " — Reads v1.2 of a.txt now."),
		Entry("not behind an abbreviation", "Reads things, e.g. Files, fast. More.", " — Reads things, e.g. Files, fast."),
		Entry("not where it goes on in lower case", "Reads docs etc. and more. Then.", " — Reads docs etc. and more."),
		Entry("before an empty line", "Reads a file\n\nLong story", " — Reads a file"),
		Entry("before a list", "Reads files\n- quickly", " — Reads files"),
		Entry("behind the first of a list that it leads to", "Use this to:\n1. Read files.\n2. Write.", " — Use this to: Read files. …"),
		Entry("behind the only one of a list", "Reads one of:\n- files", " — Reads one of: files"),
		Entry("before a heading", "Notion | Retrieve a user\nError Responses:\n400: Bad", " — Notion | Retrieve a user"),
		Entry("before a marked heading", "Retrieve a user\n**Returns** \n a user", " — Retrieve a user"),
		Entry("not at a line break", "Reads a\n   file. More.", " — Reads a file."),
		Entry("at a full stop of Chinese", "读取文件。更多", " — 读取文件。"),
		Entry("at once, without one", "", ""),
		Entry("in an ellipsis when it is very long", strings.Repeat("word ", 60), " — "+strings.TrimSpace(strings.Repeat("word ", 39))+"…"),
	)

	DescribeTable("is never a heading",
		func(description, shown string) {
			Expect(definitions.Signature(describedTool(description+strings.Repeat(" ", 300)), true)).To(Equal("t()" + shown))
		},
		Entry("with a colon", "Purpose:\n  1. Reads a file. Fast.", " — Reads a file."),
		Entry("with a picture", "\n  🎯 Purpose\n   1.  Reads a file.\n   2. More.", " — Reads a file."),
		Entry("before another purpose", "🛡️ Guardrails:\n  1. Warning: Changes data.\n\n🎯 Purpose:\n  1. Writes a file.", " — Writes a file."),
		Entry("in Markdown", "## Write a file\n\n**Usage notes:**\nWrites.", " — ## Write a file"),
		Entry("in Markdown, before a text", "## Write a file\n\nWrites a file to disk.", " — Writes a file to disk."),
		Entry("in bold", "**Description**\n* Writes a file", " — Writes a file"),
		Entry("between angle brackets", "<overview>\nWrites a file.\n</overview>", " — Writes a file."),
		Entry("of Chinese", "用途：\n- 读取文件。", " — 读取文件。"),
		Entry("unless there is nothing else", "Purpose:\n\n", " — Purpose:"),
		Entry("but a sentence that leads to a colon", "Reads a file in this order of steps:\nOpen.", " — Reads a file in this order of steps: Open."),
	)

	DescribeTable("is none that says nothing about what the tool does",
		func(description, shown string) {
			Expect(definitions.Signature(describedTool(description+strings.Repeat(" ", 300)), true)).To(Equal("t()" + shown))
		},
		Entry("but its kind", "Read-only. Lists all boats; pages have ten.", " — Lists all boats; pages have ten."),
		Entry("but its kind, more than once", "[READ] Beta.\n\nThis is new. Lists all boats.", " — [READ] Beta."),
		Entry("but its kind, in a sentence", "This tool is read-only. Experimental.\nLists all boats. More.", " — Lists all boats."),
		Entry("but code", "```console\ncurl -s a.b\n```\n\nThe response is a list of boats.", " — The response is a list of boats."),
		Entry("but what leads to code", "Example cURL request:\n\n```console\ncurl -s a.b\n```\n\nLists boats.", " — Lists boats."),
		Entry("unless only code follows it", "Example cURL request:\n\n```console\ncurl a.b\n```\n\nThe response is a list of boats:\n\n```json\n{}\n```\n",
			" — The response is a list of boats:"),
		Entry("with code behind it", "Lists boats.\n```\nboats\n```", " — Lists boats."),
		Entry("but that it is deprecated, which stays in front", "**This endpoint is deprecated.**\n\nMerges a boat into its fleet.",
			" — This endpoint is deprecated. Merges a boat into its fleet."),
		Entry("unless there is nothing else", "Read-only.", " — Read-only."),
		Entry("unless there is only code", "```\nboats\n```", " — ``` boats"),
		Entry("but not if it goes on", "Read-only access to boats. Fast.", " — Read-only access to boats."),
	)

	It("leaves a mark when what is left out holds a rule", func() {
		Expect(definitions.Signature(describedTool("Reads. You MUST open it first."), true)).To(Equal("t~() — Reads."))
		Expect(definitions.Signature(describedTool("You must read. Nothing else."), true)).To(Equal("t() — You must read."))
		Expect(definitions.Signature(describedTool("Reads. Mustard, nevertheless, onlyness."), true)).To(Equal("t() — Reads."))
	})

	Describe("of a required parameter", func() {
		tool := toolWith(withProperties(`"a":{"type":"string","description":"Must be */ a date. Nothing more."},` +
			`"b":{"type":"string","description":"Must be a date."}`))

		It("is kept when it holds a rule, and the parameter is required", func() {
			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string /* Must be * / a date. */, b?: string)"))
		})

		It("leaves a mark where it is left out", func() {
			Expect(definitions.Signature(tool, false)).To(Equal("t~(a: string, b?: string)"))
		})

		It("is left out when it holds none", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"The name."}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string)"))
		})

		It("leaves a mark when a later one holds a rule", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"The name. Never a path."}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t~(a: string)"))
		})

		It("is kept when it is a rule across parameters", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"Ignored without b_c."},"b_c":{}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string /* Ignored without b_c. */, b_c?)"))
			Expect(definitions.Signature(tool, false)).To(Equal("t~(a: string, b_c?)"))
		})

		It("needs no mark when it is only about a format", func() {
			tool := toolWith(withProperties(`"a":{"type":"string","description":"A JSON object."}`))

			Expect(definitions.Signature(tool, true)).To(Equal("t(a: string /* A JSON object. */)"))
			Expect(definitions.Signature(tool, false)).To(Equal("t(a: string)"))
		})
	})
})

var _ = Describe("A rule across parameters", func() {
	signature := func(text, ofName, ofToken string) string {
		quoted := func(text string) string { return string(rawjson.Quote(text)) }
		return definitions.Signature(toolOf(`{"name":"t","description":`+quoted("Sets. "+text)+`,"inputSchema":{"type":"object","properties":{"name":{"description":`+
			quoted(ofName)+`},"pageToken":{"description":`+quoted(ofToken)+`}}}}`), true)
	}

	DescribeTable("leaves a mark",
		func(text, ofName, ofToken string) {
			Expect(signature(text, ofName, ofToken)).To(Equal("t~(name?, pageToken?) — Sets."))
		},
		Entry("in a later sentence", "Requires name or pageToken.", "", ""),
		Entry("about a choice", "At least one of `name` or `pageToken` is wanted.", "", ""),
		Entry("about two that exclude each other", "Provide either name or the token, but not both.", "", ""),
		Entry("about a tool that is deprecated", "Deprecated, use other_tool.", "", ""),
		Entry("in a list", "Rules:\n- `name` is required for set", "", ""),
		Entry("of an optional parameter", "", "Name of the context (required for set)", ""),
		Entry("about when it counts", "", "Ignored for lists.", ""),
		Entry("about a condition", "", "", "Only applies if name is set."),
		Entry("about another one", "", "Use pageToken instead.", ""),
		Entry("about both", "", "", "Cannot be combined with names."),
	)

	DescribeTable("is not",
		func(text, ofName, ofToken string) {
			Expect(signature(text, ofName, ofToken)).To(Equal("t(name?, pageToken?) — Sets."))
		},
		Entry("a requirement of the server", "Requires authentication.", "", ""),
		Entry("a choice of values", "", "Either the GUID or the display name.", ""),
		Entry("a comparison", "Instead of a page, pageToken returns the next.", "Saved instead of shown.", ""),
		Entry("that nothing is required", "", "Not required.", ""),
		Entry("a word of prose", "Ensures that the required names exist.", "", ""),
	)
})

var _ = Describe("The hint", func() {
	It("says what the signs mean, and how to see more", func() {
		Expect(definitions.Compact.Hint()).To(And(ContainSubstring("? "), ContainSubstring("= "), ContainSubstring("~ "), ContainSubstring(`"tools"`)))
		Expect(definitions.Names.Hint()).To(ContainSubstring(`"tools"`))
	})

	It("is not there where definitions are whole", func() {
		Expect(definitions.Full.Hint() + definitions.Lean.Hint()).To(BeEmpty())
	})
})

var _ = Describe("The cost of definitions", func() {
	DescribeTable("is told in tokens and in a part of a context",
		func(bytes, tokens int, percent float64) {
			Expect(definitions.EstimateTokens(bytes)).To(Equal(tokens))
			Expect(definitions.WindowPart(bytes)).To(BeNumerically("~", percent, 0.001))
		},
		Entry("of nothing", 0, 0, 0.0),
		Entry("of a little", 9, 2, 0.001),
		Entry("of a toolbox", 90_000, 20_000, 10.0),
		Entry("rounded", 11, 2, 0.001),
	)
})
