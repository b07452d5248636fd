package stdio

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain"
)

var _ = Describe("A program of Windows", func() {
	DescribeTable("ends with a code that is explained", func(code int, want string) {
		Expect(exitCode(uint32(code))).To(Equal(want))
	},
		Entry(nil, 1, "exit code 1"),
		Entry(nil, 9009, "exit code 9009 (cmd.exe, or the alias of the Microsoft Store, found no such program)"),
		Entry(nil, 3221225781, "exit code 3221225781 (0xC0000135: a DLL was not found)"),
		Entry(nil, 3221225477, "exit code 3221225477 (0xC0000005: access violation)"),
		Entry(nil, 4294963238, "exit code 4294963238 (-4058)"),
	)

	It("is not started where Windows cannot, nor with arguments that are commands", func() {
		Expect(checkForWindows(domain.Program{Command: "x", Cwd: strings.Repeat("a", 258)})).To(Succeed())
		Expect(checkForWindows(domain.Program{Command: "x", Cwd: strings.Repeat("a", 259)})).To(MatchError(ContainSubstring("has 259 characters")))
		Expect(checkForWindows(domain.Program{Command: "cmd", Args: []string{"/c", "x", "a&b"}})).To(
			MatchError(`its argument 3 contains '&', which cmd.exe would interpret: leave out "cmd" and "/c"`))
		Expect(isOnShare(`\\server\share`)).To(BeTrue())
		Expect(isOnShare(`C:\\x`)).To(BeFalse())
	})
})
