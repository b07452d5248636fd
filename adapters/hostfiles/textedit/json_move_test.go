package textedit_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/hostfiles/textedit"
)

var _ = Describe("Moving a member of JSON", func() {
	from, to := []string{"a", "s"}, []string{"b", "t"}

	DescribeTable("keeps its value with the comments, in the layout of the new place", func(before, after string) {
		edited, err := textedit.MoveJSON([]byte(before), from, to)

		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(after))
	},
		Entry("into an object of lines",
			lines(`{`, `  "a": {`, `    "s": { // mine`, `      "x": [`, `        1, // one`, `      ],`, `    }, // daily`, `    "r": 1`, `  },`, `  "b": {`, `    "q": 1`, `  }`, `}`),
			lines(`{`, `  "a": {`, `    // daily`, `    "r": 1`, `  },`, `  "b": {`, `    "q": 1,`, `    "t": { // mine`, `      "x": [`, `        1, // one`, `      ],`, `    }`, `  }`, `}`)),
		Entry("into an object that does not exist",
			lines(`{`, `  "a": {`, `    "s": {"x": 1},`, `    "r": 1`, `  }`, `}`),
			lines(`{`, `  "a": {`, `    "r": 1`, `  },`, `  "b": {`, `    "t": {"x": 1}`, `  }`, `}`)),
		Entry("on one line", `{"a": {"s": {"x":1}, "r": 2}, "b": {}}`, `{"a": { "r": 2}, "b": {"t":{"x":1}}}`),
		Entry("with Windows line ends and another depth",
			"{\r\n\t\"a\": { \"s\": {\r\n\t\t\"x\": 1\r\n\t} },\r\n\t\"b\": {\r\n\t\t\"q\": 1\r\n\t}\r\n}\r\n",
			"{\r\n\t\"a\": {},\r\n\t\"b\": {\r\n\t\t\"q\": 1,\r\n\t\t\"t\": {\r\n\t\t\t\"x\": 1\r\n\t\t}\r\n\t}\r\n}\r\n"),
	)

	It("renames it in its place when only the name differs, and back", func() {
		before := "\ufeff" + lines(`{`, `  "a": { // here`, `    "s" /* odd */: 1, // one`, `    "t2": 2`, `  }`, `}`)
		edited, err := textedit.MoveJSON([]byte(before), from, []string{"a", "new"})
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(strings.Replace(before, `"s"`, `"new"`, 1)))
		back, err := textedit.MoveJSON(edited, []string{"a", "new"}, from)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(back)).To(Equal(before))
	})

	DescribeTable("fails, and loses nothing,", func(text string, failure error) {
		_, err := textedit.MoveJSON([]byte(text), from, to)
		Expect(err).To(MatchError(failure))
	},
		Entry(nil, `{"a": {}, "b": {}}`, textedit.ErrNotFound),
		Entry(nil, `{"b": {}}`, textedit.ErrNotFound),
		Entry(nil, `{"a": {"s": 1}, "b": 2}`, textedit.ErrNotEditable),
		Entry(nil, `{`, textedit.ErrSyntax),
	)
})

var _ = Describe("Replacing strings of JSON", func() {
	upper := func(text string) string { return strings.ToUpper(text) }

	DescribeTable("replaces those at the path and in a list there, and nothing else", func(before, after string) {
		edited, err := textedit.MapJSON([]byte(before), []string{"a", "b"}, upper)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(edited)).To(Equal(after))
	},
		Entry(nil, `{"a": {"b": "x", "c": "y"}} // z`, `{"a": {"b": "X", "c": "y"}} // z`),
		Entry(nil, `{"a": {"b": ["x", 1, /* q */ "U", {"y": "z"}, "y",]}}`, `{"a": {"b": ["X", 1, /* q */ "U", {"y": "z"}, "Y",]}}`),
		Entry(nil, `{"a": {"b": 1}}`, `{"a": {"b": 1}}`),
		Entry(nil, `{"a": {}}`, `{"a": {}}`),
		Entry(nil, `{}`, `{}`),
	)

	It("fails where something on the way is not an object", func() {
		_, err := textedit.MapJSON([]byte(`{"a": 1}`), []string{"a", "b"}, upper)
		Expect(err).To(MatchError(textedit.ErrNotEditable))
	})
})
