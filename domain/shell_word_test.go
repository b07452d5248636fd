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
	Entry("is left as it is when it is a path of Windows", `C:\Users\me\PROGRA~1\a.json`, `C:\Users\me\PROGRA~1\a.json`),
	Entry("is quoted for spaces in a path of Windows", `C:\Program Files (x86)\a.json`, `"C:\Program Files (x86)\a.json"`),
	Entry("is quoted as in a POSIX shell for what those of Windows expand", `C:\%PATH%\$(id)`, `'C:\%PATH%\$(id)'`),
	Entry("may be empty", "", "''"),
)

var _ = DescribeTable("A command in a message", func(command, quoted string) {
	Expect(domain.QuotedCommand(command)).To(Equal(quoted))
},
	Entry("is in single quotes", "chmod 600 /a.json", "'chmod 600 /a.json'"),
	Entry("is in backquotes if a word has single quotes", "chmod 600 '/my files'", "`chmod 600 '/my files'`"),
)
