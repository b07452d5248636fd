package metrics_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/httpserver/access"
	"mcp-workbench/adapters/httpserver/metrics"
	"mcp-workbench/application/activity"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

func TestMetrics(t *testing.T) {
	spec.Run(t, "The metrics")
}

// fakeUser answers every call after a time.
type fakeUser struct {
	takes  time.Duration
	answer ports.Answer
	err    error
}

func (u *fakeUser) UseTool(_ context.Context, _ domain.ToolIdentifier, _ ports.ToolCall, reply ports.Reply) {
	time.Sleep(u.takes)
	reply(u.answer, u.err)
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
	call := ports.ToolCall{Arguments: []byte(`{"a":1}`)}
	none := func(ports.Answer, error) {}

	It("have calls, errors, bytes and times by server", spec.InBubble(func(t *testing.T) {
		page := metrics.NewPage(states)
		calls := page.Calls()
		user := &fakeUser{takes: 50 * time.Millisecond, answer: ports.Answer{Result: []byte(`{"content":[]}`)}}
		counted := activity.NewToolUser(user, calls)
		var answers []ports.Answer
		for range 2 {
			counted.UseTool(t.Context(), dev, call, func(answer ports.Answer, _ error) { answers = append(answers, answer) })
		}
		user.takes, user.answer, user.err = 10*time.Minute, ports.Answer{}, domain.ErrTimedOut
		counted.UseTool(t.Context(), dev, call, none)
		user.takes, user.answer, user.err = 0, ports.Answer{Error: []byte(`{}`)}, nil
		counted.UseTool(t.Context(), secret, call, none)

		text := read(page, nil)

		Expect(answers).To(HaveLen(2))
		Expect(string(answers[1].Result)).To(Equal(`{"content":[]}`))
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
	}))

	It("have no series for names invented by a caller", func() {
		page := metrics.NewPage(states)
		calls := page.Calls()
		for _, failure := range []error{
			&domain.ToolboxNotFoundError{Toolbox: "made-up"}, &domain.ServerNotFoundError{}, &domain.ToolboxNotOpenError{},
		} {
			activity.NewToolUser(&fakeUser{err: failure}, calls).UseTool(context.Background(), secret, call, none)
		}
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
		counted := activity.NewToolUser(&fakeUser{}, calls)
		counted.UseTool(context.Background(), dev, call, none)
		counted.UseTool(context.Background(), secret, call, none)
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
		activity.NewToolUser(&fakeUser{err: errors.New("odd")}, calls).UseTool(context.Background(), odd, call, none)

		Expect(read(page, nil)).To(
			ContainSubstring(`calls_total{toolbox="a\"b\\c\nd",server="é {}"} 1`))
	})

	It("are read-only", func() {
		answer := httptest.NewRecorder()
		metrics.NewPage(states).Handler(three).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/metrics", nil))
		Expect(answer.Code).To(Equal(405))
	})
})
