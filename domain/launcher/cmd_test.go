package launcher_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/launcher"
)

var _ = Describe("Arguments that cmd.exe would run", func() {
	DescribeTable("are found", func(number int, character string, command string, args ...string) {
		at, found := launcher.InterpretedByCmd(command, args)
		Expect(at).To(Equal(number))
		Expect(found).To(Equal(character))
	},
		Entry("with another command", 4, "'&'", "cmd", "/c", "npx", "x", "a&calc"),
		Entry("in another form of the program", 5, "'>'", `C:\Windows\System32\CMD.EXE`, "/d", "/C", "npx", "x", "a>b"),
		Entry("with a letter that is left out", 3, "'^'", "cmd", "/c", "npx", "a^b"),
		Entry("in quotes of their own", 3, "'|'", "cmd", "/c", "npx", `{"a": "b|c"}`),
		Entry("with a line break", 3, "a line break", "cmd", "/c", "npx", "a b\ncalc"),
		Entry("but not with blanks, which are passed in quotes", 0, "", "cmd", "/c", "npx", "a & b"),
		Entry("but not as a command line of the user", 0, "", "cmd", "/c", "cd x && npx y"),
		Entry("but not as words between commands", 0, "", "cmd", "/c", "cd", "x", "&&", "npx", "y", "2>&1"),
		Entry("but not for other programs", 0, "", "npx", "/c", "a&b", "c"),
	)
})
