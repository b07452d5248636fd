package metrics_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/mcpserver/callers"
	"mcp-workbench/adapters/observe/metrics"
	"mcp-workbench/adapters/system/ownprocess"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

func TestMetrics(t *testing.T) { spec.Run(t, "The metrics") }

var _ = Describe("The metrics", func() {
	three := func(string) int { return 3 }
	read := func(page *metrics.Page, toolboxes []string) string {
		GinkgoHelper()
		request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		answer := httptest.NewRecorder()
		page.Handler(three).ServeHTTP(answer, request.WithContext(callers.WithAccess(request.Context(), callers.Access{Toolboxes: toolboxes})))
		Expect(answer.Code).To(Equal(200))
		Expect(answer.Header().Get("Content-Type")).To(Equal("text/plain; version=0.0.4; charset=utf-8"))
		for line := range strings.SplitSeq(strings.TrimSuffix(answer.Body.String(), "\n"), "\n") {
			Expect(line).To(MatchRegexp(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="([^"\\\n]|\\["\\n])*",?)+\})? [0-9.e+-]+)$`))
		}
		return answer.Body.String()
	}
	states := []string{"running", "failed"}
	server := func(toolbox domain.ToolboxName, name domain.ServerName) domain.Server {
		return domain.Server{ID: domain.ServerID{Toolbox: toolbox, Server: name}}
	}
	dev := domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "log"}
	secret := domain.ToolIdentifier{Toolbox: "secret", Server: "vault", Tool: "read"}
	call := func(tool domain.ToolIdentifier, outcome domain.Outcome, duration time.Duration) domain.Activity {
		return domain.Activity{Kind: domain.ActivityCall, Tool: tool, Outcome: outcome, Duration: duration, Sent: 7}
	}

	It("have the calls of at most 1,000 identities, for callers that see all toolboxes", func() {
		page := metrics.NewPage(metrics.Settings{States: states, ByIdentity: true})
		for i := range 1002 {
			page.CallsOf(fmt.Sprintf("subject %d", i)).Observe(call(dev, domain.OutcomeOK, 0))
		}
		page.CallsOf("").Observe(call(dev, domain.OutcomeError, 0))
		page.CallsOf("subject 1").Observe(domain.Activity{Kind: domain.ActivityCall, Unknown: true})

		text := read(page, nil)
		Expect(strings.Count(text, "identity_sessions{")).To(Equal(1001))
		Expect(text).To(And(
			ContainSubstring(`mcp_workbench_identity_calls_total{identity="subject 1",outcome="ok"} 1`+"\n"),
			ContainSubstring(`mcp_workbench_identity_calls_total{identity="",outcome="ok"} 2`+"\n"),
			ContainSubstring(`mcp_workbench_identity_calls_total{identity="",outcome="error"} 1`+"\n"),
			ContainSubstring(`mcp_workbench_identity_sessions{identity="subject 1"} 3`+"\n")))
		Expect(read(page, []string{"dev"})).NotTo(ContainSubstring("identity_"))
		Expect(read(metrics.NewPage(metrics.Settings{States: states}), nil)).NotTo(ContainSubstring("identity_"))
	})

	It("have calls, errors, bytes and times by server", func() {
		page := metrics.NewPage(metrics.Settings{States: states})
		calls := page.CallsOf("")
		for range 2 {
			answered := call(dev, domain.OutcomeOK, 50*time.Millisecond)
			answered.Received = 14
			calls.Observe(answered)
		}
		calls.Observe(call(dev, domain.OutcomeTimeout, 10*time.Minute))
		for _, outcome := range []domain.Outcome{domain.OutcomeRefused, domain.OutcomeDeclined, domain.OutcomeCancelled} {
			calls.Observe(call(secret, outcome, 0))
		}
		calls.Observe(call(secret, domain.OutcomeError, 0))
		calls.Observe(call(secret, domain.OutcomeToolError, 0))
		calls.Observe(domain.Activity{Kind: domain.ActivityOpen, Tool: secret})

		text := read(page, nil)

		for _, line := range []string{
			"# TYPE mcp_workbench_call_duration_seconds histogram",
			"mcp_workbench_sessions 3",
			`mcp_workbench_servers{state="failed"} 0`,
			`mcp_workbench_calls_total{toolbox="dev",server="git",outcome="ok"} 2`,
			`mcp_workbench_calls_total{toolbox="dev",server="git",outcome="timeout"} 1`,
			`mcp_workbench_calls_total{toolbox="dev",server="git",outcome="cancelled"} 0`,
			`mcp_workbench_calls_total{toolbox="secret",server="vault",outcome="tool_error"} 1`,
			`mcp_workbench_call_errors_total{toolbox="dev",server="git"} 1`,
			`mcp_workbench_call_errors_total{toolbox="secret",server="vault"} 1`,
			`mcp_workbench_call_bytes_total{toolbox="dev",server="git",direction="arguments"} 21`,
			`mcp_workbench_call_bytes_total{toolbox="dev",server="git",direction="results"} 28`,
			`mcp_workbench_call_duration_seconds_bucket{toolbox="dev",server="git",le="0.025"} 0`,
			`mcp_workbench_call_duration_seconds_bucket{toolbox="dev",server="git",le="0.1"} 2`,
			`mcp_workbench_call_duration_seconds_bucket{toolbox="dev",server="git",le="120"} 2`,
			`mcp_workbench_call_duration_seconds_bucket{toolbox="dev",server="git",le="+Inf"} 3`,
			`mcp_workbench_call_duration_seconds_sum{toolbox="dev",server="git"} 600.1`,
			`mcp_workbench_call_duration_seconds_count{toolbox="dev",server="git"} 3`,
		} {
			Expect(text).To(ContainSubstring("\n" + line + "\n"))
		}
	})

	It("have calls by tool if asked for, of a bounded number of tools", Label("TL02"), func() {
		page := metrics.NewPage(metrics.Settings{ByTool: true})
		calls := page.CallsOf("")
		calls.Observe(call(dev, domain.OutcomeOK, time.Second))
		calls.Observe(call(dev, domain.OutcomeToolError, 2*time.Second))
		for i := range 2000 {
			tool := secret
			tool.Tool = strings.Repeat("x", i)
			calls.Observe(call(tool, domain.OutcomeOK, 0))
		}

		text := read(page, nil)

		for _, line := range []string{
			`mcp_workbench_tool_calls_total{toolbox="dev",server="git",tool="log",outcome="ok"} 1`,
			`mcp_workbench_tool_calls_total{toolbox="dev",server="git",tool="log",outcome="tool_error"} 1`,
			`mcp_workbench_tool_call_duration_seconds_sum{toolbox="dev",server="git",tool="log"} 3`,
			`mcp_workbench_tool_call_duration_seconds_count{toolbox="dev",server="git",tool="log"} 2`,
			`mcp_workbench_tool_calls_total{toolbox="secret",server="vault",tool="",outcome="ok"} 1002`,
		} {
			Expect(text).To(ContainSubstring("\n" + line + "\n"))
		}
		Expect(strings.Count(text, "tool_calls_total{")).To(Equal(1001))
		Expect(read(page, []string{"dev"})).NotTo(ContainSubstring("vault"))
		Expect(read(metrics.NewPage(metrics.Settings{}), nil)).NotTo(ContainSubstring("tool_calls"))
	})

	It("have the build, and the figures of the process for readers who see all toolboxes", func() {
		page := metrics.NewPage(metrics.Settings{Version: "v1.2.3", Commit: "abc", Process: func() ownprocess.Figures {
			return ownprocess.Figures{Processor: 1500 * time.Millisecond, Resident: 4096, MaxFiles: 1024}
		}})

		text := read(page, nil)

		for _, line := range []string{
			`mcp_workbench_build_info{version="v1.2.3",revision="abc",goversion="` + runtime.Version() + `"} 1`,
			`go_info{version="` + runtime.Version() + `"} 1`,
			"process_cpu_seconds_total 1.5", "process_resident_memory_bytes 4096", "process_max_fds 1024",
		} {
			Expect(text).To(ContainSubstring("\n" + line + "\n"))
		}
		for _, name := range []string{"go_goroutines", "go_memstats_alloc_bytes", "process_start_time_seconds", "go_gc_duration_seconds_count"} {
			Expect(text).To(MatchRegexp(`(?m)^` + name + ` [1-9][0-9.e+]*$|^` + name + ` 0$`))
		}
		Expect(text).NotTo(ContainSubstring("process_open_fds"), "which the system did not tell")
		limited := read(page, []string{"dev"})
		Expect(limited).To(ContainSubstring("build_info"))
		Expect(limited).NotTo(Or(ContainSubstring("process_"), ContainSubstring("go_goroutines")))
	})

	It("have no series for names invented by a caller", func() {
		page := metrics.NewPage(metrics.Settings{States: states})
		calls := page.CallsOf("")
		unknown := call(secret, domain.OutcomeRefused, 0)
		unknown.Unknown = true
		calls.Observe(unknown)
		Expect(read(page, nil)).NotTo(ContainSubstring("vault"))
	})

	It("have the servers of all connected hosts", func() {
		page := metrics.NewPage(metrics.Settings{States: states})
		servers := func(each func(domain.Server, string)) {
			each(server("dev", "git"), "running")
			each(server("secret", "vault"), "failed")
		}
		page.Watch(servers)
		remove := page.Watch(servers)

		Expect(read(page, nil)).To(And(ContainSubstring(`servers{state="running"} 2`), ContainSubstring(`servers{state="failed"} 2`)))
		remove()
		Expect(read(page, nil)).To(ContainSubstring(`servers{state="running"} 1`))
	})

	It("have a shared server once, with its first state for any host", func() {
		page := metrics.NewPage(metrics.Settings{States: []string{"running", "idle", "failed"}})
		shared := server("dev", "git")
		shared.Shared = true
		for _, state := range []string{"failed", "running", "idle"} {
			page.Watch(func(each func(domain.Server, string)) {
				each(shared, state)
				each(server("dev", "files"), state)
			})
		}

		for _, line := range []string{`servers{state="running"} 2`, `servers{state="idle"} 1`, `servers{state="failed"} 1`} {
			Expect(read(page, nil)).To(ContainSubstring(line))
		}
	})

	It("have nothing about toolboxes that the reader may not see", func() {
		page := metrics.NewPage(metrics.Settings{States: states})
		calls := page.CallsOf("")
		calls.Observe(call(dev, domain.OutcomeOK, 0))
		calls.Observe(call(secret, domain.OutcomeOK, 0))
		page.Watch(func(each func(domain.Server, string)) {
			each(server("secret", "vault"), "running")
		})

		limited := read(page, []string{"dev"})
		Expect(limited).To(ContainSubstring(`calls_total{toolbox="dev",server="git",outcome="ok"} 1`))
		Expect(limited).To(ContainSubstring(`servers{state="running"} 0`))
		Expect(limited).NotTo(ContainSubstring("secret"))
		Expect(read(page, []string{})).NotTo(ContainSubstring("dev"))
	})

	It("can have any name", func() {
		page := metrics.NewPage(metrics.Settings{States: states})
		calls := page.CallsOf("")
		odd := domain.ToolIdentifier{Toolbox: "a\"b\\c\nd", Server: "é {}"}
		calls.Observe(call(odd, domain.OutcomeError, 0))

		Expect(read(page, nil)).To(
			ContainSubstring(`calls_total{toolbox="a\"b\\c\nd",server="é {}",outcome="error"} 1`))
	})

	It("are read-only", func() {
		answer := httptest.NewRecorder()
		metrics.NewPage(metrics.Settings{States: states}).Handler(three).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/metrics", nil))
		Expect(answer.Code).To(Equal(405))
	})
})
