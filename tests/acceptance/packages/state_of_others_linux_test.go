package packages_test

import (
	"io/fs"
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("A state folder of another user", func() {
	It("never supplies a package to start", Label("TS06"), func() {
		if os.Getuid() != 0 {
			Skip("only root can run the program as another user")
		}
		const another = OwnUser + 1
		p := newPackagedServer()
		p.publish("1.0.0")
		p.configure(`"packages":"locked",`)
		p.locks()
		Expect(filepath.WalkDir(p.state, func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				err = os.Lchown(path, another, another)
			}
			return err
		})).To(Succeed())
		launch := p.launch("call", "dev/files/of_1_0_0")
		launch.Dir = "/"
		launch.Prepare = RunAsOwnUser

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(4), outcome.Stdout)
		Expect(outcome.Stderr).To(ContainSubstring(p.state + ": the folder belongs to another user"))
	})

	It("is found by doctor, and completion and lists ignore it, with a line", Label("TS07"), func() {
		home := NewHomeFolder()
		home.File(OwnConfiguration, Configuration(NewToolbox("code", Scripted("git", WithTools("commit")))))
		Expect(home.Run("list", "code").Stderr).NotTo(ContainSubstring("not used"))
		Expect(home.Run("__complete", "call", "code/git/").Stdout).To(ContainSubstring("commit"))
		state := home.Path(".local/state")
		Expect(os.Chmod(state, 0o777)).To(Succeed())
		exposed := state + ": every user on this machine can change the folder"

		Expect(home.Run("__complete", "call", "code/git/").Stdout).NotTo(ContainSubstring("commit"))
		listed := home.Run("list", "code")
		Expect(listed.Stdout).To(ContainSubstring("commit"))
		Expect(listed.Stderr).To(ContainSubstring(exposed))
		found := home.Run("doctor", "--offline").Stdout
		Expect(found).To(And(ContainSubstring("D012"), ContainSubstring(exposed)))
	})

	It("is never in the working directory, whatever the variable of the home folder says", Label("TS07"), func() {
		p := newPackagedServer()
		p.publish("1.0.0")
		launch := p.launch("lock", "--packages")
		launch.Env = append(launch.Env, "XDG_STATE_HOME=", "HOME=.")
		launch.Dir = GinkgoT().TempDir()

		outcome := Run(launch)

		Expect(outcome.Code).To(Equal(1), outcome.Stderr)
		Expect(outcome.Stdout).To(ContainSubstring("not pinned: dev / files: resolve the npm package files-server: there is no home directory"))
		Expect(filepath.Join(launch.Dir, ".local")).NotTo(BeADirectory())
	})
})
