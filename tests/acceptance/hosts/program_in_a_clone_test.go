package hosts_test

import (
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

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
			Turn{Until: "[y/N] ", Type: copies}, Turn{Until: "[y/N] ", Type: "y\r"})
	}

	It("is copied by init to where it stays after a yes, and hosts start the copy", func() {
		outcome := initialize("y\r")

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		Expect(outcome.Stdout).To(And(
			ContainSubstring("is in the git work tree "+home.Path("clone")+". Moving or cleaning that folder breaks every host"),
			ContainSubstring("Copy the program to "+home.Path(installed)+", and have the hosts start that? [y/N]"),
			ContainSubstring(home.Path(".local/bin")+" is not in your PATH"),
		))
		Expect(home.Content(".codex/config.toml")).To(And(ContainSubstring(home.Path(installed)), Not(ContainSubstring("clone"))))
		info, err := os.Stat(home.Path(installed))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().Perm()).To(BeEquivalentTo(0o755))
	})

	It("takes the place of a link to it, which would lead hosts into the work tree", func() {
		Expect(os.MkdirAll(home.Path(".local/bin"), 0o700)).To(Succeed())
		if err := os.Symlink(program, home.Path(installed)); err != nil {
			Skip("links need a privilege here: " + err.Error())
		}

		outcome := initialize("y\r")

		Expect(outcome.Code).To(Equal(0), outcome.Stdout)
		info, err := os.Lstat(home.Path(installed))
		Expect(err).NotTo(HaveOccurred())
		Expect(info.Mode().IsRegular()).To(BeTrue())
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
