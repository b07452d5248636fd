package rawjson_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/rawjson"
)

var _ = Describe("A text that is not JSON", func() {
	DescribeTable("is named with its place, and shows one character", func(text string, line, column int, found, wanted string) {
		_, problem := rawjson.ParseCommented([]byte(text))
		Expect(problem).NotTo(BeNil())

		atLine, atColumn := rawjson.Position([]byte(text), problem.Offset)
		Expect([]int{atLine, atColumn}).To(Equal([]int{line, column}))
		Expect([]string{problem.Found, problem.Wanted}).To(Equal([]string{found, wanted}))
	},
		Entry("lists in lists", strings.Repeat("[", 1<<20), 1, 101, "more than 100 objects and lists inside each other", "fewer objects and lists inside each other"),
		Entry("a word", "{\n\"ä\": secret}\n", 2, 6, "a word or number that JSON does not have", "a string in double quotes, a number, true, false or null"),
		Entry("a missing comma", "{\"a\": 1\n\"b\": 2}\n", 2, 1, `"\""`, `"," or "}"`),
		Entry("single quotes", "{'secret': 1}\n", 1, 2, `"'"`, "double quotes"),
		Entry("an end that is missing", "{\"a\": [", 1, 8, "the end of the file", "a key or a value"),
	)

	It("has a last place", func() {
		line, column := rawjson.Position([]byte("a\nb"), 9)

		Expect([]int{line, column}).To(Equal([]int{2, 2}))
	})
})
