package ui_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/adapters/observe/activity"
	"mcp-workbench/adapters/observe/status"
	"mcp-workbench/adapters/ui"
	"mcp-workbench/domain"
)

var _ = Describe("A page", func() {
	paths := []string{"/ui/", "/ui/calls", "/ui/tools", "/ui/tools?show=never", "/ui/failures", "/ui/nothing"}

	It("shows toolboxes, servers with their state, calls and their costs", func() {
		sources := ui.Sources{
			Record: record{stored: []activity.Entry{call("dev", "git", "log", 20*time.Millisecond, domain.OutcomeOK), call("dev", "git", "push", time.Second, domain.OutcomeTimeout), call("ops", "k8s", "get", time.Second, domain.OutcomeOK)}},
			Status: func(context.Context) []status.Answer {
				return []status.Answer{runningServer("dev", "git", "running", "")}
			},
			Toolboxes: func() []domain.Toolbox {
				return []domain.Toolbox{
					{Name: "home", Description: "for the house", Servers: []domain.Server{{ID: domain.ServerID{Toolbox: "home", Server: "lamp"}}}},
					{Name: "dev", Servers: []domain.Server{{ID: domain.ServerID{Toolbox: "dev", Server: "git"}, Tools: domain.OnlyTools([]string{"*", "!clone"})}}},
					{Name: "ops", Servers: []domain.Server{{ID: domain.ServerID{Toolbox: "ops", Server: "k8s"}, Tools: domain.OnlyTools([]string{"get", "drain"})}}},
				}
			},
			Tools: func(context.Context) []ui.Tool {
				return []ui.Tool{
					{ID: domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "log"}, Tokens: 40, Definition: []byte(`{"name":"log","description":"Shows commits."}`)},
					{ID: domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "gc"}, Tokens: 60},
					{ID: domain.ToolIdentifier{Toolbox: "ops", Server: "k8s", Tool: "get"}, Tokens: 10},
					{ID: domain.ToolIdentifier{Toolbox: "ops", Server: "k8s", Tool: "drain"}, Tokens: 20},
				}
			},
			Stderr: func(context.Context, domain.ServerID, ui.Viewer) []string {
				return []string{"fatal: \x1b[31mno network\x1b[0m"}
			},
		}
		s := serve(sources, everything)

		Expect(s.page("/ui/")).To(And(ContainSubstring("for the house"), ContainSubstring("not started"), ContainSubstring(`class="state running"`), ContainSubstring("host-of-")))
		Expect(s.page("/ui/calls?failed=1")).To(And(ContainSubstring("timeout"), ContainSubstring("<bdi>push</bdi>"), Not(ContainSubstring("<bdi>log</bdi>"))))
		Expect(s.page("/ui/tools?show=never")).To(And(ContainSubstring("<bdi>gc</bdi>"), Not(ContainSubstring("<bdi>log</bdi>")),
			ContainSubstring(`&#34;toolFilters&#34;: [&#34;*&#34;, &#34;!clone&#34;, &#34;!gc&#34;]`), ContainSubstring(`&#34;toolFilters&#34;: [&#34;get&#34;]`)))
		Expect(s.page("/ui/tool?toolbox=dev&server=git&tool=log")).To(And(ContainSubstring("Shows commits."), ContainSubstring("about 40 tokens")))
		Expect(s.page("/ui/failures")).To(ContainSubstring("fatal: no network\n"))
		Expect(s.page("/ui/server?toolbox=dev&server=git")).To(ContainSubstring("End of stderr"))
	})

	It("shows first which servers cost most, by context or by time, which were not called, and what failed last", func() {
		of := func(server string, tokens int64, duration time.Duration, outcome domain.Outcome) activity.Entry {
			entry := call("dev", server, "run", duration, outcome)
			entry.Tokens = tokens
			return entry
		}
		var servers []domain.Server
		for _, name := range []domain.ServerName{"quick", "slow", "idle"} {
			servers = append(servers, domain.Server{ID: domain.ServerID{Toolbox: "dev", Server: name}})
		}
		s := serve(ui.Sources{
			Record: record{stored: []activity.Entry{
				of("quick", 900, time.Millisecond, domain.OutcomeOK), of("slow", 20, time.Minute, domain.OutcomeTimeout), of("gone", 9999, time.Hour, domain.OutcomeOK),
			}},
			Toolboxes: func() []domain.Toolbox {
				return []domain.Toolbox{{Name: "dev", Servers: servers, Disabled: []domain.ServerName{"off"}}}
			},
			Tools: func(context.Context) []ui.Tool {
				return []ui.Tool{{ID: domain.ToolIdentifier{Toolbox: "dev", Server: "slow", Tool: "run"}, Tokens: 50}}
			},
		}, everything)
		costs := func(path string) string {
			_, after, found := strings.Cut(s.page(path), ">What servers cost<")
			Expect(found).To(BeTrue())
			before, _, _ := strings.Cut(after, ">Latest calls<")
			return before
		}

		Expect(costs("/ui/")).To(MatchRegexp(`(?s)dev/quick<.*900 \+ 0.*dev/slow<.*20 \+ 50.*60.s.*timeout.*href="./failures">why<`))
		Expect(costs("/ui/?costs=time")).To(MatchRegexp(`(?s)dev/slow<.*dev/quick<`))
		Expect(costs("/ui/")).To(MatchRegexp(`(?s)Not called in the last 24 hours:&#32;<a [^>]*><bdi>dev/idle</bdi></a>\.`))
		Expect(costs("/ui/")).NotTo(Or(ContainSubstring("dev/gone"), ContainSubstring("dev/off")))
	})

	It("shows all names as text", func() {
		const hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\x1b[31m\u202e\n"
		entries := []activity.Entry{call(hostile, hostile, hostile, time.Second, hostile)}
		entries[0].Host, entries[0].HostVersion, entries[0].Identity = hostile, hostile, hostile
		sources := ui.Sources{
			Record: record{stored: entries},
			Status: func(context.Context) []status.Answer {
				return []status.Answer{runningServer(hostile, hostile, hostile, hostile), {PID: 1, Problem: hostile}}
			},
			Toolboxes: func() []domain.Toolbox { return []domain.Toolbox{{Name: hostile, Description: hostile}} },
			Tools: func(context.Context) []ui.Tool {
				return []ui.Tool{{ID: domain.ToolIdentifier{Toolbox: hostile, Server: hostile, Tool: "a" + hostile}, Definition: []byte(`{"description":"<script>"}`)}}
			},
			Stderr: func(context.Context, domain.ServerID, ui.Viewer) []string { return []string{hostile} },
		}
		s := serve(sources, everything)

		for _, path := range append(paths, "/ui/server?"+query(hostile, ""), "/ui/tool?"+query(hostile, hostile), "/ui/tool?"+query(hostile, "a"+hostile), "/ui/?since="+queryText(hostile)) {
			_, text := s.get(path)
			Expect(strings.Count(text, "<script")).To(Equal(1), path)
			Expect(text).NotTo(ContainSubstring("<img src=x"), path)
			Expect(strings.ContainsAny(text, "\x1b\u202e")).To(BeFalse(), path)
			Expect(regexp.MustCompile(`<[^<>]*\s(style|on\w+)="`).FindString(text)).To(BeEmpty(), path)
		}
	})

	It("shows no toolbox if nothing says who views it", func() {
		sources := ui.Sources{Toolboxes: func() []domain.Toolbox { return []domain.Toolbox{{Name: "dev", Description: "secret"}} }}

		Expect(serve(sources, ui.Viewer{}).page("/ui/")).To(ContainSubstring("secret"))
		Expect(serveWith(sources, ui.Settings{}).page("/ui/")).NotTo(Or(ContainSubstring("secret"), ContainSubstring("<bdi>dev")))
	})

	It("may load only its own style, script and icon", func() {
		s := serve(ui.Sources{}, everything)
		for _, path := range paths {
			response := s.ask(http.MethodGet, path)
			text, err := io.ReadAll(response.Body)
			Expect(err).NotTo(HaveOccurred())
			Expect(response.Body.Close()).To(Succeed())
			Expect(response.Header.Get("Content-Security-Policy")).To(And(HavePrefix("default-src 'none';"), Not(ContainSubstring("unsafe")), ContainSubstring("frame-ancestors 'none'")))
			Expect(response.Header.Get("Cache-Control")).To(Equal("no-store"))
			for _, link := range regexp.MustCompile(`(?:href|src|action)="([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
				Expect(link[1]).To(Or(HavePrefix("./"), HavePrefix("#")))
			}
			for _, file := range regexp.MustCompile(`\./[a-z]+-[0-9a-f]{12}\.(css|js|svg)`).FindAllString(string(text), -1) {
				status, _ := s.get("/ui" + strings.TrimPrefix(file, "."))
				Expect(status).To(Equal(http.StatusOK), file)
			}
		}
	})

	DescribeTable("refuses requests that do not only read, and pages of other origins", func(method string, wanted int, headers ...string) {
		response := serve(ui.Sources{}, everything).ask(method, "/ui/", headers...)
		Expect(response.Body.Close()).To(Succeed())
		Expect(response.StatusCode).To(Equal(wanted))
	},
		Entry("POST", http.MethodPost, http.StatusMethodNotAllowed),
		Entry("OPTIONS", http.MethodOptions, http.StatusMethodNotAllowed),
		Entry("DELETE", http.MethodDelete, http.StatusMethodNotAllowed),
		Entry("HEAD, which reads", http.MethodHead, http.StatusOK),
		Entry("another origin on this machine", http.MethodGet, http.StatusForbidden, "Origin", "http://127.0.0.1:1"),
		Entry("an opaque origin", http.MethodGet, http.StatusForbidden, "Origin", "null"),
		Entry("a script of another site", http.MethodGet, http.StatusForbidden, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"),
		Entry("a frame of another port", http.MethodGet, http.StatusForbidden, "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"),
		Entry("a link that the user follows", http.MethodGet, http.StatusOK, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"),
	)

	It("says which servers start at their first use", func() {
		for _, state := range []string{"running", "starts at its first use"} {
			s := serve(ui.Sources{Status: func(context.Context) []status.Answer {
				return []status.Answer{runningServer("dev", "git", state, "")}
			}}, everything)
			Expect(strings.Contains(s.page("/ui/"), "starts at its first use")).To(Equal(state != "running"))
		}
	})

	It("shows a caller with a token only its own toolboxes and calls", func() {
		own, foreign, others := call("dev", "git", "log", time.Second, domain.OutcomeOK), call("ops", "db", "drop", time.Second, domain.OutcomeError), call("dev", "git", "blame", time.Second, domain.OutcomeError)
		own.Identity, foreign.Identity, others.Identity = "ann", "ann", "bob"
		sources := ui.Sources{
			Record: record{stored: []activity.Entry{own, foreign, others}},
			Status: func(context.Context) []status.Answer {
				return []status.Answer{runningServer("dev", "git", "running", "bob"), runningServer("dev", "git", "running", "ann"), runningServer("ops", "db", "failed", "ann")}
			},
			Toolboxes: func() []domain.Toolbox { return []domain.Toolbox{{Name: "dev"}, {Name: "ops", Description: "secret"}} },
			Tools: func(context.Context) []ui.Tool {
				return []ui.Tool{{ID: domain.ToolIdentifier{Toolbox: "ops", Server: "db", Tool: "dump"}, Definition: []byte(`{}`)}}
			},
		}
		s := serve(sources, ui.Viewer{Identity: "ann", Toolboxes: []string{"dev"}})

		for _, path := range append(paths, "/ui/server?toolbox=dev&server=git", "/ui/server?toolbox=ops&server=db", "/ui/tool?toolbox=ops&server=db&tool=dump", "/ui/tool?toolbox=dev&server=git&tool=blame") {
			_, text := s.get(path)
			for _, hidden := range []string{"<bdi>ops", "secret", "<bdi>drop", "<bdi>dump", "<bdi>blame", "host-of-bob", "config.json"} {
				Expect(text).NotTo(ContainSubstring(hidden), path)
			}
		}
		Expect(s.page("/ui/")).To(And(ContainSubstring("host-of-ann"), ContainSubstring("<bdi>log</bdi>")))
		Expect(s.page("/ui/calls")).To(ContainSubstring("<bdi>log</bdi>"))
	})

	It("shows the session of a shell, and what calls it", func() {
		shell := status.Host{Name: "shell", Transport: "shell", Session: "a", Caller: "node agent.js"}
		sources := ui.Sources{Status: func(context.Context) []status.Answer {
			return []status.Answer{{PID: 7, Snapshot: &status.Snapshot{PID: 7, Hosts: []status.Host{shell}}}}
		}}
		Expect(serve(sources, ui.Viewer{Everything: true}).page("/ui/")).To(And(ContainSubstring("<bdi>shell &#39;a&#39;</bdi>"), ContainSubstring("<bdi>node agent.js</bdi>")))
	})

	It("has pages of calls, of tools and of ten thousand servers", Label("large"), func() {
		var entries []activity.Entry
		for i := range 250 {
			entries = append(entries, call("dev", "git", fmt.Sprintf("tool%03d", i), time.Second, domain.OutcomeOK))
		}
		many := domain.Toolbox{Name: "many"}
		for i := range 10_000 {
			many.Servers = append(many.Servers, domain.Server{ID: domain.ServerID{Toolbox: "many", Server: domain.ServerName(fmt.Sprint("s", i))}})
		}
		git := domain.Toolbox{Name: "dev", Servers: []domain.Server{{ID: domain.ServerID{Toolbox: "dev", Server: "git"}}}}
		s := serve(ui.Sources{Record: record{stored: entries}, Toolboxes: func() []domain.Toolbox { return []domain.Toolbox{many, git} }}, everything)

		Expect(strings.Count(s.page("/ui/"), `class="server"`)).To(Equal(120))
		Expect(s.page("/ui/?page=84")).To(ContainSubstring("<bdi>s9999</bdi>"))
		Expect(s.page("/ui/?page=99999999999999999999")).To(ContainSubstring("Page 84 of 84"))
		Expect(s.page("/ui/tools?sort=name&page=3")).To(And(ContainSubstring("tool249"), Not(ContainSubstring("tool199")),
			ContainSubstring(`href="./tools?page=2&amp;sort=name" rel="prev"`), ContainSubstring(`href="./tools?sort=cost"`)))
		calls := s.page("/ui/calls")
		Expect(calls).To(And(ContainSubstring("tool249"), Not(ContainSubstring("tool149"))))
		older := regexp.MustCompile(`href="\.(/calls\?before=\d+)"`).FindStringSubmatch(calls)
		Expect(s.page("/ui" + older[1])).To(And(ContainSubstring("tool149"), Not(ContainSubstring("tool150"))))
	})

	It("is not found for names that do not exist", func() {
		s := serve(ui.Sources{}, everything)
		for _, path := range []string{"/ui/nothing", "/ui/server?toolbox=a&server=b", "/ui/tool?toolbox=a&server=b&tool=c", "/ui/tool"} {
			status, text := s.get(path)
			Expect(status).To(Equal(http.StatusNotFound))
			Expect(text).To(ContainSubstring("There is no such page"))
		}
	})
})
