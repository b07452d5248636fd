package jsonsyntax_test

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/tailscale/hujson"

	"mcp-workbench/domain/jsonsyntax"
	"mcp-workbench/tests/spec"
)

func TestJSONSyntax(t *testing.T) { spec.Run(t, "Texts that are not JSON") }

var _ = Describe("A text that is not JSON", func() {
	DescribeTable("is named with its place, and shows one character", func(text string, line, column int, found, wanted string) {
		_, err := hujson.Parse([]byte(text))
		Expect(err).To(HaveOccurred())

		problem := jsonsyntax.Explain(err, []byte(text))

		atLine, atColumn := jsonsyntax.Position([]byte(text), problem.Offset)
		Expect([]int{atLine, atColumn}).To(Equal([]int{line, column}))
		Expect([]string{problem.Found, problem.Wanted}).To(Equal([]string{found, wanted}))
	},
		Entry("a word", "{\n\"ä\": secret}\n", 2, 6, "a word or number that JSON does not have", "a string in double quotes, a number, true, false or null"),
		Entry("a missing comma", "{\"a\": 1\n\"b\": 2}\n", 2, 1, `"\""`, `"," or "}"`),
		Entry("single quotes", "{'secret': 1}\n", 1, 2, `"'"`, "double quotes"),
		Entry("an end that is missing", "{\"a\": [", 1, 8, "the end of the file", "a key or a value"),
	)

	It("has a last place", func() {
		line, column := jsonsyntax.Position([]byte("a\nb"), 9)

		Expect([]int{line, column}).To(Equal([]int{2, 2}))
	})
})
