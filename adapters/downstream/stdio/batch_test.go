package stdio_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/downstream/stdio"
)

// batchArguments returns what a batch file's program receives from cmd.exe: cmd.exe
// strips the outer quotes, passes on what is in quotes, and the program splits its
// command line by the rules of CommandLineToArgvW. It fails at anything that cmd.exe
// interprets.
func batchArguments(line string) []string {
	GinkgoHelper()
	text, found := strings.CutPrefix(line, `cmd.exe /e:ON /v:OFF /d /c "`)
	Expect(found).To(BeTrue(), line)
	text, found = strings.CutSuffix(text, `"`)
	Expect(found).To(BeTrue(), line)
	quoted := false
	for _, c := range text {
		if c == '"' {
			quoted = !quoted
		}
		Expect(c).NotTo(BeElementOf('%', '\r', '\n', rune(0)), "cmd.exe interprets it even in quotes")
		if !quoted {
			Expect(c).NotTo(BeElementOf('&', '|', '<', '>', '(', ')', '^', '!', '=', ',', ';', '\'', '`', '~', '\t'), "cmd.exe interprets it")
		}
	}
	Expect(quoted).To(BeFalse(), "quotes in pairs")
	return splitArguments(text)
}

// splitArguments splits a command line as CommandLineToArgvW does.
func splitArguments(text string) []string {
	var args []string
	var arg strings.Builder
	quoted, started, backslashes := false, false, 0
	for _, c := range text {
		if c == '\\' {
			backslashes++
			started = true
			continue
		}
		if c == '"' {
			arg.WriteString(strings.Repeat(`\`, backslashes/2))
			if backslashes%2 == 0 {
				quoted = !quoted
			} else {
				arg.WriteRune('"')
			}
			backslashes, started = 0, true
			continue
		}
		arg.WriteString(strings.Repeat(`\`, backslashes))
		backslashes = 0
		if c == ' ' && !quoted {
			if started {
				args = append(args, arg.String())
			}
			arg.Reset()
			started = false
			continue
		}
		arg.WriteRune(c)
		started = true
	}
	arg.WriteString(strings.Repeat(`\`, backslashes))
	if started {
		args = append(args, arg.String())
	}
	return args
}

// refusedInBatch are the characters that no quoting protects from cmd.exe.
const refusedInBatch = "\"%\r\n\x00"

// arrivesOrIsRefused holds one command line to its promise.
func arrivesOrIsRefused(args []string) {
	GinkgoHelper()
	line, err := stdio.BatchCommandLine(`C:\Program Files\x (1)\run.cmd`, args)
	if strings.ContainsAny(strings.Join(args, ""), refusedInBatch) {
		Expect(err).To(HaveOccurred())
		return
	}
	Expect(err).NotTo(HaveOccurred())
	Expect(batchArguments(line)).To(Equal(append([]string{`C:\Program Files\x (1)\run.cmd`}, args...)))
}

var _ = Describe("The command line of a batch file", func() {
	It("passes every argument unchanged, or is refused", Label("large"), func() {
		Expect(quick.Check(func(args []string) bool {
			arrivesOrIsRefused(args)
			return true
		}, &quick.Config{MaxCount: 2_000})).To(Succeed())
	})

	It("does so for every combination of odd characters", func() {
		odd := []string{"", " ", `\`, `"`, "%", "^", "&", "|", "<", "(", ")", "!", "=", ",", ";", "a", "é", "\n", "\t", "'", "`", "~", "*", "?"}
		for _, a := range odd {
			for _, b := range odd {
				for _, c := range odd {
					arrivesOrIsRefused([]string{a + b + c, "next"})
				}
			}
		}
	})

	It("quotes only words that need quotes", func() {
		Expect(stdio.BatchCommandLine(`C:\x.cmd`, []string{"run", "--port=1", "-v", `C:\a`})).
			To(Equal(`cmd.exe /e:ON /v:OFF /d /c ""C:\x.cmd" run "--port=1" -v C:\a"`))
	})

	DescribeTable("is refused with the argument and the character",
		func(path, arg, why string) {
			_, err := stdio.BatchCommandLine(path, []string{"fine", arg})

			Expect(err).To(MatchError(ContainSubstring(why)))
			Expect(err.Error()).NotTo(ContainSubstring("secret"))
		},
		Entry("a quote", `x.cmd`, `secret" & calc`, "argument 2 contains a double quote"),
		Entry("a percent sign", `x.cmd`, "secret%PATH%", "argument 2 contains a percent sign"),
		Entry("a line break", `x.cmd`, "secret\ncalc", "argument 2 contains a line break"),
		Entry("a null", `x.cmd`, "secret\x00", "argument 2 contains a null character"),
		Entry("a percent sign in the path", `C:\100%\x.cmd`, "x", "its path contains a percent sign"),
	)

	It("is for batch files only, however their name is written", func() {
		for _, path := range []string{"x.cmd", "x.CMD", `C:\a b\x.Bat`, "x.bat.", "x.cmd .. "} {
			Expect(stdio.IsBatchFile(path)).To(BeTrue(), path)
		}
		for _, path := range []string{"x.exe", "x", "cmd", "x.cmd.exe", `C:\x.cmd\y.com`} {
			Expect(stdio.IsBatchFile(path)).To(BeFalse(), path)
		}
	})
})

var _ = Describe("A batch file of npm", func() {
	It("is known by the script beside it", func() {
		folder := GinkgoT().TempDir()
		bin := filepath.Join(folder, "node_modules", "npm", "bin")
		Expect(os.MkdirAll(bin, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(bin, "npx-cli.js"), nil, 0o600)).To(Succeed())

		script, ok := stdio.NPMScript(filepath.Join(folder, "npx.CMD"))
		Expect(ok).To(BeTrue())
		Expect(script).To(Equal(filepath.Join(bin, "npx-cli.js")))
		server := filepath.Join(folder, "node_modules", "x", "dist", "server.js")
		Expect(os.MkdirAll(filepath.Dir(server), 0o700)).To(Succeed())
		Expect(os.WriteFile(server, nil, 0o600)).To(Succeed())
		write := func(name, line string) {
			Expect(os.WriteFile(filepath.Join(folder, name), []byte("@ECHO off\r\n  SET \"_prog=node\"\r\n"+line+"\r\n"), 0o600)).To(Succeed())
		}
		write("x.cmd", `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\x\dist\server.js" %*`)
		write("flag.cmd", `"%_prog%" --flag "%dp0%\node_modules\x\dist\server.js" %*`)
		write("gone.cmd", `"%_prog%"  "%dp0%\node_modules\x\dist\gone.js" %*`)
		script, ok = stdio.NPMScript(filepath.Join(folder, "x.cmd"))
		Expect(ok).To(BeTrue())
		Expect(script).To(Equal(server))

		for _, other := range []string{"npm.cmd", "npx.exe", "other.cmd", "flag.cmd", "gone.cmd"} {
			_, ok := stdio.NPMScript(filepath.Join(folder, other))
			Expect(ok).To(BeFalse(), other)
		}
	})
})

func FuzzBatchCommandLine(f *testing.F) {
	for _, seed := range []string{"", "a b", `x&echo y`, `b c"&echo z`, "100%PATH%", `\\"`, "^!", `a\`} {
		f.Add(seed, "next")
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		if !utf8.ValidString(first) || !utf8.ValidString(second) {
			t.Skip("arguments come from JSON, whose strings are valid UTF-8")
		}
		RegisterTestingT(t)
		arrivesOrIsRefused([]string{first, second})
	})
}
