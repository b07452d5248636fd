package realservers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Observing real servers", func() {
	It("shows their state, output, calls, failures and unused tools, and restarts one", func(ctx SpecContext) {
		directory, home := realDirectory(), GinkgoT().TempDir()
		runtimeFolder, err := os.MkdirTemp("", "rt") // paths of sockets must be short
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(os.RemoveAll, runtimeFolder)
		env := append(environment(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_RUNTIME_DIR="+runtimeFolder)
		config := configuration(toolbox{"real", []server{everything(), filesystem(directory), memory(filepath.Join(directory, "graph.json"))}})
		ask := func(words ...string) finished { return runWorkbench(ctx, env, append(words, "--config", config)...) }
		h := startHost(env, programs.Workbench, "--config", config)
		h.initialize(ctx)
		w := workbench{h}

		Expect(w.open(ctx, "real").Connected).To(Equal(3))
		Expect(text(w.use(ctx, "real", "everything", "echo", `{"message":"here"}`))).To(Equal("Echo: here"))
		w.use(ctx, "real", "filesystem", "read_text_file", `{"path":"/no/such/file"}`)
		w.use(ctx, "real", "memory", "read_graph", `{}`)

		shown := func() map[string]shownServer {
			return serversIn(runWorkbench(ctx, env, "status", "--json").stdout)
		}
		Eventually(ctx, shown).Should(HaveLen(3))
		before := shown()
		Expect(before["everything"]).To(And(HaveField("State", "running"), HaveField("Calls", 1), HaveField("Errors", 0), HaveField("PID", BeNumerically(">", 1))))
		Expect(before["filesystem"]).To(And(HaveField("Errors", 1), HaveField("LastError.Tool", "read_text_file"), HaveField("LastError.Outcome", "tool_error")))
		Expect(runWorkbench(ctx, env, "logs", "real/filesystem").stdout).To(ContainSubstring("Secure MCP Filesystem Server running on stdio"))

		restarted := runWorkbench(ctx, env, "restart", "real/everything")
		Expect(restarted.code).To(Equal(0), restarted.stderr)
		Expect(restarted.stderr).To(ContainSubstring("restarted real/everything for 1 host"))
		Expect(shown()["everything"]).To(And(HaveField("State", "running"), HaveField("Restarts", 1), HaveField("PID", Not(Equal(before["everything"].PID)))))
		Expect(text(w.use(ctx, "real", "everything", "echo", `{"message":"again"}`))).To(Equal("Echo: again"))
		Expect(w.end()).To(Equal(0))

		Expect(runWorkbench(ctx, env, "calls", "--failed").stdout).To(MatchRegexp(`^[^\n]*\ttool_error\treal/filesystem/read_text_file\t[^\n]*\n$`))
		var usage struct {
			Calls, Failed int
			Unused        []struct {
				Server      string
				Called      int
				Tokens      int
				ToolFilters []string
			}
		}
		Expect(json.Unmarshal([]byte(ask("usage", "--json").stdout), &usage)).To(Succeed())
		Expect([]int{usage.Calls, usage.Failed}).To(Equal([]int{4, 1}))
		Expect(usage.Unused).To(ContainElement(And(
			HaveField("Server", "memory"), HaveField("Called", 1), HaveField("Tokens", BeNumerically(">", 500)),
			HaveField("ToolFilters", ContainElement("!delete_entities")),
		)))
	}, SpecTimeout(2*time.Minute))
})

// shownServer is a server in the output of status --json.
type shownServer struct {
	Name, State                  string
	PID, Restarts, Calls, Errors int
	LastError                    struct{ Tool, Outcome string }
}

// serversIn returns all servers in such an output, by name.
func serversIn(status string) map[string]shownServer {
	GinkgoHelper()
	var shown struct {
		Workbenches []struct {
			Snapshot struct {
				Hosts []struct{ Servers []shownServer }
			}
		}
	}
	Expect(json.Unmarshal([]byte(status), &shown)).To(Succeed(), status)
	servers := map[string]shownServer{}
	for _, w := range shown.Workbenches {
		for _, h := range w.Snapshot.Hosts {
			for _, s := range h.Servers {
				servers[s.Name] = s
			}
		}
	}
	return servers
}

// runWorkbench runs a command of the workbench to its end.
func runWorkbench(ctx context.Context, env []string, words ...string) finished {
	GinkgoHelper()
	var stdout, stderr bytes.Buffer
	program := exec.CommandContext(ctx, programs.Workbench, words...)
	program.Env, program.Stdout, program.Stderr = env, &stdout, &stderr
	_ = program.Run() // its exit code is in the result
	Expect(context.Cause(ctx)).NotTo(HaveOccurred())
	return finished{stdout: stdout.String(), stderr: stderr.String(), code: program.ProcessState.ExitCode()}
}
