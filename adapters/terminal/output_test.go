package terminal_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/terminal"
)

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
