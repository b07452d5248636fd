package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/adapters/httpserver/metrics"
	"mcp-workbench/domain"
	"mcp-workbench/tests/spec"
)

func TestMetrics(t *testing.T) {
	spec.Run(t, "The metrics")
}

var _ = Describe("The metrics", func() {
	three := func(string) int { return 3 }
	read := func(page *metrics.Page, toolboxes []string) string {
		GinkgoHelper()
		request := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		answer := httptest.NewRecorder()
		page.Handler(three).ServeHTTP(answer, request.WithContext(access.With(request.Context(), access.Access{Toolboxes: toolboxes})))
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
	call := func(tool domain.ToolIdentifier, outcome domain.Outcome, took time.Duration) domain.Activity {
		return domain.Activity{Kind: domain.ActivityCall, Tool: tool, Outcome: outcome, Took: took, Sent: 7}
	}

	It("have calls, errors, bytes and times by server", func() {
		page := metrics.NewPage(states)
		calls := page.Calls()
		for range 2 {
			answered := call(dev, domain.OutcomeOK, 50*time.Millisecond)
			answered.Received = 14
			calls.Observe(answered)
		}
		calls.Observe(call(dev, domain.OutcomeTimeout, 10*time.Minute))
		calls.Observe(call(secret, domain.OutcomeError, 0))
		calls.Observe(call(secret, domain.OutcomeToolError, 0))
		calls.Observe(domain.Activity{Kind: domain.ActivityOpen, Tool: secret})

		text := read(page, nil)

		for _, line := range []string{
			"# TYPE mcp_workbench_call_duration_seconds histogram",
			"mcp_workbench_sessions 3",
			`mcp_workbench_servers{state="failed"} 0`,
			`mcp_workbench_calls_total{toolbox="dev",server="git"} 3`,
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

	It("have no series for names invented by a caller", func() {
		page := metrics.NewPage(states)
		calls := page.Calls()
		unknown := call(secret, domain.OutcomeRefused, 0)
		unknown.Unknown = true
		calls.Observe(unknown)
		Expect(read(page, nil)).NotTo(ContainSubstring("vault"))
	})

	It("have the servers of all connected hosts", func() {
		page := metrics.NewPage(states)
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
		page := metrics.NewPage([]string{"running", "idle", "failed"})
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
		page := metrics.NewPage(states)
		calls := page.Calls()
		calls.Observe(call(dev, domain.OutcomeOK, 0))
		calls.Observe(call(secret, domain.OutcomeOK, 0))
		page.Watch(func(each func(domain.Server, string)) {
			each(server("secret", "vault"), "running")
		})

		limited := read(page, []string{"dev"})
		Expect(limited).To(ContainSubstring(`calls_total{toolbox="dev",server="git"} 1`))
		Expect(limited).To(ContainSubstring(`servers{state="running"} 0`))
		Expect(limited).NotTo(ContainSubstring("secret"))
		Expect(read(page, []string{})).NotTo(ContainSubstring("dev"))
	})

	It("can have any name", func() {
		page := metrics.NewPage(states)
		calls := page.Calls()
		odd := domain.ToolIdentifier{Toolbox: "a\"b\\c\nd", Server: "é {}"}
		calls.Observe(call(odd, domain.OutcomeError, 0))

		Expect(read(page, nil)).To(
			ContainSubstring(`calls_total{toolbox="a\"b\\c\nd",server="é {}"} 1`))
	})

	It("are read-only", func() {
		answer := httptest.NewRecorder()
		metrics.NewPage(states).Handler(three).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/metrics", nil))
		Expect(answer.Code).To(Equal(405))
	})
})
