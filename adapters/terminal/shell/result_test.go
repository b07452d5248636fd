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
		result := spec.Must(ReadResult([]byte(raw)))
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
		_, err := ReadResult([]byte(`[]`))
		Expect(err).To(HaveOccurred())
		_, _, err = printed(`{"content":[{"type":"image","mimeType":"image/png","data":"%"}]}`, "")
		Expect(err).To(MatchError(ContainSubstring("image/png")))
	})
})
