//go:build unix

package background_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// shellUser is a user whose commands use servers of the background workbench, which ends with the spec.
func shellUser(configuration string) *user {
	GinkgoHelper()
	u := newUser(configuration)
	DeferCleanup(func() {
		stop := exec.Command(BuiltWorkbench(), "stop")
		stop.Env = u.env
		_ = stop.Run() // it may have ended
	})
	return u
}

// call runs call with these words and returns what it printed, which must have succeeded.
func (u *user) call(words ...string) string {
	GinkgoHelper()
	outcome := u.command(append([]string{"call", "--config", u.path}, words...)...)
	Expect(outcome.Code).To(Equal(0), outcome.Stderr)
	return strings.TrimPrefix(strings.TrimSpace(outcome.Stdout), "pid ")
}

// shells returns the hosts of the background workbench that are shells.
func (u *user) shells() (names []string) {
	GinkgoHelper()
	var shown struct {
		Workbenches []struct {
			Snapshot struct {
				Hosts []struct{ Name, Transport, Caller, Session string }
			}
		}
	}
	Expect(json.Unmarshal([]byte(u.command("status", "--json").Stdout), &shown)).To(Succeed())
	for _, workbench := range shown.Workbenches {
		for _, host := range workbench.Snapshot.Hosts {
			names = append(names, strings.TrimSpace(host.Name+" "+host.Session))
			Expect(host.Caller).NotTo(BeEmpty())
		}
	}
	return names
}

