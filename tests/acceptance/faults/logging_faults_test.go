package faults_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	"mcp-workbench/tests/spec"
	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("The log", func() {
	mortal := func() Server {
		s := WithTools("die", "read")
		s.Rules = []script.Rule{
			{Method: "tools/call", Tool: "die", Do: []script.Step{{Stderr: "out of luck"}, {Exit: 3}}}, script.Answer("read", script.Text("done")),
		}
		return Scripted("files", s)
	}

	It("says at info that a server died, when, for which host and why", func() {
		w := Start(Launch{Config: Configuration(InDev(mortal())), Args: []string{"--log-level", "info"}})
		w.Initialize()
		w.Open("dev")
		w.Use("dev", "files", "die", "{}")

		Eventually(w.Stderr).WithTimeout(Patience).Should(MatchRegexp(
			`level=INFO msg="the server died" (session=\S+ )?toolbox=dev server=files why="the server ended with exit code 3; the end of its stderr: out of luck" up=\S+ host=\S+\n`))
		Expect(w.End()).To(Equal(0))
		Expect(strings.Count(w.Stderr(), "the server died")).To(Equal(1))
	})

	Context("in a file", func() {
		var path string
		BeforeEach(func() { path = filepath.Join(GinkgoT().TempDir(), "workbench.log") })
		kept := func() string {
			GinkgoHelper()
			return string(spec.Must(os.ReadFile(path)))
		}
		// serve serves a host whose server dies, and returns the process.
		serve := func(l Launch) *Workbench {
			GinkgoHelper()
			if l.Config == "" {
				l.Config = Configuration(InDev(mortal()))
			}
			l.Env = append(l.Env, "WORKBENCH_LOG_LEVEL=info")
			w := Start(l)
			w.Initialize()
			w.Open("dev")
			w.Use("dev", "files", "die", "{}")
			w.Use("dev", "files", "read", "{}")
			Expect(w.End()).To(Equal(0))
			return w
		}

		It("has the lines of stderr, each with its process, readable for its user only", func() {
			w := serve(Launch{Args: []string{"--log-file", path}})

			pid := strconv.Itoa(w.PID()) + " "
			for line := range strings.Lines(kept()) {
				Expect(line).To(HavePrefix(pid))
			}
			Expect(kept()).To(And(ContainSubstring("mcp-workbench: using "), ContainSubstring("the server died"), ContainSubstring("restarted the server")))
			for line := range strings.Lines(w.Stderr()) {
				Expect(kept()).To(ContainSubstring(pid + line))
			}
			if runtime.GOOS != "windows" {
				Expect(spec.Must(os.Stat(path)).Mode().Perm()).To(Equal(os.FileMode(0o600)))
			}
		})

		It("cannot be a link: the workbench serves without it, and stderr says so", Label("TL04"), func() {
			target := filepath.Join(filepath.Dir(path), "precious")
			Expect(os.WriteFile(target, []byte("mine"), 0o600)).To(Succeed())
			if err := os.Symlink(target, path); err != nil {
				Skip("no links can be made here: " + err.Error())
			}
			if info, err := os.Lstat(path); err != nil || info.Mode().IsRegular() {
				Skip("a link is shown as the file that it leads to here")
			}

			w := serve(Launch{Args: []string{"--log-file", path}})

			Expect(w.Stderr()).To(ContainSubstring("mcp-workbench: there is no log file: write the log to " + path + ": it is a link"))
			Expect(os.ReadFile(target)).To(Equal([]byte("mine")))
		})
	})
})
