package launcher_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/domain/launcher"
)

var _ = Describe("Advice about a command that was not found", func() {
	var machine launcher.Machine
	BeforeEach(func() {
		machine = launcher.Machine{System: "linux", Programs: func() []string { return []string{"python3", "ripgrep", "git", "sh"} }}
	})

	DescribeTable("says what was meant", func(command, advice string) {
		Expect(machine.Advice(command)).To(Equal(advice))
	},
		Entry("a misspelt launcher", "npxx", "did you mean 'npx'?"),
		Entry("another", "dokcer", "did you mean 'docker'?"),
		Entry("a misspelt program of the PATH", "ripgerp", "did you mean 'ripgrep'?"),
		Entry("Python where it has another name", "python", "did you mean 'python3'?"),
		Entry("a launcher that is not installed", "uvx", "it comes with uv; install that, or add its folder to the PATH: https://docs.astral.sh/uv/getting-started/installation/"),
		Entry("one by its name on Windows", "npx.cmd", "it comes with Node.js; install that, or add its folder to the PATH: https://nodejs.org/en/download"),
		Entry("one that is named like what it comes with", "docker", "install it, or add its folder to the PATH: https://docs.docker.com/get-started/get-docker/"),
		Entry("a whole command line", "npx -y @scope/x", `it is a whole command line: write "command": "npx", "args": ["-y", "@scope/x"]`),
		Entry("one by a path", "/usr/bin/npx -y x", `it is a whole command line: write "command": "/usr/bin/npx", "args": ["-y", "x"]`),
		Entry("one with quotes", `sh -c "x y"`, `it is a whole command line: write "command": "sh", and each argument in "args"`),
		Entry("a path with single backslashes", "C:\tools\node.exe", `a single backslash in JSON begins an escape, such as \t: write each backslash twice`),
		Entry("a path in the home directory", "~/bin/foo", `'~' is not expanded: write "${HOME}/bin/foo"`),
		Entry("the home directory", "~", `'~' is not expanded: write "${HOME}"`),
		Entry("an address", "localhost:3000", `it looks like an address: write it as "url", with http:// or https://`),
		Entry("a path with spaces", "/Applications/My App/run", ""),
		Entry("a path of Windows", `C:\Program Files\nodejs\npx.cmd`, `write a path of this system, in WSL "/mnt/c/Program Files/nodejs/npx.cmd"`),
		Entry("a path", "/opt/npxx", ""),
		Entry("a short name of nothing", "gti", ""),
		Entry("a name of nothing", "my-own-server", ""),
		Entry("a user's home", "~bob/x", ""),
	)

	It("names the home directory, variables and programs as the system does", func() {
		machine.System = "windows"
		machine.Programs = func() []string { return []string{"py", "npx", "node"} }

		Expect(machine.Advice(`%APPDATA%\npm\x.cmd`)).To(Equal(`variables of shells are not expanded: write "${APPDATA}\\npm\\x.cmd"`))
		Expect(machine.Expanded(`--dir=$env:ProgramData;%ProgramFiles(x86)%;100%;%Y%`)).To(Equal("--dir=${ProgramData};${ProgramFiles(x86)};100%;%Y%"))
		Expect(machine.Advice("python3")).To(Equal("did you mean 'py'?"))
		Expect(machine.Advice("npx.ps1")).To(Equal("did you mean 'npx'?"))
		Expect(machine.Advice(`~\bin\foo.exe`)).To(Equal(`'~' is not expanded: write "${USERPROFILE}\\bin\\foo.exe"`))
	})

	DescribeTable("tells addresses", func(word string) { Expect(launcher.IsAddress(word)).To(BeTrue()) },
		Entry(nil, "127.0.0.1:7411/mcp"), Entry(nil, "localhost:3000"), Entry(nil, "localhost"), Entry(nil, "localhost/mcp"), Entry(nil, "example.com/mcp"),
		Entry(nil, "mcp.example.co.uk/sse?x=1"), Entry(nil, "example.com"), Entry(nil, "ws://example.com/"), Entry(nil, "WSS://example.com"), Entry(nil, "//host"),
		Entry(nil, "//host:80/mcp"), Entry(nil, "[::1]:3000/mcp"), Entry(nil, "10.0.0.1"), Entry(nil, "host:3000"), Entry(nil, "HTTP://example.com"),
	)

	DescribeTable("tells programs from addresses", func(word string) { Expect(launcher.IsAddress(word)).To(BeFalse()) },
		Entry(nil, "npx"), Entry(nil, "server.py"), Entry(nil, "./run.sh"), Entry(nil, "../x/run"), Entry(nil, "/opt/x.d/run"), Entry(nil, `C:\x\run.exe`),
		Entry(nil, "C:/x/run"), Entry(nil, "python3.12"), Entry(nil, "@scope/x"), Entry(nil, "bin/run"), Entry(nil, "//"), Entry(nil, ""), Entry(nil, "npx -y x:3"),
		Entry(nil, "a:b"), Entry(nil, "jsr://x"), Entry(nil, "~/x.y/z"), Entry(nil, `\\host\share\run.exe`),
	)
})

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
