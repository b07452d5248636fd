package extensions_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
)

var _ = Describe("A definition of a tool", Label("TG08"), func() {
	both := extensions.Interface{ForModel: true, ForApp: true}
	withPage := func(page string) extensions.Interface {
		return extensions.Interface{Page: page, ForModel: true, ForApp: true}
	}

	DescribeTable("says what its page is and who can call the tool", func(definition string, want extensions.Interface) {
		Expect(extensions.ReadInterface(json.RawMessage(definition))).To(Equal(want))
	},
		Entry("nothing", `{"name":"a"}`, both),
		Entry("a page", `{"_meta":{"ui":{"resourceUri":"ui://a/b"}}}`, withPage("ui://a/b")),
		Entry("a page as in old drafts", `{"_meta":{"ui/resourceUri":"ui://a"}}`, withPage("ui://a")),
		Entry("both, of which the newer counts", `{"_meta":{"ui/resourceUri":"ui://a","ui":{"resourceUri":"ui://b"}}}`, withPage("ui://b")),
		Entry("a page with escapes", `{"_meta":{"ui":{"resourceUri":"ui:\/\/a"}}}`, withPage("ui://a")),
		Entry("an address of another kind", `{"_meta":{"ui":{"resourceUri":"file:///etc/passwd"}}}`, both),
		Entry("an address without a rest", `{"_meta":{"ui":{"resourceUri":"ui://"}}}`, both),
		Entry("an address that leads to another server", `{"_meta":{"ui":{"resourceUri":"ui://../good/pay.html"}}}`, both),
		Entry("an address that climbs by escapes", `{"_meta":{"ui":{"resourceUri":"ui://a/%2e%2E/%2e./good/pay.html"}}}`, both),
		Entry("an address that climbs without its tab", `{"_meta":{"ui":{"resourceUri":"ui://.\t./good/pay.html"}}}`, both),
		Entry("an address that climbs in its query", `{"_meta":{"ui":{"resourceUri":"ui://a?b=/../c#/../d"}}}`, withPage("ui://a?b=/../c#/../d")),
		Entry("a long address", `{"_meta":{"ui":{"resourceUri":"ui://`+strings.Repeat("a", 2<<10)+`"}}}`, both),
		Entry("an address that is no text", `{"_meta":{"ui":{"resourceUri":["ui://a"]}}}`, both),
		Entry("meta that is no object", `{"_meta":["ui"]}`, both),
		Entry("only for pages", `{"_meta":{"ui":{"visibility":["app"]}}}`, extensions.Interface{ForApp: true}),
		Entry("only for models", `{"_meta":{"ui":{"visibility":["model"]}}}`, extensions.Interface{ForModel: true}),
		Entry("for nobody", `{"_meta":{"ui":{"visibility":[]}}}`, extensions.Interface{}),
		Entry("visibility that is no list", `{"_meta":{"ui":{"visibility":"app"}}}`, both),
	)

	It("keeps its bytes but for the address of its page", func() {
		definition := `{ "name":"a", "_meta":{"x":1.0,"ui/resourceUri":"ui://a", "ui":{"resourceUri":"ui:\/\/b", "y":[ ]}}}`

		Expect(string(extensions.WithPage(json.RawMessage(definition), "ui://c"))).To(Equal(
			`{ "name":"a", "_meta":{"x":1.0,"ui/resourceUri":"ui://c", "ui":{"resourceUri":"ui://c", "y":[ ]}}}`))
	})

	It("keeps its bytes but for who can call it", func() {
		Expect(string(extensions.OnlyForPages(json.RawMessage(`{"_meta":{"ui":{"visibility":["model","app"],"x":1.0,"resourceUri":"ui://a"},"ui/resourceUri":"ui://a"}}`)))).To(Equal(
			`{"_meta":{"ui":{"visibility":["app"],"x":1.0}}}`))
		Expect(extensions.ReadInterface(extensions.OnlyForModels(json.RawMessage(`{"name":"a","_meta":7}`)))).To(Equal(extensions.Interface{ForModel: true}))
	})
})

var _ = DescribeTable("Capabilities of a host declare that it renders pages", func(capabilities string, want bool) {
	Expect(extensions.RendersPages(json.RawMessage(capabilities))).To(Equal(want))
},
	Entry("by the type of pages", `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["a/b","text/html;profile=mcp-app"],"x":{}}}}`, true),
	Entry("not by other types", `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`, false),
	Entry("not without types", `{"extensions":{"io.modelcontextprotocol/ui":{}}}`, false),
	Entry("not by another kind", `{"extensions":["io.modelcontextprotocol/ui"]}`, false),
	Entry("not by nothing", ``, false),
)

var _ = Describe("The result that reads a page", func() {
	It("has the address that was asked for, and all else in its bytes", func() {
		result := `{ "contents":[{"uri":"ui:\/\/a","text":"1"}, {"uri":"ui://b"},7],"x":1.0}`

		Expect(string(extensions.WithPageAddresses(json.RawMessage(result), "ui://a", "ui://dev/s/a"))).To(Equal(
			`{ "contents":[{"uri":"ui://dev/s/a","text":"1"}, {"uri":"ui://b"},7],"x":1.0}`))
	})
})

var _ = Describe("The address of a page", func() {
	It("is of one server only", func() {
		id := domain.ServerID{Toolbox: "a b/c", Server: "d%é"}
		address := extensions.PageAddress(id, "ui://page?x=1/2#z")

		Expect(address).To(Equal("ui://a%20b%2Fc/d%25%C3%A9/page?x=1/2#z"))
		server, own, ok := extensions.ReadPageAddress(address)
		Expect(server).To(Equal(id))
		Expect(own).To(Equal("ui://page?x=1/2#z"))
		Expect(ok).To(BeTrue())
	})

	DescribeTable("is no other text", func(text string) {
		_, _, ok := extensions.ReadPageAddress(text)
		Expect(ok).To(BeFalse())
	},
		Entry("another scheme", "http://a/b/c"), Entry("two parts", "ui://a/b"), Entry("no page", "ui://a/b/"), Entry("broken escapes", "ui://%zz/b/c"),
	)
})
