package acceptance_test

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

	// give gives a path to another user, which only root can.
	give := func(path string) {
		GinkgoHelper()
		if os.Getuid() != 0 {
			Skip("only root can give files away")
		}
		Expect(os.Chown(path, ownUser, ownUser)).To(Succeed())
	}

	DescribeTable("is never used from the working folder, though it was trusted", func(expose func(), reason string) {
		Expect(c.run("trust", "--yes").Code).To(Equal(0))
		expose()
		never := c.path(folderFile) + " is only used when it is named, since others can change it (" + c.path(reason)

		Expect(c.instructions()).To(HavePrefix(never))
		Expect(c.planted.Starts()).To(Equal(0))
		Expect(c.run("list", "box")).To(And(HaveField("Code", 2), HaveField("Stderr", ContainSubstring(never))))
		Expect(c.run("trust", "--yes")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring(never))))
		Expect(c.planted.Starts()).To(Equal(0))
	},
		Entry("because everybody can write it", func() { Expect(os.Chmod(c.path(folderFile), 0o666)).To(Succeed()) },
			folderFile+": everybody on this machine can change the file"),
		Entry("because everybody can replace it", func() { Expect(os.Chmod(c.path("work"), 0o777)).To(Succeed()) },
			"work: everybody on this machine can change the folder"),
		Entry("because it belongs to another user", func() { give(c.path(folderFile)) },
			folderFile+": the file belongs to another user"),
		Entry("because its folder does", func() { give(c.path("work")) },
			"work: the folder belongs to another user"),
	)

	It("is used where it is named only if that is allowed", func() {
		Expect(os.Chmod(c.path(folderFile), 0o666)).To(Succeed())
		named := []string{"list", "box", "--config", c.path(folderFile)}

		outcome := c.run(named...)
		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(ContainSubstring("want a configuration that only you and root can change, or --allow-foreign-config"))
		w := Start(c.launch("--config", c.path(folderFile)))
		Expect(instructionsOf(w)).To(ContainSubstring("No toolboxes configured."))
		Expect(w.Call("open_toolbox", `{"toolbox":"box"}`).Failure()).To(ContainSubstring("--allow-foreign-config"))
		Expect(w.End()).To(Equal(0))
		Expect(c.planted.Starts()).To(Equal(0))

		Expect(c.run(append(named, "--allow-foreign-config")...).Code).To(Equal(0))
		launch := c.launch("list", "box")
		launch.Env = append(launch.Env, "WORKBENCH_CONFIG="+c.path(folderFile), "WORKBENCH_ALLOW_FOREIGN_CONFIG=1")
		Expect(Run(launch).Code).To(Equal(0))
	})

	It("is named to hosts together with the flag", func() {
		Expect(os.Chmod(c.path(folderFile), 0o666)).To(Succeed())
		c.file(".cursor/mcp.json", cursorFile)

		Expect(c.run("connect", "cursor", "--yes", "--config", c.path(folderFile), "--allow-foreign-config").Code).To(Equal(0))

		Expect(c.content(".cursor/mcp.json")).To(ContainSubstring(`"--allow-foreign-config"`))
	})

	It("may belong to root, and to a user who runs as root", func() {
		Expect(c.run("trust", "--yes").Code).To(Equal(0))
		Expect(c.run("list", "box").Code).To(Equal(0))
	})
})

