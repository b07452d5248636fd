package textedit_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/textedit"
)

var path = []string{"mcpServers", "workbench"}

const value = `{"command":"wb","args":["a"]}`

var _ = Describe("Editing JSON", func() {
	DescribeTable("a new member is the last of its object, in the layout of the text", func(before, after string) {
		edited, err := textedit.SetJSON([]byte(before), path, []byte(value))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(after))
	},
		Entry("in an empty text", "", lines(`{`, `  "mcpServers": {`, `    "workbench": {`, `      "command": "wb",`, `      "args": [`, `        "a"`, `      ]`, `    }`, `  }`, `}`)),
		Entry("in an object of lines",
			lines(`{`, `  "mcpServers": {`, `    "git": {"command": "git"}`, `  }`, `}`),
			lines(`{`, `  "mcpServers": {`, `    "git": {"command": "git"},`, `    "workbench": {`, `      "command": "wb",`, `      "args": [`, `        "a"`, `      ]`, `    }`, `  }`, `}`)),
		Entry("with tabs and Windows line ends",
			"{\r\n\t\"mcpServers\": {\r\n\t}\r\n}\r\n",
			"{\r\n\t\"mcpServers\": {\r\n\t\t\"workbench\": {\r\n\t\t\t\"command\": \"wb\",\r\n\t\t\t\"args\": [\r\n\t\t\t\t\"a\"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n"),
		Entry("on one line", `{"mcpServers":{"git":{}},"x":1}`, `{"mcpServers":{"git":{},"workbench":{"command":"wb","args":["a"]}},"x":1}`),
		Entry("on one line with spaces", `{"mcpServers": {"git": {}}}`, `{"mcpServers": {"git": {}, "workbench": {"command":"wb","args":["a"]}}}`),
		Entry("on one line, empty", `{"mcpServers":{}}`, `{"mcpServers":{"workbench":{"command":"wb","args":["a"]}}}`),
		Entry("behind comments and a trailing comma, with a byte order mark",
			"\ufeff"+lines(`{ // mine`, `    "mcpServers": {`, `        "git": {}, // daily`, `        // the end`, `    },`, `}`),
			"\ufeff"+lines(`{ // mine`, `    "mcpServers": {`, `        "git": {}, // daily`, `        // the end`, `        "workbench": {`, `            "command": "wb",`, `            "args": [`, `                "a"`, `            ]`, `        },`, `    },`, `}`)),
		Entry("behind a comment without a comma",
			lines(`{`, `  "mcpServers": {`, `    "git": {} // {daily}`, `  }`, `}`),
			lines(`{`, `  "mcpServers": {`, `    "git": {}, // {daily}`, `    "workbench": {`, `      "command": "wb",`, `      "args": [`, `        "a"`, `      ]`, `    }`, `  }`, `}`)),
	)

	It("keeps the place of a member that exists", func() {
		before := lines(`{`, `  "mcpServers": {`, `    "workbench": {"command": "old"}, // ours`, `    "git": {}`, `  }`, `}`)
		edited, err := textedit.SetJSON([]byte(before), path, []byte(`{"command":"new"}`))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(lines(`{`, `  "mcpServers": {`, `    "workbench": {`, `      "command": "new"`, `    }, // ours`, `    "git": {}`, `  }`, `}`)))
	})

	DescribeTable("a member is deleted with its line and its comma", func(before, after string) {
		edited, err := textedit.DeleteJSON([]byte(before), path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(after))
	},
		Entry("the first", lines(`{`, `  "mcpServers": {`, `    "workbench": {`, `    },`, `    "git": {}`, `  }`, `}`), lines(`{`, `  "mcpServers": {`, `    "git": {}`, `  }`, `}`)),
		Entry("the last", lines(`{`, `  "mcpServers": {`, `    "git": {}, // daily`, `    "workbench": {}`, `  }`, `}`), lines(`{`, `  "mcpServers": {`, `    "git": {} // daily`, `  }`, `}`)),
		Entry("the only one", lines(`{`, `  "mcpServers": {`, `    "workbench": {}`, `  }`, `}`), lines(`{`, `  "mcpServers": {}`, `}`)),
		Entry("on one line", `{"mcpServers":{"git":{},"workbench":{}},"x":1}`, `{"mcpServers":{"git":{}},"x":1}`),
		Entry("the first on one line", `{"mcpServers": {"workbench": {}, "git": {}}}`, `{"mcpServers": { "git": {}}}`),
		Entry("with a trailing comma", lines(`{`, `  "mcpServers": {`, `    "git": {},`, `    "workbench": {},`, `  },`, `}`), lines(`{`, `  "mcpServers": {`, `    "git": {},`, `  },`, `}`)),
		Entry("but not a comment beside it", lines(`{`, `  "mcpServers": {`, `    // ours`, `    "workbench": {} // too`, `  }`, `}`), lines(`{`, `  "mcpServers": {`, `    // ours`, `    // too`, `  }`, `}`)),
	)

	DescribeTable("each member of the name is deleted", func(before, after string) {
		edited, err := textedit.DeleteJSON([]byte(before), path)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(after))
	},
		Entry("around another", `{"mcpServers":{"workbench":{},"git":{},"workbench":{}}}`, `{"mcpServers":{"git":{}}}`),
		Entry("at the end", `{"mcpServers": {"git": {}, "workbench": {}, "workbench": {}}}`, `{"mcpServers": {"git": {}}}`),
		Entry("at the start", `{"mcpServers": {"workbench": {}, "workbench": {}, "git": {}}}`, `{"mcpServers": { "git": {}}}`),
		Entry("with trailing commas", `{"mcpServers":{"workbench":{},"git":{},"workbench":{},}}`, `{"mcpServers":{"git":{},}}`),
		Entry("without others", `{"mcpServers":{"workbench":{},"workbench":{},"workbench":{}}}`, `{"mcpServers":{}}`),
		Entry("on lines, beside comments",
			lines(`{`, `  "mcpServers": {`, `    "workbench": {}, // one`, `    "git": {}, // daily`, `    "workbench": {`, `    },`, `    "workbench": {}`, `  }`, `}`),
			lines(`{`, `  "mcpServers": {`, `    // one`, `    "git": {} // daily`, `  }`, `}`)),
	)

	It("deletes as many members of a name as a file can have", Label("large"), func() {
		text := `{"mcpServers": {` + strings.Repeat(`"workbench": {}, `, 20_000) + `"git": {}}}`
		edited, err := textedit.DeleteJSON([]byte(text), path)
		Expect(err).NotTo(HaveOccurred())
		Expect(strings.ReplaceAll(string(edited), " ", "")).To(Equal(`{"mcpServers":{"git":{}}}`))
	})

	DescribeTable("what cannot be edited is refused", func(text string, failure error, message string) {
		_, err := textedit.SetJSON([]byte(text), path, []byte(value))
		Expect(err).To(MatchError(failure))
		Expect(err).To(MatchError(ContainSubstring(message)))
		Expect(err.Error()).NotTo(ContainSubstring("secret"))
	},
		Entry("broken", "{\n  \"a\": secret}", textedit.ErrSyntax, "it is not JSON at line 2, column 8: found a word or number that JSON does not have, want a string in double quotes"),
		Entry("nested without end", strings.Repeat("[", 1<<20), textedit.ErrSyntax, "it is not JSON at line 1, column 101: found more than 100 objects and lists inside each other"),
		Entry("cut", "{\"a\": {", textedit.ErrSyntax, "it is not JSON at line 1, column 8: found the end of the file, want"),
		Entry("with a second value", "{} secret", textedit.ErrSyntax, "it is not JSON at line 1, column 4: found \"s\", want nothing after the end"),
		Entry("a list", `["secret"]`, textedit.ErrSyntax, "it is not a JSON object"),
		Entry("UTF-16", "\xff\xfe{\x00}\x00", textedit.ErrSyntax, "it is in UTF-16"),
		Entry("Latin-1", "{\"a\": \"\xe4\"}", textedit.ErrSyntax, "it is not in UTF-8"),
		Entry("a list on the way", `{"mcpServers": ["secret"]}`, textedit.ErrNotEditable, `"mcpServers" is not an object`),
	)

	It("names the missing member", func() {
		_, err := textedit.DeleteJSON([]byte(`{"mcpServers":{}}`), path)
		Expect(err).To(MatchError(textedit.ErrNotFound))
		Expect(err).To(MatchError(ContainSubstring("mcpServers.workbench")))
	})

	It("refuses a value that is not JSON", func() {
		_, err := textedit.SetJSON([]byte(`{}`), path, []byte(`{"a":`))
		Expect(err).To(MatchError(textedit.ErrNotEditable))
	})
})

func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }
