package trust_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A file of the working folder that is a link", Label("TT12"), func() {
	const found = "a link that leads to "
	var c cloned
	BeforeEach(func() {
		c = clone()
		c.File(".npmrc", "NAME=users-private-text")
	})
	links := func(target string) {
		Expect(os.RemoveAll(c.Path("work/token.txt"))).To(Succeed())
		Expect(os.Symlink(target, c.Path("work/token.txt"))).To(Succeed())
	}
	configured := func(root, server string) {
		c.File(folderFile, `{`+root+`"toolboxes":{"b":{"mcpServers":{"s":{`+server+`}}}}}`)
	}
	const secret, uses = `"secrets":{"K":{"file":"token.txt"}},`, `"command":"x","env":{"A":"${K}"}`

	DescribeTable("does not lead to a file elsewhere", func(root, server string) {
		links("../.npmrc")
		configured(root, server)

		outcome := c.Run("trust", "--yes")

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(ContainSubstring(found + c.Path(".npmrc")))
		Expect(c.Run("trust", "--list").Stdout).To(Equal("no file is trusted\n"))
	},
		Entry("as a secret", secret, uses),
		Entry("as variables", `"envFile":"token.txt",`, `"command":"x"`),
		Entry("as an included file", `"include":["./token.txt"],`, `"command":"x"`),
		Entry("by another way into the folder", `"secrets":{"K":{"file":"/proc/self/cwd/token.txt"}},`, uses),
		Entry("as the key of a client certificate", ``, `"url":"https://host.example/mcp","tls":{"cert":"cert.pem","key":"token.txt"}`),
		Entry("as an assertion", ``, `"url":"https://host.example/mcp","oauth":{"grant":"jwt-bearer","clientId":"c","issuer":"https://evil.example","assertionFile":"token.txt"}`),
	)

	It("does not lead there by another spelling of the folder, where systems have several", func() {
		if _, err := os.Stat(c.Path("WORK")); err != nil {
			Skip("names of files differ by case on this system")
		}
		links("../.npmrc")
		configured(`"secrets":{"K":{"file":"../WORK/token.txt"}},`, uses)

		outcome := c.Run("trust", "--yes")

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(ContainSubstring(found))
	})

	It("does not lead there when it is made after the configuration was trusted", func() {
		c.File("work/token.txt", "of-the-repository")
		configured(secret, uses)
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		links("../.npmrc")

		outcome := c.Run("list", "b")
		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(ContainSubstring(found))
	})

	It("may lead to another file of the folder, and a file elsewhere may be named", func() {
		c.File("work/kept/token.txt", "of-the-repository")
		links("kept/token.txt")
		configured(secret, uses)
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))

		configured(`"secrets":{"K":{"file":`+Quote(c.Path(".npmrc"))+`}},`, uses)
		Expect(c.Run("trust", "--yes").Stdout).To(ContainSubstring("secret K: reads " + c.Path(".npmrc")))
	})
})
