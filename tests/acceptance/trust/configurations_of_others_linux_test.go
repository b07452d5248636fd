package trust_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A configuration that others can change", Label("TT04"), func() {
	var c cloned
	BeforeEach(func() { c = clone() })

	// give makes another user the owner of a path, which only root can.
	give := func(path string) {
		GinkgoHelper()
		if os.Getuid() != 0 {
			Skip("only root can give files away")
		}
		Expect(os.Chown(path, OwnUser, OwnUser)).To(Succeed())
	}

	DescribeTable("is never used from the working folder, even if it was trusted", func(expose func(), reason string) {
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		expose()
		never := c.Path(folderFile) + " is only used when it is named, since others can change it (" + c.Path(reason)

		Expect(c.instructions()).To(HavePrefix(never))
		Expect(c.planted.Starts()).To(Equal(0))
		Expect(c.Run("list", "box")).To(And(HaveField("Code", 2), HaveField("Stderr", ContainSubstring(never))))
		Expect(c.Run("trust", "--yes")).To(And(HaveField("Code", 2), HaveField("Stderr", ContainSubstring(never))))
		Expect(c.planted.Starts()).To(Equal(0))
	},
		Entry("because every user can write it", func() { Expect(os.Chmod(c.Path(folderFile), 0o666)).To(Succeed()) },
			folderFile+": every user on this machine can change the file"),
		Entry("because every user can replace it", func() { Expect(os.Chmod(c.Path("work"), 0o777)).To(Succeed()) },
			"work: every user on this machine can change the folder"),
		Entry("because it belongs to another user", func() { give(c.Path(folderFile)) },
			folderFile+": the file belongs to another user"),
		Entry("because its folder belongs to another user", func() { give(c.Path("work")) },
			"work: the folder belongs to another user"),
	)

	It("is used when it is named only if that is allowed", func() {
		Expect(os.Chmod(c.Path(folderFile), 0o666)).To(Succeed())
		named := []string{"list", "box", "--config", c.Path(folderFile)}

		outcome := c.Run(named...)
		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(ContainSubstring("want a configuration that only you and root can change, or --allow-foreign-config"))
		w := Start(c.Launch("--config", c.Path(folderFile)))
		Expect(instructionsOf(w)).To(ContainSubstring("No toolboxes configured."))
		Expect(w.Call("open_toolbox", `{"toolbox":"box"}`).Failure()).To(ContainSubstring("--allow-foreign-config"))
		Expect(w.End()).To(Equal(0))
		Expect(c.planted.Starts()).To(Equal(0))

		Expect(c.Run(append(named, "--allow-foreign-config")...).Code).To(Equal(0))
		launch := c.Launch("list", "box")
		launch.Env = append(launch.Env, "WORKBENCH_CONFIG="+c.Path(folderFile), "WORKBENCH_ALLOW_FOREIGN_CONFIG=1")
		Expect(Run(launch).Code).To(Equal(0))
	})

	It("is written into host files together with the flag", func() {
		Expect(os.Chmod(c.Path(folderFile), 0o666)).To(Succeed())
		c.File(".cursor/mcp.json", CursorFile)

		Expect(c.Run("connect", "cursor", "--yes", "--config", c.Path(folderFile), "--allow-foreign-config").Code).To(Equal(0))

		Expect(c.Content(".cursor/mcp.json")).To(ContainSubstring(`"--allow-foreign-config"`))
	})

	It("may belong to root, and to a user who runs as root", func() {
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		Expect(c.Run("list", "box").Code).To(Equal(0))
	})
})

