package html_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/ui/html"
)

var _ = Describe("A writer of HTML", func() {
	It("writes elements, attributes and texts", func() {
		var w html.Writer

		w.Start("p", "class", "a").Text("one ").Element("b", "two").Void("br").End()

		Expect(w.String()).To(Equal(`<p class="a">one <b>two</b><br></p>`))
		Expect(w.Len()).To(Equal(len(w.String())))
	})

	It("leaves out attributes whose condition is false", func() {
		var w html.Writer

		w.Element("a", "", html.When(false, "hidden"), "", html.When(true, "lang"), "en")

		Expect(w.String()).To(Equal(`<a lang="en"></a>`))
	})

	DescribeTable("escapes whatever could be markup", func(text string) {
		var inText, inValue html.Writer

		inText.Element("p", text)
		inValue.Element("p", "", "title", text)

		content := strings.TrimSuffix(strings.TrimPrefix(inText.String(), "<p>"), "</p>")
		value := strings.TrimSuffix(strings.TrimPrefix(inValue.String(), `<p title="`), `"></p>`)
		for _, written := range []string{content, value} {
			Expect(strings.ContainsAny(written, "<>\"'\x00\x1b\u202e")).To(BeFalse(), written)
		}
	},
		Entry("an element", `<script>alert(1)</script>`),
		Entry("the end of a value", `" onload="alert(1)`),
		Entry("the end of a value in single quotes", `' onload='alert(1)`),
		Entry("the end of a comment", `--><img src=x>`),
		Entry("a NUL", "a\x00b"),
		Entry("an escape of a terminal", "\x1b]0;x\a"),
		Entry("text from right to left", "\u202egpj.exe"),
		Entry("bytes that are not UTF-8", "\xff\xfe<"),
	)

	It("does not change text without markup", func() {
		var w html.Writer

		w.Text("größer, 日本語, 👩‍🔬 &amp;")

		Expect(w.String()).To(Equal("größer, 日本語, 👩‍🔬 &amp;amp;"))
	})

	DescribeTable("allows only links to the same origin", func(link, written string) {
		var w html.Writer

		w.Void("a", "href", link)

		Expect(w.String()).To(Equal(`<a href="` + written + `">`))
	},
		Entry("a path", "/ui/calls?a=1&b=2", "/ui/calls?a=1&amp;b=2"),
		Entry("a query", "?page=2", "?page=2"),
		Entry("a place on the page", "#main", "#main"),
		Entry("a script", "javascript:alert(1)", "#"),
		Entry("another host", "//evil.example/", "#"),
		Entry("another host, as browsers read it", `/\evil.example/`, "#"),
		Entry("another host behind a tab, which browsers drop", "/\t/evil.example/", "#"),
		Entry("an address", "https://evil.example/", "#"),
		Entry("nothing", "", "#"),
	)
})
