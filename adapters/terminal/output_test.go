package terminal_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/creack/pty"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
	"mcp-workbench/tests/spec"
)

// slowWriter is a writer whose first write ends when it is told to.
type slowWriter struct {
	begun, end chan struct{}
	text       strings.Builder
}

func (w *slowWriter) Write(text []byte) (int, error) {
	if w.text.Len() == 0 {
		close(w.begun)
		<-w.end
	}
	return w.text.Write(text)
}

// full is a writer to a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

var _ = Describe("An output", func() {
	// onTerminal returns an output with this number of columns, and the text that is written to it.
	onTerminal := func(columns int) (*terminal.Output, *strings.Builder) {
		var out strings.Builder
		return terminal.NewOutput(&out, columns), &out
	}

	It("replaces its status lines, and keeps other lines above them", func() {
		screen, out := onTerminal(20)

		screen.Show("one", "two")
		screen.Print("kept")
		screen.Show()

		erased := "\r\x1b[2K\x1b[1A\r\x1b[2K"
		Expect(out.String()).To(Equal("one\ntwo" + erased + "kept\none\ntwo" + erased))
	})

	It("writes above the status lines of the other output", func() {
		var out strings.Builder
		console := terminal.NewConsoleOf(&out, 20)

		console.Err.Show("busy")
		console.Out.Print("result")

		Expect(out.String()).To(Equal("busy\r\x1b[2Kresult\nbusy"))
	})

	It("wraps the messages of standard error between words, and copies them whole", func() {
		var out, copied strings.Builder
		console := terminal.NewConsoleOf(&out, 20)
		console.Err.CopyTo(&copied)
		red := terminal.NewPaint(console.Err, "always")(terminal.Red, "coloured")

		console.Err.Printf("a message that is %s and long\nbegun, ", red)
		console.Err.Print("and more than twenty columns")
		console.Out.Print("a row of a table that is long")
		console.Out.WrapLines()
		console.Out.Print("a finding of doctor, wrapped")

		Expect(strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(out.String())).To(Equal(
			"a message that is\n  coloured and long\nbegun, and more than twenty columns\na row of a table that is long\na finding of doctor,\n  wrapped\n"))
		Expect(copied.String()).To(ContainSubstring("and long\nbegun"))
	})

	It("copies lines to a writer, without colours and status lines, until that fails, and says so once", func() {
		screen, out := onTerminal(80)
		var lines strings.Builder
		screen.CopyTo(&lines)
		screen.Show("busy")
		screen.Print("one \x1b[31mred")
		screen.Show()
		screen.CopyTo(full{})
		screen.Print("two")
		screen.Print("three")

		Expect(lines.String()).To(HaveSuffix("red\n"))
		Expect(lines.String()).NotTo(Or(ContainSubstring("\x1b"), ContainSubstring("busy"), ContainSubstring("two")))
		Expect(strings.Count(out.String(), "no more lines are copied to the log file: disk full\n")).To(Equal(1))
		Expect(out.String()).To(ContainSubstring("three"))
	})

	It("cuts a status line to the terminal, so that it does not wrap", func() {
		screen, out := onTerminal(6)

		screen.Show("abcdefgh")

		Expect(out.String()).To(Equal("abcd…"))
	})

	It("removes as many status lines as it showed, for any number of starting servers", func() {
		screen, out := onTerminal(30)

		screen.Show(strings.Split(strings.Repeat("server ", 100), " ")...)
		screen.Show()

		shown, erased, _ := strings.Cut(out.String(), "\r")
		Expect(shown).To(HaveSuffix("server\n… and 91 more"))
		Expect(strings.Count(erased, "\x1b[1A")).To(Equal(strings.Count(shown, "\n")))
	})

	It("shows no status without a terminal", func() {
		screen, out := onTerminal(0)

		screen.Show("status")
		screen.Print("kept")

		Expect(out.String()).To(Equal("kept\n"))
	})

	It("lets only the workbench control the terminal", func() {
		screen, out := onTerminal(30)
		paint := terminal.NewPaint(screen, "always")

		screen.Show("a\x1b[2Jb\nc")
		screen.Print(paint(terminal.Red, "a\x1b[2J\x1b[0mb"))

		Expect(out.String()).To(Equal(`a\u001b[2Jb c` + "\r\x1b[2K\x1b[31m" + `a\u001b[2J\u001b[0mb` + "\x1b[0m\n" + `a\u001b[2Jb c`))
	})

	It("shows characters that are written in pieces", func() {
		screen, out := onTerminal(30)

		for _, b := range []byte("a漢👩‍👧\xe2!\n") {
			Expect(screen.Write([]byte{b})).Error().NotTo(HaveOccurred())
		}

		Expect(out.String()).To(Equal(`a漢👩\u200d👧\xe2!` + "\n"))
	})

	It("writes bytes for programs unchanged, except to a terminal", func() {
		screen, out := onTerminal(30)
		pipe, piped := onTerminal(0)
		for _, to := range []io.Writer{screen.Data(), pipe.Data()} {
			Expect(io.WriteString(to, "a\u202e\x1b")).Error().NotTo(HaveOccurred())
		}

		Expect(out.String()).To(Equal(`a\u202e\u001b`))
		Expect(piped.String()).To(Equal("a\u202e\x1b"))
	})

	It("holds text while a question is open", func() {
		screen, out := onTerminal(30)
		screen.Show("status")
		out.Reset()

		question := screen.Begin()
		screen.Print("log line")
		Expect(question.Print("Allow\x1b[2J this?")).To(Succeed())
		screen.Show("other")
		Expect(out.String()).To(Equal("\r\x1b[2K" + `Allow\u001b[2J this?` + "\n"))
		question.End()

		Expect(out.String()).To(HaveSuffix("this?\nlog line\nother"))
	})

	It("limits the held text to a readable length, and says so", func() {
		screen, out := onTerminal(30)

		question := screen.Begin()
		for i := range 100_000 {
			screen.Print(fmt.Sprintf("line %d", i))
		}
		question.End()
		question = screen.Begin()
		screen.Print("before")
		screen.Print(strings.Repeat("é", 1<<20))
		question.End()

		text := out.String()
		Expect(text).To(HavePrefix("… 99800 earlier lines are left out\nline 99800\n"))
		Expect(text).To(ContainSubstring("line 99999\n… 1 earlier lines are left out\n…é"))
		Expect(len(text)).To(BeNumerically("<", 80_000))
	})

	It("counts characters that take two columns", func() {
		Expect(terminal.Fit("日本語テキスト", 7)).To(Equal("日本語…"))
		Expect(terminal.Fit("日本語", 6)).To(Equal("日本語"))
	})
})

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

