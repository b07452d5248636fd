package trust_test

import (
	"os"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The log of a configuration that came with the working folder", Label("TT10"), func() {
	var c cloned
	BeforeEach(func() {
		c = clone()
		c.File(".bashrc", "alias ll='ls -l'\n")
		c.File(OwnConfiguration, "{\"toolboxes\":{}}")
	})

	logsTo := func(path string) {
		c.File(folderFile, `{"logFile":`+Quote(path)+`,`+c.configuration("box")[1:])
	}

	DescribeTable("is never kept outside of that folder", func(path func() string) {
		logsTo(path())

		Expect(c.Run("trust", "--yes")).To(And(HaveField("Code", 3), HaveField("Stderr", ContainSubstring("logFile: found a path outside of the folder of this file"))))
		Expect(c.Run("trust", "--list").Stdout).To(Equal("no file is trusted\n"))
	},
		Entry("as a file of the user", func() string { return c.Path(".bashrc") }),
		Entry("as a new file", func() string { return c.Path("new.log") }),
		Entry("by a way that leads out", func() string { return c.Path("work") + "/../new.log" }),
		Entry("behind a link", func() string {
			Expect(os.Symlink("..", c.Path("work/logs"))).To(Succeed())
			return c.Path("work/logs/new.log")
		}),
	)

	It("is not kept behind a link that was made after the file was trusted", func() {
		Expect(os.Mkdir(c.Path("work/logs"), 0o700)).To(Succeed())
		logsTo(c.Path("work/logs/new.log"))
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		Expect(os.Remove(c.Path("work/logs"))).To(Succeed())
		Expect(os.Symlink("..", c.Path("work/logs"))).To(Succeed())

		w := c.serve()
		Expect(w.End()).To(Equal(0))

		Expect(w.Stderr()).To(ContainSubstring("logFile: found a path outside of the folder of this file"))
		Expect(c.Path("new.log")).NotTo(BeAnExistingFile())
	})

	It("is kept in that folder", func() {
		Expect(os.Mkdir(c.Path("work/logs"), 0o700)).To(Succeed())
		logsTo(c.Path("work/logs/workbench.log"))
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		for range 2 {
			Expect(c.serve().End()).To(Equal(0))
		}

		Expect(strings.Count(c.Content("work/logs/workbench.log"), " starts\n")).To(Equal(2))
	})

	It("is no file with something else in it, whoever names it", func() {
		c.File("work/notes.txt", "mine\n")
		logsTo(c.Path("work/notes.txt"))
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		for _, args := range [][]string{nil, {"--log-file", c.Path(".bashrc")}} {
			w := c.serve(args...)
			Expect(w.End()).To(Equal(0))
			Expect(w.Stderr()).To(ContainSubstring("it is a file with something other than this program's log"))
		}
		Expect(c.Content("work/notes.txt")).To(Equal("mine\n"))
		Expect(c.Content(".bashrc")).To(Equal("alias ll='ls -l'\n"))
	})
})
