package hosts_test

import (
	"os"
	"runtime"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A program in a git work tree", func() {
	const installed = ".local/bin/mcp-workbench"
	var home HomeFolder
	var program string
	BeforeEach(func() {
		home = NewHomeFolder()
		home.Configured(`{"git": {"command": "git-mcp"}}`)
		home.File(".codex/config.toml", codexFile)
		Expect(os.MkdirAll(home.Path("clone/.git"), 0o700)).To(Succeed())
		program = home.PlaceProgram("clone/bin/mcp-workbench")
	})
	initialize := func(copies string) Outcome {
		launch := home.Launch("init")
		launch.Program = program
		return RunInTerminal(launch, Turn{Until: "Which hosts"}, Turn{Until: "1 of 1 chosen", Type: "\r"},
			Turn{Until: "[y/N] ", Type: copies}, Turn{Until: "[Y/n] ", Type: "\r"}, noSkills)
	}

	It("is copied by init to a lasting place after a yes, and hosts start the copy", func() {
		outcome := initialize("y\r")

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).To(And(
			ContainSubstring("is in the git work tree "+home.Path("clone")+". Moving or cleaning that folder breaks every host"),
			ContainSubstring("Copy the program to "+home.Path(installed)+", and have the hosts start that? [y/N]"),
			ContainSubstring(home.Path(".local/bin")+" is not in your PATH"),
		))
		Expect(home.Content(".codex/config.toml")).To(And(ContainSubstring(home.Path(installed)), Not(ContainSubstring("clone"))))
		Expect(spec.Must(os.Stat(home.Path(installed))).Mode().Perm()).To(BeEquivalentTo(0o755))
	})

	It("replaces a link to it, which would lead hosts into the work tree", func() {
		Expect(os.MkdirAll(home.Path(".local/bin"), 0o700)).To(Succeed())
		if err := os.Symlink(program, home.Path(installed)); err != nil {
			Skip("links need a privilege here: " + err.Error())
		}

		outcome := initialize("y\r")

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(spec.Must(os.Lstat(home.Path(installed))).Mode().IsRegular()).To(BeTrue())
	})

	It("is started where it is after a no", func() {
		outcome := initialize("\r")

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(home.Content(".codex/config.toml")).To(ContainSubstring(program))
		Expect(home.Path(installed)).NotTo(BeAnExistingFile())
	})

	It("is named by connect", func() {
		launch := home.Launch("connect", "codex", "--yes")
		launch.Program = program

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("is in the git work tree " + home.Path("clone")))
		Expect(home.Run("disconnect", "codex", "--yes").Code).To(Equal(0))
		Expect(home.Run("connect", "codex", "--yes").Stdout).NotTo(ContainSubstring("git work tree"))
	})
})

var _ = DescribeTable("A program in a cache that is cleaned is named by connect, with what to do", func(folder, runner string) {
	home := NewHomeFolder()
	home.Configured(`{"git": {"command": "git-mcp"}}`)
	home.File(".codex/config.toml", codexFile)
	launch := home.Launch("connect", "codex", "--yes")
	launch.Program = home.PlaceProgram(folder + "/node_modules/@x/mcp-workbench-linux-x64/bin/" + ProgramName("mcp-workbench"))

	outcome := Run(launch)

	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	Expect(outcome.Stdout).To(And(
		ContainSubstring("is in the cache of "+runner+", which is cleaned from time to time. That breaks every host"),
		ContainSubstring("npm install -g")))
},
	Entry(nil, ".npm/_npx/0123456789abcdef", "npx"),
	Entry(nil, "tmp/bunx-0-mcp-workbench@latest", "bunx"),
	Entry(nil, ".cache/pnpm/dlx/0123456789abcdef/1", "pnpm dlx"),
	Entry(nil, "tmp/xfs-0123abcd/dlx-4321", "yarn dlx"),
)

var _ = It("A program in the cache of npx is copied by init after a yes", func() {
	home := NewHomeFolder()
	home.Configured(`{"git": {"command": "git-mcp"}}`)
	home.File(".codex/config.toml", codexFile)
	launch := home.Launch("init")
	launch.Program = home.PlaceProgram(".npm/_npx/0123456789abcdef/node_modules/x/bin/" + ProgramName("mcp-workbench"))

	outcome := RunInTerminal(launch, Turn{Until: "Which hosts"}, Turn{Until: "1 of 1 chosen", Type: "\r"},
		Turn{Until: "[y/N] ", Type: "y\r"}, Turn{Until: "[Y/n] ", Type: "\r"}, noSkills)

	Expect(outcome.Code).To(Equal(0), outcome.Stdout)
	Expect(home.Content(".codex/config.toml")).To(And(ContainSubstring(home.Path(".local/bin/mcp-workbench")), Not(ContainSubstring("_npx"))))
})

var _ = It("A program of Homebrew is written by the path that outlives an upgrade", func() {
	if runtime.GOOS == "windows" {
		Skip("Homebrew is not on Windows")
	}
	home := NewHomeFolder()
	home.Configured(`{"git": {"command": "git-mcp"}}`)
	home.File(".codex/config.toml", codexFile)
	launch := home.Launch("connect", "codex", "--yes")
	launch.Program = home.PlaceProgram("brew/Cellar/mcp-workbench/1.0.0/bin/mcp-workbench")
	Expect(os.MkdirAll(home.Path("brew/opt"), 0o700)).To(Succeed())
	if err := os.Symlink(home.Path("brew/Cellar/mcp-workbench/1.0.0"), home.Path("brew/opt/mcp-workbench")); err != nil {
		Skip("links need a privilege here: " + err.Error())
	}

	Expect(Run(launch).Code).To(Equal(0))

	Expect(home.Content(".codex/config.toml")).To(And(
		ContainSubstring(home.Path("brew/opt/mcp-workbench/bin/mcp-workbench")), Not(ContainSubstring("Cellar"))))
})
