//go:build unix

package background_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// user is one user of a machine: a home, a folder for sockets, and a configuration.
type user struct {
	path string
	env  []string
	run  string
}

func newUser(configuration string) *user {
	GinkgoHelper()
	SkipOverHTTP("bridges are started by hosts")
	run, err := os.MkdirTemp("", "bg") // the path of a socket is short
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, run)
	home := GinkgoT().TempDir()
	path := filepath.Join(home, "workbench-config.json")
	WriteFile(path, configuration)
	return &user{path: path, run: run, env: []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + run, "TMPDIR=" + run}}
}

// launch returns the launch of a window of the user.
func (u *user) launch(env ...string) Launch {
	return Launch{Args: []string{"--config", u.path}, Env: append(append([]string{}, u.env...), env...)}
}

// window opens a window of the user. The background workbench ends with the spec.
func (u *user) window(env ...string) *Workbench { return u.start(u.launch(env...)) }

func (u *user) start(l Launch) *Workbench {
	GinkgoHelper()
	w := Start(l)
	DeferCleanup(func() {
		stop := exec.Command(BuiltWorkbench(), "stop")
		stop.Env = u.env
		_ = stop.Run() // it may have ended
	})
	w.Initialize()
	return w
}

// command runs a command of the user.
func (u *user) command(args ...string) Outcome {
	GinkgoHelper()
	return Run(Launch{Args: args, Env: u.env})
}

// processes returns the background workbenches that are running, and their hosts.
func (u *user) processes() (pids []int, hosts int) {
	GinkgoHelper()
	var shown struct {
		Workbenches []struct {
			Snapshot struct {
				PID   int
				Hosts []struct{ Transport string }
			}
		}
	}
	outcome := u.command("status", "--json")
	Expect(json.Unmarshal([]byte(outcome.Stdout), &shown)).To(Succeed(), outcome.Stdout+outcome.Stderr)
	for _, workbench := range shown.Workbenches {
		pids = append(pids, workbench.Snapshot.PID)
		for _, host := range workbench.Snapshot.Hosts {
			Expect(host.Transport).To(Equal("background"))
			hosts++
		}
	}
	return pids, hosts
}

// background returns the process of the background workbench.
func (u *user) background() int {
	GinkgoHelper()
	pids, _ := u.processes()
	Expect(pids).To(HaveLen(1))
	return pids[0]
}

// kill sends a signal to a process.
func kill(pid int, signal syscall.Signal) {
	GinkgoHelper()
	Expect(syscall.Kill(pid, signal)).To(Succeed())
}

// backgroundConfiguration returns a configuration with a background workbench.
func backgroundConfiguration(value string, servers ...Server) string {
	return WithRoot(Configuration(InDev(servers...)), `"background":`+value)
}

// reportingServer is a server that reports its process, its folder and a variable.
func reportingServer() script.Script {
	s := WithTools("pid", "cwd", "environ", "hang")
	s.Rules = []script.Rule{
		script.Answer("pid", script.Text("pid ${pid}")),
		{Method: "tools/call", Tool: "cwd", Do: []script.Step{{Cwd: true}}},
		{Method: "tools/call", Tool: "environ", Do: []script.Step{{Environ: true}}},
		{Method: "tools/call", Tool: "hang", Background: true, Do: []script.Step{{Hang: true}}},
	}
	return s
}

func pidIn(m Message) int {
	GinkgoHelper()
	found := regexp.MustCompile(`pid (\d+)`).FindStringSubmatch(string(m.Result))
	Expect(found).NotTo(BeNil(), string(m.Result)+string(m.Error))
	pid, _ := strconv.Atoi(found[1])
	return pid
}