var _ = Describe("Commands of a shell with a background workbench", func() {
	It("use one server, which keeps its state from one call to the next", func() {
		own := Scripted("own", reportingServer())
		u := shellUser(backgroundConfiguration("true", own, Scripted("other", reportingServer())))

		first := u.call("dev/own/pid")
		Expect(u.call("dev/own/pid")).To(Equal(first))
		Expect(u.command("list", "--config", u.path, "dev/own/pid").Code).To(Equal(0))
		Expect(own.Starts()).To(Equal(1))
		Expect(u.shells()).To(Equal([]string{"shell"}))
	})

	It("use the configuration as it is, however short ago it was changed", func() {
		u := shellUser(backgroundConfiguration("true", Scripted("own", reportingServer())))
		first := u.call("dev/own/pid")

		changed := backgroundConfiguration("true", Scripted("own", reportingServer()), Scripted("other", reportingServer()))
		Expect(os.WriteFile(u.path, []byte(changed), 0o600)).To(Succeed())

		Expect(u.call("dev/other/pid")).NotTo(Equal(first))
	})

	It("read resources of the servers that stay", func() {
		own := reportingServer()
		own.Capabilities = `{"tools":{},"resources":{}}`
		own.Rules = append([]script.Rule{
			{Method: "resources/list", Do: []script.Step{{Result: `{"resources":[{"uri":"a:b","name":"one"}]}`}}},
			{Method: "resources/read", Do: []script.Step{{Result: `{"contents":[{"uri":"a:b","text":"two"}]}`}}},
		}, own.Rules...)
		server := Scripted("own", own)
		u := shellUser(backgroundConfiguration("true", server))

		first := u.call("dev/own/pid")
		Expect(u.command("read", "--config", u.path, "dev/own").Stdout).To(Equal("a:b\tone\t\n"))
		Expect(u.command("read", "--config", u.path, "dev/own", "a:b").Stdout).To(Equal("two\n"))
		Expect(u.call("dev/own/pid")).To(Equal(first))
		Expect(server.Starts()).To(Equal(1))
	})

	It("share servers with hosts only if the configuration says so", func() {
		u := shellUser(backgroundConfiguration("true", Scripted("one", reportingServer(), Shared), Scripted("own", reportingServer())))
		window := u.window()
		window.Open("dev")

		Expect(u.call("dev/one/pid")).To(Equal(strconv.Itoa(pidIn(window.Use("dev", "one", "pid", "{}")))))
		Expect(u.call("dev/own/pid")).NotTo(Equal(strconv.Itoa(pidIn(window.Use("dev", "own", "pid", "{}")))))
	})

	It("have servers of their own session, and of other values of variables, and none with --alone", func() {
		u := shellUser(backgroundConfiguration("true", Scripted("own", reportingServer(), `"env":{"PLACE":"${PLACE:-none}"}`)))

		a, b := u.call("--session", "a", "dev/own/pid"), u.call("--session", "b", "dev/own/pid")
		Expect(b).NotTo(Equal(a))
		Expect(u.call("--session", "a", "dev/own/pid")).To(Equal(a))
		u.env = append(u.env, "PLACE=here")
		Expect(u.call("--session", "a", "dev/own/pid")).NotTo(Equal(a))
		Expect(u.call("--session", "a", "dev/own/environ")).To(ContainSubstring("PLACE=here"))
		Expect(u.shells()).To(ConsistOf("shell a", "shell b", "shell a"))
		alone := u.call("--alone", "dev/own/pid")
		Expect(alone).NotTo(Equal(a))
		pid, err := strconv.Atoi(alone)
		Expect(err).NotTo(HaveOccurred())
		Expect(syscall.Kill(pid, 0)).To(MatchError(syscall.ESRCH))
	})

	It("end with the same codes and messages as without one", func() {
		s := reportingServer()
		s.Tools = append(s.Tools, `{"name":"echo","inputSchema":{"type":"object","properties":{"count":{"type":"integer"}}}}`)
		s.Rules = append([]script.Rule{script.Answer("echo", `{ "x":1.0,"content":[{"type":"text","text":"bad"}], "isError":true}`)}, s.Rules...)
		servers := []Server{Scripted("own", s), Scripted("broken", script.Script{Rules: []script.Rule{{Method: "initialize", Do: []script.Step{{Exit: 3}}}}})}
		with, without := shellUser(backgroundConfiguration("true", servers...)), newUser(backgroundConfiguration("false", servers...))

		for _, words := range [][]string{
			{"call", "dev/own/echo", "count=1"},
			{"call", "dev/own/echo", "--json"},
			{"call", "dev/own/echo", "count=x"},
			{"call", "dev/own/echo", "other=1"},
			{"call", "dev/own/none"},
			{"call", "dev/broken/x"},
			{"list", "dev"},
			{"list", "dev/own", "--json"},
			{"list", "dev/own/echo"},
			{"call", "--timeout", "1ms", "dev/own/hang"},
		} {
			got, want := with.command(append(words, "--config", with.path)...), without.command(append(words, "--config", without.path)...)
			Expect(got).To(Equal(want), strings.Join(words, " "))
		}
	})

	It("go on when the background workbench was killed between two calls", func() {
		u := shellUser(backgroundConfiguration("true", Scripted("own", reportingServer())))
		first := u.call("dev/own/pid")
		var shown struct {
			Workbenches []struct{ Snapshot struct{ PID int } }
		}
		Expect(json.Unmarshal([]byte(u.command("status", "--json").Stdout), &shown)).To(Succeed())
		kill(shown.Workbenches[0].Snapshot.PID, syscall.SIGKILL)

		Expect(u.call("dev/own/pid")).NotTo(Equal(first))
	})

	It("may call at the same time", func() {
		own := Scripted("own", reportingServer())
		u := shellUser(backgroundConfiguration("true", own))
		pids := make([]string, 10)
		var calls sync.WaitGroup
		for i := range pids {
			calls.Go(func() {
				defer GinkgoRecover()
				pids[i] = u.call("dev/own/pid")
			})
		}
		calls.Wait()

		Expect(pids).To(HaveEach(pids[0]))
		Expect(own.Starts()).To(Equal(1))
	})

	It("print as much of a long result as fits, and one result a line for several calls", func() {
		s := WithTools("long", "fail", "pid")
		s.Rules = []script.Rule{
			script.Answer("pid", script.Text("pid ${pid}")), script.Answer("fail", `{"content":[],"isError":true}`),
			script.Answer("long", script.Text(strings.Repeat("word ", 20_000))),
		}
		own := Scripted("own", s)
		u := shellUser(backgroundConfiguration("true", own))
		Expect(u.call("dev/own/long")).To(MatchRegexp(`(?s)^word .*\n… \d+ KB of \d+ KB shown; whole: /\S+/result-\d+\.txt$`))
		for _, whole := range [][]string{{"--max", "0"}, {"--alone"}, {"--json"}} {
			Expect(len(u.call(append(whole, "dev/own/long")...))).To(BeNumerically(">", 99_000))
		}
		lines := func(tool string, more ...string) Outcome {
			return Run(Launch{Env: u.env, Args: append([]string{"call", "--config", u.path, "dev/own/" + tool, "-"}, more...), Input: "{}\n{}\n"})
		}
		Expect(strings.Split(lines("pid").Stdout, "\n")).To(HaveExactElements(ContainSubstring(`"pid `), ContainSubstring(`"pid `), ""))
		Expect(lines("fail")).To(Equal(Outcome{Code: 5, Stdout: `{"content":[],"isError":true}` + "\n"}))
		Expect(lines("fail", "--keep-going").Stdout).To(Equal(strings.Repeat(`{"content":[],"isError":true}`+"\n", 2)))
		Expect(lines("none", "--keep-going")).To(SatisfyAll(HaveField("Code", 2), HaveField("Stdout", MatchRegexp(`^(\{"error":\{"message":"tool .*","exitCode":2\}\}\n){2}$`))))
	})

	It("leave no server behind when their session is over", func() {
		u := shellUser(backgroundConfiguration(`{"linger":"0s"}`, Scripted("own", reportingServer())))
		pid, err := strconv.Atoi(u.call("dev/own/pid"))
		Expect(err).NotTo(HaveOccurred())

		Eventually(func() error { return syscall.Kill(pid, 0) }).WithTimeout(Patience).Should(MatchError(syscall.ESRCH))
	})

	It("start their servers themselves, and say so, where no background workbench can be", func() {
		u := newUser(backgroundConfiguration("true", Scripted("own", reportingServer())))
		blocked := filepath.Join(u.run, "file")
		WriteFile(blocked, "")
		u.env = append(u.env, "XDG_RUNTIME_DIR="+blocked, "TMPDIR="+blocked, "XDG_STATE_HOME="+filepath.Join(blocked, "state"))
		if os.Geteuid() == 0 {
			u.env = append(u.env, "HOME="+filepath.Join(blocked, "home"))
		}

		outcome := u.command("call", "--config", u.path, "dev/own/pid")

		Expect(outcome.Code).To(Equal(0), outcome.Stderr)
		Expect(outcome.Stderr).To(ContainSubstring("servers are started for this command only, without the background workbench: "))
	})
})
