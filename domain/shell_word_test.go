package domain_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = DescribeTable("A word for a shell", func(text, word string) {
	Expect(domain.ShellWord(text)).To(Equal(word))
},
	Entry("is left as it is when a shell would", "/srv/größe/a-b_c.json", "/srv/größe/a-b_c.json"),
	Entry("is quoted for spaces", "/my files", "'/my files'"),
	Entry("is quoted for what runs commands", "/a`id`$(id);b", "'/a`id`$(id);b'"),
	Entry("is quoted for what means other files", "~/[a]{b}", "'~/[a]{b}'"),
	Entry("keeps quotation marks", "it's", `'it'\''s'`),
	Entry("may be empty", "", "''"),
)
