package programs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/system/programs"
	"mcp-workbench/domain"
)

var _ = Describe("The program of a server", func() {
	var folder string
	BeforeEach(func() {
		if runtime.GOOS == "windows" {
			Skip("the paths are those of other systems")
		}
		folder = GinkgoT().TempDir()
		Expect(os.WriteFile(filepath.Join(folder, "wb-server"), []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
	})
	// checked returns the findings about a server, as it is written and with its variables expanded.
	checked := func(shown, expanded domain.Program) []programs.Problem {
		id := domain.ServerID{Toolbox: "dev", Server: "a.b"}
		server := domain.Server{ID: id, Traits: domain.Traits{Program: expanded}, Shown: domain.Traits{Program: shown}}
		return programs.Problems(slices.Values([]domain.Server{server}))
	}
	// texts returns the problems of a program, each behind its key.
	texts := func(program domain.Program) []string {
		var texts []string
		for _, problem := range checked(program, program) {
			Expect(problem.Server).To(Equal(domain.ServerID{Toolbox: "dev", Server: "a.b"}))
			texts = append(texts, strings.Trim(fmt.Sprint(problem.Key), "[]")+": "+problem.String())
		}
		return texts
	}

	DescribeTable("is found to be wrong", func(program domain.Program, wanted ...string) {
		Expect(texts(program)).To(Equal(wanted))
	},
		Entry("with a misspelt launcher", domain.Program{Command: "npxx"}, "command: command 'npxx' is not in the PATH here; did you mean 'npx'?"),
		Entry("with a name of nothing", domain.Program{Command: "no-such-command"}, "command: command 'no-such-command' is not in the PATH here"),
		Entry("with a PATH that lacks it", domain.Program{Command: "sh", Env: map[string]string{"PATH": "/no/such/folder"}}, "command: command 'sh' is not in the PATH of its \"env\""),
		Entry("with a whole command line", domain.Program{Command: "npx -y @scope/x"},
			`command: command 'npx -y @scope/x' does not exist; it is a whole command line: write "command": "npx", "args": ["-y", "@scope/x"]`),
		Entry("with single backslashes", domain.Program{Command: "C:\tools\node.exe", Args: []string{"C:\new\bin"}},
			`command: command 'C:\tools\node.exe' is not in the PATH here; a single backslash in JSON begins an escape, such as \t: write each backslash twice`,
			`args 0: the path 'C:\new\u0008in' has control characters; a single backslash in JSON begins an escape, such as \t: write each backslash twice`),
		Entry("with a home directory that only a shell knows", domain.Program{Command: "~/bin/foo"},
			`command: command '~/bin/foo' does not exist; '~' is not expanded: write "${HOME}/bin/foo"`),
		Entry("with variables that do not reach Linux", domain.Program{Command: "wsl", Args: []string{"npx", "x"}, Env: map[string]string{"A": "1", "B": "2", "WSLENV": "A/p"}},
			"command: command 'wsl' is not in the PATH here",
			`env: variables do not reach Linux unless WSLENV names them: B; add "WSLENV": "A/p:B"`),
		Entry("with a path of nothing", domain.Program{Command: "/no/such/program"},
			"command: command '/no/such/program' does not exist; correct the path, or install the program"),
		Entry("with a working directory that does not exist", domain.Program{Command: "/bin/sh", Cwd: "/nope"},
			"cwd: the working directory '/nope' does not exist; create it, or correct the path"),
		Entry("with paths of Windows", domain.Program{Command: "/bin/sh", Cwd: `D:\work`, Args: []string{"-c", `C:\x\y.js`, "--dir=e:/z"}},
			`cwd: the working directory 'D:\work' is a path of Windows; write a path of this system, in WSL "/mnt/d/work"`,
			`args 1: the path 'C:\x\y.js' is a path of Windows; write a path of this system, in WSL "/mnt/c/x/y.js"`,
			`args 2: the path 'e:/z' is a path of Windows; write a path of this system, in WSL "/mnt/e/z"`),
		Entry("with a program of Windows", domain.Program{Command: `C:\tools\s.exe`, Args: []string{`C:\x`}},
			`command: command 'C:\tools\s.exe' is a path of Windows; write a path of this system, in WSL "/mnt/c/tools/s.exe"`),
		Entry("with a working directory that is a file", domain.Program{Command: "/bin/sh", Cwd: "/bin/sh"}, "cwd: the working directory '/bin/sh' is not a directory"),
		Entry("with a working directory below '~'", domain.Program{Command: "/bin/sh", Cwd: "~/x"},
			`cwd: the working directory '~/x' does not exist; '~' is not expanded: write "${HOME}/x"`),
		Entry("with a script behind options that does not exist", domain.Program{Command: "sh", Args: []string{"-x", "/no/such/server.sh"}},
			"args 1: '/no/such/server.sh' does not exist; correct the path"),
		Entry("with a script that does not exist", domain.Program{Command: "sh", Args: []string{"/no/such/server.sh"}},
			"args 0: '/no/such/server.sh' does not exist; correct the path"),
		Entry("with '~' in arguments", domain.Program{Command: "/bin/sh", Args: []string{"x", "~/notes", "--dir=~/y", "a=~/z"}},
			`args 1: it begins with '~', which is not expanded; write "${HOME}/notes", unless the server itself expands it`,
			`args 2: it begins with '~', which is not expanded; write "${HOME}/y", unless the server itself expands it`),
		Entry("with '~' in a variable, whose value is not shown", domain.Program{Command: "/bin/sh", Env: map[string]string{"A": "~/secret"}},
			`env A: it begins with '~', which is not expanded; write "${HOME}/…", unless the server itself expands it`),
	)

	It("is fine where it is there", func() {
		Expect(texts(domain.Program{Command: "wb-server", Env: map[string]string{"PATH": folder}})).To(BeEmpty())
		Expect(texts(domain.Program{Command: filepath.Join(folder, "wb-server"), Cwd: folder})).To(BeEmpty())
		Expect(texts(domain.Program{Command: "./wb-server", Cwd: folder})).To(BeEmpty())
		Expect(texts(domain.Program{Command: "sh", Args: []string{filepath.Join(folder, "wb-server")}})).To(BeEmpty())
	})

	It("lacks the program of its first line where the PATH lacks it, and that of a version manager is named", func() {
		if runtime.GOOS == "windows" {
			Skip("no such lines")
		}
		home := GinkgoT().TempDir()
		GinkgoT().Setenv("HOME", home)
		bin := filepath.Join(home, ".nvm", "versions", "node", "v22.1.0", "bin")
		Expect(os.MkdirAll(bin, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(bin, "nosuchnode"), nil, 0o700)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(bin, "nosuchnpx"), []byte("#!/usr/bin/env nosuchnode\n"), 0o700)).To(Succeed())
		path := `add "PATH": "` + bin + `:${PATH}" to its "env", or start the host from a shell`

		Expect(texts(domain.Program{Command: filepath.Join(bin, "nosuchnpx")})).To(Equal([]string{
			"command: command '" + filepath.Join(bin, "nosuchnpx") + "' needs 'nosuchnode', which is not in the PATH here; " + path,
		}))
		Expect(texts(domain.Program{Command: filepath.Join(bin, "nosuchnpx"), Env: map[string]string{"PATH": bin}})).To(BeEmpty())
		Expect(texts(domain.Program{Command: "nosuchnpx"})).To(Equal([]string{
			"command: command 'nosuchnpx' is not in the PATH here; it is " + filepath.Join(bin, "nosuchnpx") + ": " + path,
		}))
	})

	DescribeTable("is a container whose input is open", func(isOpen bool, args ...string) {
		found := strings.Join(texts(domain.Program{Command: "docker", Args: args, Env: map[string]string{"PATH": folder}}), " ")
		Expect(!strings.Contains(found, `add "-i" behind "run"`)).To(Equal(isOpen), found)
	},
		Entry(nil, false, "run", "--rm", "image"), Entry(nil, false, "run", "-e", "i", "-eid=1", "image", "-i"), Entry(nil, false, "run", "--interactive=false", "image"),
		Entry(nil, true, "run", "-i", "image"), Entry(nil, true, "run", "--rm", "-tdi", "image"), Entry(nil, true, "run", "--interactive", "image"),
		Entry(nil, true, "exec", "container", "x"),
	)

	DescribeTable("is a container that gets the variables which its line names", func(named string, args ...string) {
		GinkgoT().Setenv("WB_IS_SET", "1")
		found := strings.Join(texts(domain.Program{Command: "docker", Args: append([]string{"run", "-i"}, args...), Env: map[string]string{"WB_GIVEN": "1"}}), "\n")
		Expect(found).To(ContainSubstring(named))
		Expect(strings.Contains(found, "the container gets no")).To(Equal(named != ""))
	},
		Entry(nil, "the container gets no WB_UNSET, which is not set here; set it where hosts are started", "-e", "WB_UNSET", "image"),
		Entry(nil, "the container gets no WB_UNSET", "--env=WB_UNSET", "image"),
		Entry(nil, "", "-e", "WB_IS_SET", "-e", "WB_GIVEN", "-e", "WB_UNSET=1", "image", "-e", "WB_UNSET"),
	)

	It("is not judged where the folder of the host decides", func() {
		Expect(texts(domain.Program{Command: "./no-such-command"})).To(BeEmpty())
		Expect(texts(domain.Program{Command: "./no-such-command", Cwd: "relative"})).To(BeEmpty())
	})

	It("is judged by the values of variables, and none is shown", func() {
		found := checked(domain.Program{Command: "${A}/x", Cwd: "${B}"}, domain.Program{Command: "/secret/x", Cwd: "/secret"})

		Expect(found).To(HaveLen(2))
		Expect(found[0].Found).To(Equal("the working directory '${B}' does not exist"))
		Expect(found[1].Found).To(Equal("command '${A}/x' does not exist"))
	})

	It("is not judged while a variable has no value", func() {
		server := domain.Server{Traits: domain.Traits{Program: domain.Program{Command: "no-such-command"}}, Unset: &domain.UnsetVariableError{}}

		Expect(programs.Problems(slices.Values([]domain.Server{server}))).To(BeEmpty())
	})

	It("is judged where the user configures it, since hosts start it elsewhere", func() {
		relative := func(program domain.Program) string {
			return programs.RelativeWarning(domain.Server{Traits: domain.Traits{Program: program}, Shown: domain.Traits{Program: program}}, folder)
		}

		Expect(relative(domain.Program{Command: "./nosuch.js"})).To(HavePrefix("command './nosuch.js' does not exist in " + folder + "; write its absolute path"))
		Expect(relative(domain.Program{Command: "node", Args: []string{"../nosuch.js"}})).To(HavePrefix("file '../nosuch.js' does not exist in " + folder))
		Expect(relative(domain.Program{Command: "./wb-server"})).To(ContainSubstring("write " + filepath.Join(folder, "wb-server") + ", or"))
		Expect(relative(domain.Program{Command: "./nosuch.js", Cwd: folder})).To(BeEmpty(), "Check looks there")
		for _, program := range []domain.Program{{Command: "wb-server"}, {Command: "npx", Args: []string{"./x"}}, {Command: "node", Args: []string{"-e", "./x"}}, {}} {
			Expect(relative(program)).To(BeEmpty(), "%v", program)
		}
	})

	It("prevents the start where it is not there", func() {
		prevents := func(program domain.Program) bool { return checked(program, program)[0].Prevents }

		Expect(prevents(domain.Program{Command: "no-such-command"})).To(BeTrue())
		Expect(prevents(domain.Program{Command: "/bin/sh", Cwd: "/nope"})).To(BeTrue())
		Expect(prevents(domain.Program{Command: "/bin/sh", Args: []string{"~/x"}})).To(BeFalse())
	})
})