var _ = It("An output that cannot be written says so", func() {
	file := spec.Must(os.Create(filepath.Join(GinkgoT().TempDir(), "out")))
	Expect(file.Close()).To(Succeed())
	out := terminal.NewConsole(os.Stdin, file, file).Out

	Expect(out.Lines("a")).To(MatchError(ContainSubstring("file already closed")))
	Expect(out.JSON(1)).To(MatchError(HavePrefix("write JSON: ")))
})

var _ = Describe("A table", func() {
	table := terminal.Table{Headings: []string{"NAME", "TEXT"}, Rows: [][]string{{"a", "one two three"}, {"long", "x\ty"}}}
	lower := func(_ terminal.Colour, text string) string { return strings.ToLower(text) }
	printed := func(columns int) string {
		var out strings.Builder
		Expect(table.Print(&out, columns, lower)).To(Succeed())
		return out.String()
	}

	It("is aligned and cut on a terminal, and plain elsewhere", func() {
		Expect(printed(16)).To(Equal("name  text\na     one two t…\nlong  x y\n"))
		Expect(printed(0)).To(Equal("a\tone two three\nlong\tx y\n"))
	})

	It("leaves out the last columns in a narrow terminal, and never cuts a name, so that rows stay different", func() {
		table := terminal.Table{Headings: []string{"TOOL", "CALLS", "P50", "TOKENS"}, Rows: [][]string{
			{"files/filesystem/read_file", "12", "3 ms", "1,234"}, {"files/filesystem/read_text_file", "1", "", ""},
		}}

		Expect(table.Lines(40)).To(Equal([]string{
			"TOOL                 CALLS  P50   TOKENS", "files/filesystem/read_file\n                     12     3 ms  1,234", "files/filesystem/read_text_file\n                     1",
		}))
		Expect(table.Lines(25)).To(Equal([]string{
			"TOOL          CALLS  P50", "files/filesystem/read_file\n              12     3 ms", "files/filesystem/read_text_file\n              1",
		}))
		Expect(printed(3)).To(Equal("name\na\nlong\n"))
		table.Rows = [][]string{{strings.Repeat("x", 1000), "", "", ""}}
		Expect(table.Lines(40)[1]).To(Equal(strings.Repeat("x", 255) + "…"))
	})
})

var _ = DescribeTable("Standard output is closed", func(closed bool, err error) {
	Expect(terminal.IsClosed(err)).To(Equal(closed))
},
	Entry("when its reader is gone", true, fmt.Errorf("print: %w", &fs.PathError{Op: "write", Path: "/dev/stdout", Err: gone})),
	Entry("not when another pipe broke", false, &fs.PathError{Op: "write", Path: "|1", Err: gone}),
	Entry("not when a disk is full", false, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}),
	Entry("not after other failures", false, errors.New("write /dev/stdout: broken pipe")),
)

var _ = Describe("An interrupt that is left to others", func() {
	It("does not end the program later, when they have ended", func() {
		out := spec.Must(os.Create(filepath.Join(GinkgoT().TempDir(), "out")))
		DeferCleanup(out.Close)
		console := terminal.NewConsole(out, out, out)
		late := true
		console.Settle = func() { late = console.Interrupt("interrupted") }

		console.LeaveInterrupts()()

		Expect(late).To(BeFalse())
		Expect(console.Interrupt("interrupted")).To(BeTrue())
	})
})

var _ = Describe("An interrupt", func() {
	It("says so even if it comes before a prompt that is shown is written whole", func() {
		out := &slowWriter{begun: make(chan struct{}), end: make(chan struct{})}
		console := terminal.NewConsoleOf(out, 80)
		printed, interrupted := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(printed)
			console.Out.Print("prompt")
		}()
		<-out.begun
		called := make(chan struct{})
		go func() {
			defer close(interrupted)
			close(called)
			console.Interrupt("interrupted")
		}()
		<-called

		close(out.end)

		Eventually(printed).Should(BeClosed())
		Eventually(interrupted).Should(BeClosed())
		Expect(out.text.String()).To(Equal("prompt\n\ninterrupted\n"))
	})
})
