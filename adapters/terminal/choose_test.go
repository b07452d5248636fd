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
				if !typed && strings.Count(got.String(), "[") >= min(3, int(rows)-3) {
					typed = true
					_, _ = controller.WriteString(keys) // what is missing fails the spec
				}
				if readErr != nil {
					shown <- got.String()
					return
				}
			}
		}()
		options, err := terminal.New(terminal.NewConsole(tty, tty, tty).Out, "never").Choose("Which?", []terminal.Option{
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
		_, screen, err := choose(5, "jj\r")
		Expect(err).NotTo(HaveOccurred())
		Expect(screen).To(HavePrefix("Which? (arrow keys,\r\n  space, Enter)\r\n"))
		Expect(screen).To(ContainSubstring("> [ ] three, which…\r\n"))
		Expect(screen).NotTo(ContainSubstring("which is"))
		_, last, _ := strings.Cut(screen, "> [ ] three")
		Expect(last).NotTo(ContainSubstring("one"))
	})
})

var _ = Describe("What is printed", func() {
	// shown returns what a terminal of these columns gets.
	shown := func(columns uint16, write func(*terminal.Terminal) error) string {
		GinkgoHelper()
		controller, tty, err := pty.Open()
		if err != nil {
			Skip("no pseudo-terminal here: " + err.Error())
		}
		Expect(pty.Setsize(controller, &pty.Winsize{Rows: 20, Cols: columns})).To(Succeed())
		t := terminal.New(terminal.NewConsole(tty, tty, tty).Out, "never")
		Expect(write(t)).To(Succeed())
		Expect(t.Print("END")).To(Succeed())
		got := ""
		for buffer := make([]byte, 4096); !strings.Contains(got, "END"); { // a read may end with any line
			n, err := controller.Read(buffer)
			Expect(err).NotTo(HaveOccurred())
			got += string(buffer[:n])
		}
		Expect(tty.Close()).To(Succeed())
		Expect(controller.Close()).To(Succeed())
		got, _, _ = strings.Cut(got, "END")
		return strings.ReplaceAll(got, "\r\n", "\n")
	}

	It("cannot control the terminal", func() {
		Expect(shown(80, func(t *terminal.Terminal) error { return t.Print("a\x1b[31mb\u202ec\u0007\td") })).To(MatchRegexp(`^a\\u001b\[31mb\\u202ec\\u0007\s+d\n$`))
	})

	DescribeTable("goes on in the next line between words", func(columns int, text, want string) {
		Expect(shown(uint16(columns), func(t *terminal.Terminal) error { return t.Print("%s", text) })).To(Equal(want + "\n"))
	},
		Entry("when it does not fit", 20, "note: Cursor also has these servers itself", "note: Cursor also\n  has these servers\n  itself"),
		Entry("as it is when it fits exactly", 10, "exactly 10", "exactly 10"),
		Entry("with a path as a whole", 10, "see /a/very/long/path it is", "see\n  /a/very/long/path\n  it is"),
		Entry("each line for itself, and deeper below an indent", 12, "one\n  export A=… and more", "one\n  export A=…\n    and more"),
	)
})
