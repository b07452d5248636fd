package terminal_test

import (
	"strings"

	"github.com/creack/pty"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
)

var _ = Describe("A list to choose from", func() {
	// choose types keys into a list of three lines, the first of which is chosen, and
	// returns what the screen got, too.
	choose := func(rows uint16, keys string) (chosen string, screen string, err error) {
		GinkgoHelper()
		controller, tty, ptyErr := pty.Open()
		if ptyErr != nil {
			Skip("no pseudo-terminal here: " + ptyErr.Error())
		}
		Expect(pty.Setsize(controller, &pty.Winsize{Rows: rows, Cols: 20})).To(Succeed())
		shown := make(chan string)
		go func() {
			var got strings.Builder
			typed := false
			for buffer := make([]byte, 1024); ; {
				n, readErr := controller.Read(buffer) // Linux ends a pseudo-terminal with EIO
				got.Write(buffer[:n])
				if !typed && strings.Count(got.String(), "[") >= min(3, int(rows)-2) {
					typed = true
					_, _ = controller.WriteString(keys) // what is missing fails the spec
				}
				if readErr != nil {
					shown <- got.String()
					return
				}
			}
		}()
		options, err := terminal.New(tty, tty, "never").Choose("Which?", []terminal.Option{
			{Label: "one", Chosen: true}, {Label: "two"}, {Label: "three, which is longer than the line"},
		})
		for _, option := range options {
			if option.Chosen {
				chosen += option.Label[:3] + " "
			}
		}
		Expect(tty.Close()).To(Succeed())
		screen = <-shown
		Expect(controller.Close()).To(Succeed())
		return strings.TrimSpace(chosen), screen, err
	}

	DescribeTable("obeys keys", func(keys, want string) {
		chosen, _, err := choose(20, keys)
		Expect(err).NotTo(HaveOccurred())
		Expect(chosen).To(Equal(want))
	},
		Entry("Enter", "\r", "one"),
		Entry("space", " \r", ""),
		Entry("arrow down", "\x1b[B \r", "one two"),
		Entry("arrow up, round the end", "\x1b[A \r", "one thr"),
		Entry("arrows in application mode", "\x1bOB \r", "one two"),
		Entry("j and k", "jjk \r", "one two"),
		Entry("keys that mean nothing", "x\x1b[5~ \r", ""),
	)

	DescribeTable("is left without an answer", func(keys string) {
		_, _, err := choose(20, keys)
		Expect(err).To(MatchError(terminal.ErrAborted))
	},
		Entry("by q", "q"),
		Entry("by Ctrl-C", "\x03"),
		Entry("by Escape", "\x1b"),
	)

	It("fits the screen", func() {
		_, screen, err := choose(4, "jj\r")
		Expect(err).NotTo(HaveOccurred())
		Expect(screen).To(ContainSubstring("> [ ] three, which \r\n"))
		Expect(screen).NotTo(ContainSubstring("which is"))
		_, last, _ := strings.Cut(screen, "> [ ] three")
		Expect(last).NotTo(ContainSubstring("one"))
	})
})

var _ = Describe("What is printed", func() {
	It("cannot control the terminal", func() {
		Expect(terminal.Plain("a\x1b[31mb\u202ec\u0007\td\n")).To(Equal("a[31mbc\td\n"))
	})
})
