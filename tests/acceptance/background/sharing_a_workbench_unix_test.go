//go:build unix

package background_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	. "mcp-workbench/tests/workbenchtest"
)

var _ = Describe("Hosts of a background workbench", Label("M11"), func() {
	It("see the same as hosts without one", func() {
		server := Scripted("files", reportingServer())
		without := newUser(Configuration(InDev(server))).window()
		with := newUser(backgroundConfiguration("true", server)).window()
		exchange := func(w *Workbench) []string {
			w.Open("dev")
			w.Use("dev", "files", "cwd", "{}")
			w.Send("no JSON")
			w.Send("[]")
			w.Request("tools/list", "{}")
			w.Request("ping", "{}")
			w.Request("no/such", "{}")
			w.Call("use_tool", `{"toolbox":"none"}`)
			var lines []string
			for _, m := range w.Received() {
				lines = append(lines, regexp.MustCompile(`/[^"\\]*ginkgo[0-9]*`).ReplaceAllString(m.Line, "FOLDER"))
			}
			return lines
		}
		Expect(exchange(with)).To(Equal(exchange(without)))
	})

	It("share one process of a shared server, and have their own processes of others", func() {
		u := newUser(backgroundConfiguration("true", Scripted("one", reportingServer(), Shared), Scripted("own", reportingServer())))
		a, b := u.window(), u.window()
		a.Open("dev")
		b.Open("dev")

		Expect(pidIn(a.Use("dev", "one", "pid", "{}"))).To(Equal(pidIn(b.Use("dev", "one", "pid", "{}"))))
		Expect(pidIn(a.Use("dev", "own", "pid", "{}"))).NotTo(Equal(pidIn(b.Use("dev", "own", "pid", "{}"))))
		pids, hosts := u.processes()
		Expect(pids).To(HaveLen(1))
		Expect(hosts).To(Equal(2))
	})

	It("start a server at its first use, shared or not, each time that they come back", Label("S20"), func() {
		shared := Scripted("one", reportingServer(), Shared, `"start":"use"`)
		own := Scripted("own", reportingServer(), `"start":"use"`)
		u := newUser(backgroundConfiguration("true", shared, own))
		window := u.launch()
		window.Dir = GinkgoT().TempDir()
		first := u.start(window)
		Expect(first.Open("dev").Connected).To(Equal(2))
		Expect(first.End()).To(Equal(0))
		Expect(u.command("stop").Code).To(Equal(0))
		a, b := u.start(window), u.start(window)

		for _, w := range []*Workbench{a, b} {
			Expect(w.Open("dev").Connected).To(BeZero())
		}
		Expect(shared.Starts() + own.Starts()).To(Equal(2))
		Expect(pidIn(a.Use("dev", "one", "pid", "{}"))).To(Equal(pidIn(b.Use("dev", "one", "pid", "{}"))))
		Expect([]int{shared.Starts(), own.Starts()}).To(Equal([]int{2, 1}))
	})

	It("have servers with the environment, folder and variables of their own window", func() {
		u := newUser(backgroundConfiguration("true",
			Scripted("own", reportingServer(), `"inheritEnv":true`), Scripted("set", reportingServer(), Shared, `"env":{"PLACE":"${PLACE:-none}"}`)))
		one, two := u.launch("PLACE=first"), u.launch("PLACE=second")
		one.Dir, two.Dir = GinkgoT().TempDir(), GinkgoT().TempDir()
		a, b := u.start(one), u.start(two)
		for w, want := range map[*Workbench][]string{a: {"PLACE=first", one.Dir}, b: {"PLACE=second", two.Dir}} {
			w.Open("dev")
			Expect(string(w.Use("dev", "own", "environ", "{}").Result)).To(ContainSubstring(want[0]))
			Expect(string(w.Use("dev", "own", "cwd", "{}").Result)).To(ContainSubstring(want[1]))
			Expect(string(w.Use("dev", "set", "environ", "{}").Result)).To(ContainSubstring(want[0]))
		}
		Expect(pidIn(a.Use("dev", "set", "pid", "{}"))).NotTo(Equal(pidIn(b.Use("dev", "set", "pid", "{}"))), "the settings differ")
	})

	It("keep working when it is killed: calls under way fail, and open toolboxes are opened again", func() {
		u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer(), Shared)))
		a, b := u.window(), u.window()
		a.Open("dev")
		b.Open("dev")
		before := pidIn(a.Use("dev", "files", "pid", "{}"))
		hanging := a.BeginUse("dev", "files", "hang", "{}")
		killed, tree := u.background(), slices.Concat(a.Processes(), b.Processes())
		kill(killed, syscall.SIGKILL)

		Expect(string(a.Await(hanging).Error)).To(ContainSubstring("the background workbench ended during this request"))
		after := pidIn(a.Use("dev", "files", "pid", "{}"))
		Expect(after).NotTo(Equal(before))
		Expect(pidIn(b.Use("dev", "files", "pid", "{}"))).To(Equal(after))
		Expect(u.background()).NotTo(Equal(killed))
		Eventually(func() []int { // the watchdog ends the servers of a killed workbench, and then itself
			return slices.DeleteFunc(slices.Clone(tree), func(pid int) bool { return syscall.Kill(pid, 0) != nil })
		}).WithTimeout(Patience).Should(BeEmpty())
	})

	It("keep working when it hangs", func() {
		u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer(), Shared)))
		a := u.window()
		a.Open("dev")
		hung := u.background()
		kill(hung, syscall.SIGSTOP)
		b := u.window()
		DeferCleanup(func() { // it has the standard error of both
			kill(hung, syscall.SIGCONT)
			kill(hung, syscall.SIGTERM)
			Eventually(func() error { return syscall.Kill(hung, 0) }).WithTimeout(Patience).Should(MatchError(syscall.ESRCH))
		})
		b.Open("dev")
		Expect(pidIn(b.Use("dev", "files", "pid", "{}"))).To(BeNumerically(">", 1))

		hanging := a.BeginUse("dev", "files", "pid", "{}")
		Expect(string(a.Await(hanging).Error)).To(ContainSubstring("the background workbench ended during this request"))
		Expect(pidIn(a.Use("dev", "files", "pid", "{}"))).To(Equal(pidIn(b.Use("dev", "files", "pid", "{}"))))
	})

	It("leave nothing behind when their bridge is killed", func() {
		u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer())))
		a, b := u.window(), u.window()
		b.Open("dev")
		server := pidIn(b.Use("dev", "files", "pid", "{}"))
		b.Signal(syscall.SIGKILL)
		b.ExitCode()

		Eventually(func() error { return syscall.Kill(server, 0) }).WithTimeout(Patience).Should(MatchError(syscall.ESRCH))
		a.Open("dev")
	})

	It("are served alone, with a line, where no socket can be made", func() {
		spoils := []func(u *user){
			func(u *user) { // too long
				u.env = append(u.env, "XDG_RUNTIME_DIR="+filepath.Join(u.run, strings.Repeat("x", 100)), "TMPDIR="+filepath.Join(u.run, strings.Repeat("y", 100)),
					"XDG_STATE_HOME="+filepath.Join(u.run, strings.Repeat("z", 100)))
			},
			func(u *user) { // foreign or full: no file can be created there
				file := filepath.Join(u.run, "file")
				WriteFile(file, "")
				u.env = append(u.env, "XDG_RUNTIME_DIR="+file, "TMPDIR="+file, "XDG_STATE_HOME="+file)
			},
		}
		if os.Geteuid() == 0 { // only root gives folders away
			spoils = append(spoils, func(u *user) { // of another user, as after sudo
				for _, name := range []string{"mcp-workbench", "mcp-workbench-0"} {
					folder := filepath.Join(u.run, name)
					Expect(os.Mkdir(folder, 0o700)).To(Succeed())
					Expect(os.Chown(folder, os.Getuid()+1, os.Getgid())).To(Succeed())
				}
				u.env = append(u.env, "XDG_STATE_HOME="+u.run)
			})
		}
		for _, spoil := range spoils {
			u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer())))
			spoil(u)
			w := Start(u.launch())
			w.Initialize()
			w.Open("dev")
			Expect(pidIn(w.Use("dev", "files", "pid", "{}"))).To(BeNumerically(">", 1))
			Eventually(w.Stderr).Should(ContainSubstring("this host is served without the background workbench: "))
			Expect(strings.Count(w.Stderr(), "this host is served without the background workbench: ")).To(Equal(1), w.Stderr())
			Expect(strings.Split(strings.TrimSpace(w.Stderr()), "\n")).To(HaveEach(Or(HavePrefix("mcp-workbench: "), HavePrefix("time="))))
		}
	})

	It("do not use that of another build of the program", func() {
		u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer(), Shared)))
		program, err := os.ReadFile(BuiltWorkbench())
		Expect(err).NotTo(HaveOccurred())
		newer := u.launch()
		newer.Program = filepath.Join(u.run, "mcp-workbench")
		Expect(os.WriteFile(newer.Program, program, 0o700)).To(Succeed())
		u.window().Open("dev")
		u.start(newer).Open("dev")
		pids, _ := u.processes()
		Expect(pids).To(HaveLen(2))
	})

	It("do not use that of another configuration", func() {
		u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer(), Shared)))
		other := *u
		other.path = filepath.Join(filepath.Dir(u.path), "other.json")
		WriteFile(other.path, backgroundConfiguration("true", Scripted("more", reportingServer())))
		u.window().Open("dev")
		other.window().Open("dev")
		pids, _ := u.processes()
		Expect(pids).To(HaveLen(2))
	})

	It("lose it when stop ends it, and start another one at their next message", func() {
		u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer(), Shared)))
		Expect(u.command("stop")).To(And(HaveField("Code", 1), HaveField("Stderr", ContainSubstring("no background workbench is running"))))
		w := u.window()
		w.Open("dev")
		server := pidIn(w.Use("dev", "files", "pid", "{}"))
		first := u.background()

		Expect(u.command("stop").Stdout).To(Equal("ended the background workbench " + strconv.Itoa(first) + "\n"))
		Expect(syscall.Kill(server, 0)).To(MatchError(syscall.ESRCH))
		pids, _ := u.processes()
		Expect(pids).To(BeEmpty())
		// What the bridge writes before it sees the end is answered with an error.
		next := func() string { return w.Use("dev", "files", "pid", "{}").Line }
		Eventually(next).WithTimeout(Patience).Should(And(ContainSubstring("pid "), Not(ContainSubstring("pid "+strconv.Itoa(server)+`"`))))
	})

	It("leave it running for background.linger", func() {
		u := newUser(backgroundConfiguration(`{"linger":"0s"}`, Scripted("files", reportingServer())))
		w := u.window()
		w.Open("dev")
		pid := u.background()
		Expect(w.End()).To(Equal(0))
		Eventually(func() error { return syscall.Kill(pid, 0) }).WithTimeout(Patience).Should(MatchError(syscall.ESRCH))

		u = newUser(backgroundConfiguration("true", Scripted("files", reportingServer())))
		w = u.window()
		first := u.background()
		Expect(w.End()).To(Equal(0))
		u.window()
		Expect(u.background()).To(Equal(first))
	})

	It("no longer have it once the configuration turns it off", func() {
		u := newUser(backgroundConfiguration("true", Scripted("files", reportingServer())))
		u.window().Open("dev")
		ReplaceFile(u.path, backgroundConfiguration("false", Scripted("files", reportingServer())))
		w := u.window()
		w.Open("dev")
		Expect(w.Stderr()).To(ContainSubstring(`this host is served without the background workbench`))
	})
})