var _ = Describe("A configuration in a sandbox that has one user only", Label("TT04"), func() {
	It("is used though the owner of the folders above it is unknown", func() {
		if os.Getuid() != 0 {
			Skip("only root can map users")
		}
		c := clone()
		program, err := os.ReadFile(BuiltWorkbench())
		Expect(err).NotTo(HaveOccurred())
		Expect(os.WriteFile(c.path("workbench"), program, 0o755)).To(Succeed())
		Expect(filepath.WalkDir(string(c.homeFolder), func(path string, _ fs.DirEntry, _ error) error {
			return os.Chown(path, ownUser, ownUser)
		})).To(Succeed())
		run := func(args ...string) Outcome {
			GinkgoHelper()
			launch := c.launch(args...)
			launch.Program = c.path("workbench")
			launch.Prepare = func(process *exec.Cmd) {
				process.SysProcAttr = &syscall.SysProcAttr{
					Cloneflags:  syscall.CLONE_NEWUSER,
					UidMappings: []syscall.SysProcIDMap{{ContainerID: ownUser, HostID: ownUser, Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{ContainerID: ownUser, HostID: ownUser, Size: 1}},
					Credential:  &syscall.Credential{Uid: ownUser, Gid: ownUser, NoSetGroups: true},
				}
			}
			return Run(launch)
		}

		Expect(run("validate", "--config", c.path(folderFile))).To(HaveField("Code", 0))
		Expect(run("trust", "--yes")).To(HaveField("Code", 0))
		Expect(run("trust", "--list").Stdout).To(HavePrefix(c.path(folderFile)))

		Expect(os.Chown(c.path(folderFile), ownUser+1, ownUser+1)).To(Succeed())
		Expect(run("validate", "--config", c.path(folderFile))).To(HaveField("Code", 3))
	})
})

var _ = Describe("What is kept about trusted files", Label("TT05"), func() {
	It("does not count when others could have written it", func() {
		c := clone()
		Expect(c.run("trust", "--yes").Code).To(Equal(0))
		folder := trustFolder(c.homeFolder)
		Expect(os.Chmod(folder, 0o777)).To(Succeed())

		Expect(c.instructions()).To(ContainSubstring("(what is kept about trusted files does not count (" + folder + ": everybody on this machine can change the folder))"))
		Expect(c.run("list", "box").Code).To(Equal(2))
		Expect(c.run("trust", "--yes")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("does not count"))))
		Expect(c.planted.Starts()).To(Equal(0))
	})

	It("is for one run where it cannot be kept", func() {
		c := clone()
		c.file(".local", "no folder")
		trusted := RunInTerminal(c.launch("list", "box"), Turn{Until: "Trust this file? [y/N]", Type: "y\r"})
		if os.Getuid() == 0 || trusted.Code == 0 {
			Expect(trusted.Code).To(Equal(0), trusted.Stdout)
		}
		Expect(trusted.Stdout).To(ContainSubstring("it is trusted for this run only: "))
		Expect(c.run("list", "box").Code).To(Equal(2))
		Expect(c.run("trust", "--yes")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("to use the file all the same, name it with --config"))))
	})

	It("counts whichever link leads to the folder, and only there", func() {
		c := clone()
		Expect(os.Symlink(c.path("work"), c.path("link"))).To(Succeed())
		through := c.launch("trust", "--yes", filepath.Join(c.path("link"), "workbench-config.json"))
		Expect(Run(through).Code).To(Equal(0))
		Expect(c.instructions()).To(Equal("## Available Toolboxes"))

		Expect(os.MkdirAll(c.path("other"), 0o700)).To(Succeed())
		Expect(os.Symlink(c.path(folderFile), c.path("other/workbench-config.json"))).To(Succeed())
		elsewhere := c.launch("list", "box")
		elsewhere.Dir = c.path("other")
		Expect(Run(elsewhere).Code).To(Equal(2), "the same bytes mean something else in another folder")
	})
})

var _ = Describe("A configuration of another user", Label("TT04"), func() {
	It("starts nothing of theirs", func() {
		if os.Getuid() != 0 {
			Skip("only root can run the program as another user")
		}
		c := clone()
		Expect(os.Chmod(string(c.homeFolder), 0o755)).To(Succeed())
		Expect(os.Chmod(c.path("work"), 0o755)).To(Succeed())
		Expect(os.Chown(c.path("work"), ownUser, ownUser)).To(Succeed())
		Expect(os.Chown(c.path(folderFile), ownUser+1, ownUser+1)).To(Succeed())
		launch := c.launch("list", "box", "--config", c.path(folderFile))
		launch.Prepare = func(process *exec.Cmd) {
			runAsOwnUser(process)
			process.Dir = "/"
		}

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(3))
		Expect(outcome.Stderr).To(ContainSubstring(c.path(folderFile) + ": the file belongs to another user"))
		Expect(c.planted.Starts()).To(Equal(0))
	})
})
