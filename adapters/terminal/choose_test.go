package terminal_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/creack/pty"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
)

var _ = Describe("A list to choose from", func() {
	// choose types keys into a list once it is shown. It returns the chosen options and the text of the screen.
	choose := func(list terminal.List, rows, columns uint16, keys string) (chosen string, screen string, err error) {
		GinkgoHelper()
		controller, tty, ptyErr := pty.Open()
		if ptyErr != nil {
			Skip("no pseudo-terminal here: " + ptyErr.Error())
		}
		Expect(pty.Setsize(controller, &pty.Winsize{Rows: rows, Cols: columns})).To(Succeed())
		_, ptyErr = controller.WriteString("\r") // before the list is shown
		Expect(ptyErr).NotTo(HaveOccurred())
		shown := make(chan string)
		go func() {
			var got strings.Builder
			typed := false
			for buffer := make([]byte, 1024); ; {
				n, readErr := controller.Read(buffer) // Linux ends a pseudo-terminal with EIO
				got.Write(buffer[:n])
				if !typed && strings.Contains(got.String(), "chosen") {
					typed = true
					_, _ = controller.WriteString(keys) // if keys are missing, the spec fails
				}
				if readErr != nil {
					shown <- got.String()
					return
				}
			}
		}()
		options, err := terminal.New(terminal.NewConsole(tty, tty, tty).Out, "never").Choose(list)
		for _, option := range options {
			if option.Chosen {
				chosen += strings.TrimPrefix(option.Group+"/", "/") + option.Label[:3] + " "
			}
		}
		Expect(tty.Close()).To(Succeed())
		screen = <-shown
		Expect(controller.Close()).To(Succeed())
		return strings.TrimSpace(chosen), screen, err
	}
	three := terminal.List{Title: "Which?", Options: []terminal.Option{
		{Label: "one", Chosen: true}, {Label: "two"}, {Label: "three, which is longer than the line", Detail: "from z"},
	}}
	grouped := terminal.List{
		Title: "Which?", Group: "toolbox", Options: []terminal.Option{{Label: "git", Group: "code", Chosen: true}, {Label: "web", Group: "net", Chosen: true}},
		CheckGroup: func(name string) error {
			if name == "x" {
				return errors.New("not x")
			}
			return nil
		},
	}
	many := terminal.List{Title: "Which?"}
	for n := range 40 {
		many.Options = append(many.Options, terminal.Option{Label: fmt.Sprintf("s%02d", n)})
	}
	const up, down, pageUp, pageDown, home, end = "\x1b[A", "\x1b[B", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F"

	DescribeTable("handles keys", func(keys, want string) {
		chosen, _, err := choose(three, 20, 40, keys)
		Expect(err).NotTo(HaveOccurred())
		Expect(chosen).To(Equal(want))
	},
		Entry("Enter", "\r", "one"),
		Entry("space", " \r", ""),
		Entry("arrow down", down+" \r", "one two"),
		Entry("arrow up, which wraps around", up+" \r", "one thr"),
		Entry("arrows in application mode", "\x1bOB \r", "one two"),
		Entry("Ctrl-N and Ctrl-P", "\x0e\x0e\x10 \r", "one two"),
		Entry("End and Home", end+" "+home+" \r", "thr"),
		Entry("Page Down and Page Up", pageDown+" "+pageUp+" \r", "thr"),
		Entry("Ctrl-A, which chooses all", "\x01\r", "one two thr"),
		Entry("Ctrl-A twice, which chooses none", "\x01\x01\r", ""),
		Entry("characters, which filter lines", "tw \r", "one two"),
		Entry("characters of the detail, in any case", "ROMZ\x7f\x08\x15from\r", "one"),
		Entry("Ctrl-A for the lines that match", "t\x01\r", "one two thr"),
		Entry("Escape, which clears the filter", "tw\x1b \r", "one two"),
		Entry("a filter without a match", "xyz \t\x15 \r", ""),
		Entry("keys without a meaning", "\x1b[2~\x1b[1;5A\t \r", ""),
	)

	DescribeTable("changes the group of a line", func(keys, want string) {
		chosen, _, err := choose(grouped, 20, 80, keys)
		Expect(err).NotTo(HaveOccurred())
		Expect(chosen).To(Equal(want))
	},
		Entry("to that of another line", "\t"+down+"\r\r", "net/git net/web"),
		Entry("to a typed one", down+"\tfiles\r\r", "code/git files/web"),
		Entry("to one that contains the typed characters", "\tne\r\r", "net/git net/web"),
		Entry("and clears a filter that would hide the line", "code\tnet\r\r", "net/git net/web"),
		Entry("but not after Escape", "\tfiles\x1b\r", "code/git net/web"),
		Entry("but not to a name that is not allowed", "\tx\r\x15y\r\r", "y/git net/web"),
	)

	DescribeTable("ends without an answer", func(list terminal.List, keys string) {
		_, _, err := choose(list, 20, 80, keys)
		Expect(err).To(MatchError(terminal.ErrInterrupted))
	},
		Entry("by Ctrl-C", three, "\x03"),
		Entry("by Ctrl-C after a filter", three, "on\x03"),
		Entry("by Ctrl-C while a group is chosen", grouped, "\t\x03"),
		Entry("by Ctrl-D", three, "\x04"),
		Entry("by Escape", three, "\x1b"),
	)

	DescribeTable("says how many lines are out of sight", func(rows, columns uint16, keys, want string) {
		_, screen, err := choose(many, rows, columns, keys+"\r")
		Expect(err).NotTo(HaveOccurred())
		Expect(screen).To(ContainSubstring("\r" + want + "\x1b[K"))
		for line := range strings.Lines(screen) {
			Expect(len([]rune(strings.NewReplacer("\x1b[K", "", "\x1b[J", "", "\r", "", "\n", "").Replace(line)))).To(BeNumerically("<", int(columns)+5), line)
		}
	},
		Entry("below", uint16(24), uint16(80), "", "0 of 40 chosen  ↓ 20 more"),
		Entry("below, in few columns", uint16(24), uint16(40), "", "0 of 40 chosen  ↓ 21 more"),
		Entry("above and below", uint16(24), uint16(80), pageDown+pageDown, "0 of 40 chosen  ↑ 1 more  ↓ 19 more"),
		Entry("above", uint16(24), uint16(80), end, "0 of 40 chosen  ↑ 20 more"),
		Entry("among those that match a filter", uint16(24), uint16(80), "s3", "Filter: s3  (10 of 40)"),
	)

	It("fits the screen, and at the end shows what was chosen", func() {
		_, screen, err := choose(three, 5, 20, down+down+" \r")
		Expect(err).NotTo(HaveOccurred())
		Expect(screen).To(ContainSubstring("\rWhich?\x1b[K\r\n"))
		Expect(screen).To(ContainSubstring("> [x] three, which…\x1b[K\r\n"))
		Expect(screen).NotTo(ContainSubstring("which is"))
		_, last, _ := strings.Cut(screen, "> [x] three")
		Expect(last).To(HaveSuffix("\rWhich?\x1b[K\r\n\r  2 of 3: one, thr…\x1b[K\r\n\x1b[J"))
	})
})

var _ = Describe("Printed text", func() {
	// shown returns the text on a terminal with this number of columns.
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

	It("is wrapped between words in a diff, below the text of the line", func() {
		Expect(shown(20, func(t *terminal.Terminal) error {
			return t.Diff("@@ -1 +1 @@\n-  \"x\": [\"npx\", \"a\"],\n+  \"x\": 1\n")
		})).To(Equal(
			"@@ -1 +1 @@\n-  \"x\": [\"npx\",\n     \"a\"],\n+  \"x\": 1\n"))
	})

	DescribeTable("is wrapped between words", func(columns int, text, want string) {
		Expect(shown(uint16(columns), func(t *terminal.Terminal) error { return t.Print("%s", text) })).To(Equal(want + "\n"))
	},
		Entry("when it does not fit", 20, "note: Cursor also has these servers itself", "note: Cursor also\n  has these servers\n  itself"),
		Entry("but not when it fits exactly", 10, "exactly 10", "exactly 10"),
		Entry("without breaking a path", 10, "see /a/very/long/path it is", "see\n  /a/very/long/path\n  it is"),
		Entry("line by line, with a deeper indent", 12, "one\n  export A=… and more", "one\n  export A=…\n    and more"),
	)
})
