package extensions_test

import (
	"encoding/json"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
	"mcp-workbench/domain/extensions"
)

var docs = domain.ServerID{Toolbox: "dev", Server: "a b/docs"}

var _ = Describe("The address of a file of a skill", func() {
	DescribeTable("is of one server, and leads back to the server's own", func(own, want string) {
		address, ok := extensions.SkillAddress(docs, own)
		Expect(ok).To(BeTrue())
		Expect(address).To(Equal(want))

		server, back, ok := extensions.ReadSkillAddress(address)
		Expect(ok).To(BeTrue())
		Expect(server).To(Equal(docs))
		Expect(back).To(Equal(own))
	},
		Entry("a skill", "skill://git-workflow/SKILL.md", "skill://dev/a%20b%2Fdocs/git-workflow/SKILL.md"),
		Entry("a nested one", "skill://acme/billing/refunds/examples/e.md", "skill://dev/a%20b%2Fdocs/acme/billing/refunds/examples/e.md"),
		Entry("a directory", "skill://git-workflow", "skill://dev/a%20b%2Fdocs/git-workflow"),
		Entry("another scheme", "github://owner/repo/refunds/SKILL.md", "skill://dev/a%20b%2Fdocs/github:/owner/repo/refunds/SKILL.md"),
		Entry("a path that looks like another scheme", "skill://github:/owner/SKILL.md", "skill://dev/a%20b%2Fdocs/skill:/github:/owner/SKILL.md"),
	)

	DescribeTable("does not exist for what hosts may resolve to another file", func(own string) {
		_, ok := extensions.SkillAddress(docs, own)
		Expect(ok).To(BeFalse())
	},
		Entry("nothing", ""), Entry("a path", "/etc/passwd"), Entry("no scheme", "://a/b"), Entry("no rest", "skill://"),
		Entry("a climb", "skill://a/../../other/SKILL.md"), Entry("an escaped climb", "skill://a/%2e%2E/SKILL.md"),
		Entry("a segment that stays", "skill://a/./SKILL.md"), Entry("a climb with backslashes", `skill://a/..\..\SKILL.md`),
		Entry("an escaped slash", "skill://a/b%2f..%2fc"), Entry("a broken escape", "skill://a/%zz"),
		Entry("a long one", "skill://"+strings.Repeat("a", 2<<10)),
	)

	DescribeTable("is no other text", func(text string) {
		_, _, ok := extensions.ReadSkillAddress(text)
		Expect(ok).To(BeFalse())
	},
		Entry("another scheme", "github://dev/docs/a"), Entry("no file", "skill://dev/docs"), Entry("a climb", "skill://dev/docs/../other/a"),
		Entry("only a scheme", "skill://dev/docs/github:/"),
	)
})

var _ = Describe("An entry of a skill", func() {
	const entry = `{ "uri":"skill://a/SKILL.md", "frontmatter":{"name":"a","x":1.0},"resources":[{"uri":"skill://a/SKILL.md","digest":"sha256:00","size":7}, {"uri":"skill://a/b.md","digest":"sha256:11","size":8}]}`

	It("keeps its bytes but for the addresses", func() {
		edited, ok := extensions.WithSkillAddresses(json.RawMessage(entry), domain.ServerID{Toolbox: "dev", Server: "docs"})

		Expect(ok).To(BeTrue())
		Expect(string(edited)).To(Equal(strings.ReplaceAll(entry, "skill://a/", "skill://dev/docs/a/")))
	})

	It("may have content without digests", func() {
		edited, ok := extensions.WithSkillAddresses(json.RawMessage(`{"uri":"skill://a/SKILL.md","resources":"dynamic"}`), docs)

		Expect(ok).To(BeTrue())
		Expect(string(edited)).To(HaveSuffix(`"resources":"dynamic"}`))
	})

	DescribeTable("is not shown with a file that cannot be addressed", func(entry string) {
		_, ok := extensions.WithSkillAddresses(json.RawMessage(entry), docs)
		Expect(ok).To(BeFalse())
	},
		Entry("no address", `{"resources":[]}`), Entry("a climb in a file", `{"uri":"skill://a/SKILL.md","resources":[{"uri":"skill://a/../b"}]}`),
		Entry("a file that is none", `{"uri":"skill://a/SKILL.md","resources":[7]}`), Entry("no object", `7`),
	)

	It("leaves out of a directory what cannot be addressed", func() {
		Expect(string(extensions.WithChildren(json.RawMessage(`{"resources":[{"uri":"skill://a/b"},{"uri":"../x"}],"nextCursor":"2"}`), domain.ServerID{Toolbox: "dev", Server: "docs"}))).To(
			Equal(`{"resources":[{"uri":"skill://dev/docs/a/b"}],"nextCursor":"2"}`))
	})
})
