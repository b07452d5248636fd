package terminal_test

import (
	"os"
	"strings"

	"github.com/creack/pty"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
)

var _ = Describe("Colour", func() {
	const red, plain = "\x1b[31mx\x1b[0m", "x"

	DescribeTable("is used if it is wanted and a terminal can show it", func(isTerminal bool, mode, name, value, want string) {
		file, err := os.Create(GinkgoT().TempDir() + "/file")
		Expect(err).NotTo(HaveOccurred())
		defer func() { Expect(file.Close()).To(Succeed()) }()
		out := file
		if isTerminal {
			controller, tty, err := pty.Open()
			if err != nil {
				Skip("no pseudo-terminal here: " + err.Error())
			}
			defer func() { Expect(controller.Close()).To(Succeed()) }()
			defer func() { Expect(tty.Close()).To(Succeed()) }()
			out = tty
		}
		GinkgoT().Setenv("NO_COLOR", "")
		GinkgoT().Setenv("TERM", "xterm")
		GinkgoT().Setenv(name, value)

		var shown strings.Builder
		output := terminal.NewConsole(out, out, out).Out
		written := terminal.NewOutput(&shown, 80)
		written.Print(terminal.NewPaint(output, mode)(terminal.Red, "x"))

		Expect(shown.String()).To(Equal(want + "\n"))
	},
		Entry("in a terminal", true, "auto", "TERM", "xterm", red),
		Entry("not in a file", false, "auto", "TERM", "xterm", plain),
		Entry("not with NO_COLOR", true, "auto", "NO_COLOR", "1", plain),
		Entry("not in a terminal without colours", true, "auto", "TERM", "dumb", plain),
		Entry("in a file if it is wanted always", false, "always", "NO_COLOR", "1", red),
		Entry("never", true, "never", "TERM", "xterm", plain),
	)
})