var _ = Describe("A configuration in a sandbox that has one user only", Label("TT04"), func() {
	It("is used even if the owner of the folders above it is unknown", func() {
		if os.Getuid() != 0 {
			Skip("only root can map users")
		}
		c := clone()
		program, err := os.ReadFile(BuiltWorkbench())
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(c.Path("workbench"), program, 0o755)).To(Succeed())
		Expect(filepath.WalkDir(string(c.HomeFolder), func(path string, _ fs.DirEntry, _ error) error {
			return os.Chown(path, OwnUser, OwnUser)
		})).To(Succeed())
		run := func(args ...string) Outcome {
			GinkgoHelper()
			launch := c.Launch(args...)
			launch.Program = c.Path("workbench")
			launch.Prepare = func(process *exec.Cmd) {
				process.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags:  syscall.CLONE_NEWUSER,
					UidMappings: []syscall.SysProcIDMap{{ContainerID: OwnUser, HostID: OwnUser, Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{ContainerID: OwnUser, HostID: OwnUser, Size: 1}},
					Credential:  &syscall.Credential{Uid: OwnUser, Gid: OwnUser, NoSetGroups: true},
				}
			}
			return Run(launch)
		}

		Expect(run("validate", "--config", c.Path(folderFile))).To(HaveField("Code", 0))
		Expect(run("trust", "--yes")).To(HaveField("Code", 0))
		Expect(run("trust", "--list").Stdout).To(HavePrefix(c.Path(folderFile)))

		Expect(os.Chown(c.Path(folderFile), OwnUser+1, OwnUser+1)).To(Succeed())
		Expect(run("validate", "--config", c.Path(folderFile))).To(HaveField("Code", 3))
	})
})

var _ = Describe("The record of a trusted file", Label("TT05"), func() {
	It("is ignored if others could have written it", func() {
		c := clone()
		Expect(c.Run("trust", "--yes").Code).To(Equal(0))
		folder := trustFolder(c.HomeFolder)
		Expect(os.Chmod(folder, 0o777)).To(Succeed())

		Expect(c.instructions()).To(ContainSubstring("(the records of trusted files are ignored (" + folder + ": every user on this machine can change the folder))"))
		Expect(c.Run("list", "box").Code).To(Equal(2))
		Expect(c.Run("trust", "--yes")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("are ignored"))))
		Expect(c.planted.Starts()).To(Equal(0))
	})

	It("applies to one run if it cannot be stored", func() {
		c := clone()
		c.File(".local", "no folder")
		trusted := RunInTerminal(c.Launch("list", "box"), Turn{Until: "Trust this file? [y/N]", Type: "y\r"})
		if os.Getuid() == 0 || trusted.Code == 0 {
			Expect(trusted.Code).To(Equal(0), trusted.Stdout)
		}
		Expect(trusted.Stdout).To(ContainSubstring("it is trusted for this run only: "))
		Expect(c.Run("list", "box").Code).To(Equal(2))
		Expect(c.Run("trust", "--yes")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("to use the file anyway, name it with --config"))))
	})

	It("applies through any link to the folder, and only there", func() {
		c := clone()
		Expect(os.Symlink(c.Path("work"), c.Path("link"))).To(Succeed())
		through := c.Launch("trust", "--yes", filepath.Join(c.Path("link"), "workbench-config.json"))
		Expect(Run(through).Code).To(Equal(0))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))

		Expect(os.MkdirAll(c.Path("other"), 0o700)).To(Succeed())
		Expect(os.Symlink(c.Path(folderFile), c.Path("other/workbench-config.json"))).To(Succeed())
		elsewhere := c.Launch("list", "box")
		elsewhere.Dir = c.Path("other")
		Expect(Run(elsewhere).Code).To(Equal(2), "the same bytes mean something else in another folder")
	})
})

var _ = Describe("A configuration of another user", Label("TT04"), func() {
	It("starts none of that user's programs", func() {
		if os.Getuid() != 0 {
			Skip("only root can run the program as another user")
		}
		c := clone()
		Expect(os.Chmod(string(c.HomeFolder), 0o755)).To(Succeed())
		Expect(os.Chmod(c.Path("work"), 0o755)).To(Succeed())
		Expect(os.Chown(c.Path("work"), OwnUser, OwnUser)).To(Succeed())
		Expect(os.Chown(c.Path(folderFile), OwnUser+1, OwnUser+1)).To(Succeed())
		launch := c.Launch("list", "box", "--config", c.Path(folderFile))
		launch.Prepare = func(process *exec.Cmd) {
			RunAsOwnUser(process)
			process.Dir = "/"
		}

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(ContainSubstring(c.Path(folderFile) + ": the file belongs to another user"))
		Expect(c.planted.Starts()).To(Equal(0))
	})
})
