package shell

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
)

var _ = Describe("The result of a tool", func() {
	// printed returns the printed part of a result, and the notes about the rest.
	printed := func(raw, directory string) (out, notes string, err error) {
		GinkgoHelper()
		result := ReadResult([]byte(raw))
		var text strings.Builder
		printer := Printer{Out: &text, Directory: directory, Tool: "a/b", Note: func(line string) { notes += line }}
		err = printer.Print(result)
		return text.String(), notes, err
	}

	DescribeTable("is printed",
		func(raw, expected string) {
			out, notes, err := printed(raw, "")

			Expect(err).NotTo(HaveOccurred())
			Expect(out).To(Equal(expected))
			Expect(notes).To(BeEmpty())
		},
		Entry("as texts, each ending its line", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b\n"}]}`, "a\nb\n"),
		Entry("as the text of a resource", `{"content":[{"type":"resource","resource":{"text":"r"}}]}`, "r\n"),
		Entry("as a link", `{"content":[{"type":"resource_link","name":"n","uri":"u:1"}]}`, "n u:1\n"),
		Entry("as structured content when there is nothing else", `{"structuredContent":{"a":  1}}`, "{\"a\":  1}\n"),
		Entry("without structured content beside texts", `{"content":[{"type":"text","text":"a"}],"structuredContent":{}}`, "a\n"),
	)

	DescribeTable("is noted where it is not printed",
		func(raw, note string) {
			out, notes, err := printed(raw, "")

			Expect(err).NotTo(HaveOccurred())
			Expect(out).To(BeEmpty())
			Expect(notes).To(ContainSubstring(note))
		},
		Entry("an image", `{"content":[{"type":"image","mimeType":"image/png","data":"AAEC"}]}`, "image/png of 3 bytes"),
		Entry("a kind that is not known", `{"content":[{"type":"smell"}]}`, `"smell"`),
	)

	DescribeTable("is printed with a line for people where a server sends something else",
		func(raw, expected, note string) {
			out, notes, err := printed(raw, "")

			Expect(err).NotTo(HaveOccurred())
			Expect(out).To(Equal(expected))
			Expect(notes).To(Equal(note))
		},
		Entry("a text", `"done"`, "done\n", "the server's result is a text instead of an object"),
		Entry("a list", `[1, 2]`, "[1, 2]\n", "the server's result is a list instead of an object"),
		Entry("a number", `42`, "42\n", "the server's result is a number instead of an object"),
		Entry("a flag", `true`, "true\n", "the server's result is true or false instead of an object"),
		Entry("nothing", `null`, "null\n", "the server's result is null instead of an object"),
		Entry("a text as content", `{"content":"done"}`, "done\n", `"content" of the server's result is a text instead of a list`),
		Entry("one part as content", `{"content":{"type":"text","text":"a"}}`, "a\n", `"content" of the server's result is an object instead of a list`),
		Entry("data as content", `{"content":{"rows":[1]}}`, "{\"rows\":[1]}\n", `"content" of the server's result is an object instead of a list`),
		Entry("a result of before", `{"toolResult":{"a":1}}`, "{\"a\":1}\n",
			`the server's result has "toolResult", which the protocol had before 2024-11-05, in place of "content"`),
		Entry("parts in a result of before", `{"content":null,"toolResult":[{"type":"text","text":"a"}]}`, "a\n",
			`the server's result has "toolResult", which the protocol had before 2024-11-05, in place of "content"`),
		Entry("no content", `{"rows":[]}`, "", `the server's result has no "content"; --json prints it`),
		Entry("values as parts", `{"content":["a",1,{"type":"text","text":7}]}`, "a\n1\n7\n", ""),
	)

	It("is a failure as a text, too", func() {
		Expect(ReadResult([]byte(`{"isError":"true","content":"no"}`)).IsError).To(BeTrue())
		Expect(ReadResult([]byte(`{"isError":"false","content":"no"}`)).IsError).To(BeFalse())
	})

	It("is saved in files that no other file has the name of", func() {
		directory := filepath.Join(GinkgoT().TempDir(), "new")
		raw := `{"content":[{"type":"image","mimeType":"image/jpeg","data":"AAEC"},` +
			`{"type":"resource","resource":{"mimeType":"text/csv; charset=utf-8","blob":"YQ=="}},{"type":"audio","mimeType":"audio/strange","data":""}]}`

		for range 2 {
			_, _, err := printed(raw, directory)
			Expect(err).NotTo(HaveOccurred())
		}

		entries := spec.Must(os.ReadDir(directory))
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		Expect(names).To(Equal([]string{"a_b-1.bin", "a_b-1.csv", "a_b-1.jpg", "a_b-2.bin", "a_b-2.csv", "a_b-2.jpg"}))
		Expect(os.ReadFile(filepath.Join(directory, "a_b-1.jpg"))).To(Equal([]byte{0, 1, 2}))
	})

	It("is a failure where it cannot be read", func() {
		_, _, err := printed(`{"content":[{"type":"image","mimeType":"image/png","data":"%"}]}`, "")
		Expect(err).To(MatchError(ContainSubstring("image/png")))
	})
})
