//go:build unix

package packages_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/lock/packages"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

// workerVariable makes this program a process that installs. It holds a job.
const workerVariable = "PACKAGES_WORKER"

// job is one installation.
type job struct {
	Folder string
	Path   string // with a scripted npm
	Pin    domain.PackagePin
	// LockFile is npm's, "" for one of a package without dependencies.
	LockFile string
	// KillAt is the step at which the worker is killed, "" for none.
	KillAt string
	// Environ are further variables of npm.
	Environ []string
}

func TestMain(m *testing.M) {
	text := os.Getenv(workerVariable)
	if text == "" {
		m.Run()
		return
	}
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		panic(err)
	}
	packages.OnStep(func(name string) {
		if name == j.KillAt {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	if err := j.do(context.Background()); err != nil {
		panic(err)
	}
}

func (j job) do(ctx context.Context) error {
	store := packages.New(j.Folder, append(j.Environ, "PATH="+j.Path+":/usr/bin:/bin"))
	lockFile := cmp.Or(j.LockFile, lockOf(j.Pin.Name, "1.0.0"))
	return store.Install(ctx, server("npx", j.Pin.Name), j.Pin, []byte(lockFile))
}

func (j job) isInstalled() bool { return packages.New(j.Folder, nil).IsInstalled(j.Pin) }

// start runs the job in a process of its own and returns how that ended.
func (j job) start() error {
	GinkgoHelper()
	text := spec.Must(json.Marshal(j))
	self := spec.Must(os.Executable())
	worker := exec.Command(self)
	worker.Env = append(os.Environ(), workerVariable+"="+string(text))
	worker.Stderr = GinkgoWriter
	return worker.Run()
}

func pinOf(name string) domain.PackagePin {
	return domain.PackagePin{
		PackageRequest: domain.PackageRequest{Kind: domain.PackageNPM, Name: name, Spec: name}, Version: "1.0.0",
		LockDigest: strings.Repeat(fmt.Sprintf("%x", name), 32)[:64],
	}
}

var _ = Describe("Installing", func() {
	var (
		folder string
		path   string // of the scripted npm, which notes each run in a file beside it
	)
	BeforeEach(func() {
		folder, path = filepath.Join(GinkgoT().TempDir(), "state"), GinkgoT().TempDir()
		npm := `#!/bin/sh
echo run >> ` + path + `/runs
[ "$KILL_PARENT" = begin ] && kill -9 $PPID && exit
mkdir -p node_modules/echo node_modules/other node_modules/.bin
[ "$KILL_PARENT" = half ] && kill -9 $PPID && exit
echo > node_modules/echo/x.js; echo > node_modules/other/x.js
`
		Expect(os.WriteFile(filepath.Join(path, "npm"), []byte(npm), 0o700)).To(Succeed())
	})
	// left returns the folders that are there.
	left := func() (names []string) {
		GinkgoHelper()
		found := spec.Must(os.ReadDir(filepath.Join(folder, "npm")))
		for _, entry := range found {
			if entry.IsDir() {
				names = append(names, entry.Name())
			}
		}
		return names
	}
	// pass lets time go by for everything that is there.
	pass := func(by time.Duration) {
		GinkgoHelper()
		for _, name := range left() {
			path := filepath.Join(folder, "npm", name)
			Expect(packages.Age(path, by)).To(Succeed())
			if marker := filepath.Join(path, "installed.json"); !strings.HasPrefix(name, ".") {
				Expect(packages.Age(marker, by)).To(Succeed())
			}
		}
	}

	It("happens once for ten processes that start together", Label("P03"), func() {
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				defer GinkgoRecover()
				Expect(job{Folder: folder, Path: path, Pin: pinOf("echo")}.start()).To(Succeed())
			})
		}
		wg.Wait()

		Expect(string(spec.Must(os.ReadFile(filepath.Join(path, "runs"))))).To(Equal("run\n"))
		Expect(left()).To(HaveLen(1))
	})

	DescribeTable("leaves nothing incomplete, and is finished by the next process", Label("P07"),
		func(ctx context.Context, killAt string, isInstalled bool) {
			j := job{Folder: folder, Path: path, Pin: pinOf("echo"), KillAt: killAt}
			if killAt == "put aside" { // there has to be something broken
				Expect(j.do(ctx)).To(Succeed())
				Expect(os.Remove(filepath.Join(folder, "npm", left()[0], "installed.json"))).To(Succeed())
			}
			if moment, ok := strings.CutPrefix(killAt, "npm "); ok {
				j.Environ = []string{"KILL_PARENT=" + moment}
			}
			Expect(j.start()).To(MatchError("signal: killed"))
			j.Environ = nil

			Expect(j.isInstalled()).To(Equal(isInstalled))
			Expect(j.do(ctx)).To(Succeed())
			Expect(j.isInstalled()).To(BeTrue())

			pass(packages.LeftoverTime + time.Minute)
			other := job{Folder: folder, Path: path, Pin: pinOf("other")}
			Expect(other.do(ctx)).To(Succeed())
			Expect(left()).To(HaveLen(2), "leftovers are gone")
			Expect(j.isInstalled()).To(BeTrue())
		},
		Entry("when it is killed with the lock", "locked", false),
		Entry("when it is killed before npm", "prepared", false),
		Entry("when it is killed while npm begins", "npm begin", false),
		Entry("when it is killed while npm is at work", "npm half", false),
		Entry("when it is killed after npm", "installed", false),
		Entry("when it is killed before the folder is in place", "marked", false),
		Entry("when it is killed while a broken folder is removed", "put aside", false),
		Entry("when it is killed at the end", "in place", true),
	)

	It("removes packages that were not started for 90 days, and no others", func(ctx context.Context) {
		used, unused, other := job{Folder: folder, Path: path, Pin: pinOf("echo")}, job{Folder: folder, Path: path, Pin: pinOf("other")}, pinOf("other")
		other.LockDigest = strings.Repeat("ab", 32)
		Expect(used.do(ctx)).To(Succeed())
		Expect(unused.do(ctx)).To(Succeed())
		pass(packages.UnusedTime + time.Hour)
		Expect(packages.New(folder, []string{"PATH=" + nodeFolder(path)}).Pinned(server("npx", "echo"), used.Pin)).Error().NotTo(HaveOccurred())

		Expect(job{Folder: folder, Path: path, Pin: other}.do(ctx)).To(Succeed())

		Expect(used.isInstalled()).To(BeTrue())
		Expect(unused.isInstalled()).To(BeFalse())
		Expect(left()).To(HaveLen(2))
	})

	It("is repeated when files of the package are missing", func(ctx context.Context) {
		j := job{Folder: folder, Path: path, Pin: pinOf("echo")}
		Expect(j.do(ctx)).To(Succeed())
		script := filepath.Join(folder, "npm", left()[0], "node_modules", "echo", "x.js")
		Expect(os.Remove(script)).To(Succeed())
		Expect(j.isInstalled()).To(BeFalse())
		_, err := packages.New(folder, nil).Pinned(server("npx", "echo"), j.Pin)
		Expect(err).To(MatchError(ContainSubstring("the npm package echo@1.0.0 is not installed: ")))

		Expect(j.do(ctx)).To(Succeed())

		Expect(script).To(BeAnExistingFile())
		Expect(left()).To(HaveLen(1))
	})

	It("puts node and the package's programs first in the server's PATH", func(ctx context.Context) {
		j := job{Folder: folder, Path: path, Pin: pinOf("echo")}
		Expect(j.do(ctx)).To(Succeed())
		node := nodeFolder(path)
		start := starting(domain.Program{Command: "npx", Args: []string{"-y", "echo", "--x"}, Cwd: "/srv", Env: map[string]string{"PATH": node, "A": "b"}})
		start.Shown.Program.Args = []string{"-y", "echo", "${X}"}

		pinned := spec.Must(packages.New(folder, []string{"PATH=/bin"}).Pinned(start, j.Pin))
		in := filepath.Join(folder, "npm", left()[0], "node_modules")
		Expect(pinned.Traits.Program).To(Equal(domain.Program{
			Command: node + "/node", Args: []string{in + "/echo/x.js", "--x"}, Cwd: "/srv",
			Env: map[string]string{"A": "b", "PATH": in + "/.bin:" + node},
		}))
		Expect(pinned.Shown.Program.Command).To(Equal("node"))
		Expect(pinned.Shown.Program.Args).To(Equal([]string{in + "/echo/x.js", "${X}"}))
		Expect(start.Traits.Program.Env).To(HaveKeyWithValue("PATH", node))

		_, err := packages.New(folder, []string{"PATH=" + path}).Pinned(server("npx", "echo"), j.Pin)
		Expect(err).To(MatchError("node, which runs the npm package echo@1.0.0, is not in PATH"))
	})
})

// nodeFolder returns a folder with a program called node.
func nodeFolder(below string) string {
	GinkgoHelper()
	folder := filepath.Join(below, "node")
	Expect(os.MkdirAll(folder, 0o700)).To(Succeed())
	Expect(os.WriteFile(filepath.Join(folder, "node"), []byte("#!/bin/sh\n"), 0o700)).To(Succeed())
	return folder
}
