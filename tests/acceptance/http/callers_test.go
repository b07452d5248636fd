package http_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

const tokenOfAnn, tokenOfBob = "token-of-ann-that-is-long", "token-of-bob-that-is-long"

// listenForTwo starts a workbench for two identities. Its server has a tool "get" with a long list.
func listenForTwo(settings string) *listener {
	GinkgoHelper()
	s := WithTools("get")
	s.Rules = []script.Rule{script.Answer("get", script.Text("["+strings.Repeat("1,", 30_000)+"1]"))}
	configuration := WithHTTP(`{"tokens": {
		"ann": {"value": "`+tokenOfAnn+`", "toolboxes": ["*"]},
		"bob": {"value": "`+tokenOfBob+`", "toolboxes": ["*"]}
	}}`, InDev(Scripted("files", s)))
	return listen(Launch{Config: WithRoot(configuration, `"results":"fit"`+settings)})
}

// keeping returns a caller that has a result, and the id of it.
func (l *listener) keeping(token string) (c *caller, id string) {
	GinkgoHelper()
	c, hello := l.as(Older, token)
	Expect(hello.StatusCode).To(Equal(200))
	c.open("dev")
	answer := c.request("tools/call", `"name":"use_tool","arguments":`+UseArguments("dev", "files", "get", "{}")).message()
	_, after, found := strings.Cut(answer.Line, `read_result {\"id\":\"`)
	Expect(found).To(BeTrue(), answer.Line)
	id, _, _ = strings.Cut(after, `\`)
	return c, id
}

var _ = Describe("What callers over HTTP share", func() {
	selecting := func(c *caller, number int, id, program string) string {
		return c.ask(http.MethodPost, c.url, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read_result","arguments":`+
			`{"id":%s,"select":%s}}}`, number, Quote(id), Quote(program)), c.headers...).text
	}

	It("is not taken from others by jq programs without end: a caller with many is told to try again", Label("SH01"), func() {
		l := listenForTwo("")
		var running sync.WaitGroup
		answers := make(chan string, 100)
		for range 4 {
			many, kept := l.keeping(tokenOfAnn)
			for i := range 4 {
				running.Go(func() {
					defer GinkgoRecover()
					answers <- selecting(many, 100+i, kept, "def f: f; f")
				})
			}
		}
		other, kept := l.keeping(tokenOfBob)

		Expect(selecting(other, 100, kept, "length")).To(ContainSubstring("30001"))

		running.Wait()
		close(answers)
		busy := 0
		for text := range answers {
			if strings.Contains(text, "busy, try again") {
				busy++
				continue
			}
			Expect(text).To(ContainSubstring("it took too long"))
		}
		Expect(busy).To(BeNumerically(">", 0))
	})

	It("lets a newcomer in while another caller fills everything", Label("SH09"), func() {
		l := listenForTwo(`,"limits":{"messageSize":"1MiB","arriving":"16MiB","underWay":"16MiB"}`)
		many, kept := l.keeping(tokenOfAnn)
		var running sync.WaitGroup
		for i := range 4 {
			running.Go(func() {
				defer GinkgoRecover()
				selecting(many, 100+i, kept, "def f: f; f")
			})
		}
		for range 40 {
			begun, err := net.Dial("tcp", strings.TrimPrefix(l.root, "http://"))
			Expect(err).NotTo(HaveOccurred())
			defer func() { _ = begun.Close() }() // the workbench closes those that it gives up
			_, _ = fmt.Fprintf(begun, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
				"Accept: application/json, text/event-stream\r\nContent-Length: 1000000\r\n\r\n%s", tokenOfAnn, strings.Repeat(" ", 999_999))
		}

		other, kept := l.keeping(tokenOfBob)

		Expect(selecting(other, 100, kept, "length")).To(ContainSubstring("30001"))
		padded := other.request("tools/call", `"name":"use_tool","arguments":`+UseArguments("dev", "files", "get", `{"x":"`+strings.Repeat("x", 900_000)+`"}`))
		Expect(padded.message().Line).To(ContainSubstring("read_result"))
		_, hello := l.as(Older, tokenOfAnn)
		Expect(hello.StatusCode).To(Equal(200), "even of that caller")
		running.Wait()
	})
})

var _ = Describe("Calling a workbench through a proxy", func() {
	const token = "a-token-that-is-let-in"
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"spec","version":"1"}}}`
	headers := []string{"Forwarded", "X-Forwarded-For", "X-Real-IP"}

	It("is refused if calls need no authentication, and both sides are told what to configure", Label("TH05"), func() {
		l := listen(Launch{Config: Configuration()})
		for _, header := range headers {
			for _, path := range []string{"/mcp", "/metrics"} {
				method := map[string]string{"/mcp": http.MethodPost, "/metrics": http.MethodGet}[path]
				asked := l.ask(method, l.root+path, hello, "Content-Type", "application/json", header, "203.0.113.7")

				Expect(asked.StatusCode).To(Equal(403), header+" "+path)
				Expect(asked.text).To(ContainSubstring("the header " + header + " says that a proxy passed this request on, and calls here need no authentication; " +
					"the operator has to configure http.tokens or http.auth"))
			}
		}
		Expect(l.Stderr()).To(MatchRegexp(`level=WARN msg="a request was refused" from=127\.0\.0\.1:\d+ status=403 reason="the header X-Forwarded-For says .*forwarded=203\.0\.113\.7`))
		_, direct := l.as(Older, "")
		Expect(direct.StatusCode).To(Equal(200))
	})

	It("is refused with a token that became short while the workbench runs, where other machines may call", Label("TH07"), func() {
		path := filepath.Join(GinkgoT().TempDir(), "workbench-config.json")
		config := func(value string) string {
			return WithHTTP(`{"allowHosts": ["mcp.example.com"], "tokens": {"me": {"value": "` + value + `", "toolboxes": ["*"]}}}`)
		}
		WriteFile(path, config(token))
		l := listen(Launch{Args: []string{"--config", path}})
		WriteFile(path, config("short"))
		Eventually(l.Stderr).WithTimeout(Patience).Should(ContainSubstring(`takes effect at the next start or with SIGHUP" token=me`))
		l.Signal(syscall.SIGHUP)

		Eventually(l.Stderr).WithTimeout(Patience).Should(ContainSubstring(`a token with fewer than 16 characters is refused where other machines can call" token=me`))
		for _, value := range []string{token, "short"} {
			asked := l.ask(http.MethodPost, l.url, hello, "Content-Type", "application/json", "Authorization", "Bearer "+value)
			Expect(asked.StatusCode).To(Equal(401), value)
		}
	})
})

// tracedSpan is a span that a collector gets.
type tracedSpan struct {
	Name                  string
	TraceID, ParentSpanID hexID
	Links                 []struct{ TraceID, SpanID hexID }
}

// hexID is an id in hexadecimal. OTLP allows digits of either case.
type hexID string

func (id *hexID) UnmarshalText(text []byte) error {
	*id = hexID(strings.ToLower(string(text)))
	return nil
}

// traceCollector returns a collector, and a function that returns the spans with a name.
func traceCollector() (url string, named func(name string) []tracedSpan) {
	var mu sync.Mutex
	var spans []tracedSpan
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ResourceSpans []struct {
				ScopeSpans []struct{ Spans []tracedSpan }
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&request) // metrics have no spans
		mu.Lock()
		defer mu.Unlock()
		for _, resource := range request.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				spans = append(spans, scope.Spans...)
			}
		}
	}))
	DeferCleanup(collector.Close)
	return collector.URL, func(name string) (found []tracedSpan) {
		mu.Lock()
		defer mu.Unlock()
		for _, span := range spans {
			if span.Name == name {
				found = append(found, span)
			}
		}
		return found
	}
}

var _ = Describe("The header traceparent", func() {
	const trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	const metaTrace, meta = "0af7651916cd43dd8448eb211c80319c", `"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`

	for _, era := range Eras {
		It("is the parent of a call whose _meta names none, and otherwise a link, for a host of "+era.Name, func() {
			greeting := WithTools("greet")
			greeting.Rules = []script.Rule{script.Answer("greet", script.Text("hello"))}
			url, named := traceCollector()
			w := listen(Launch{Config: Configuration(InDev(Scripted("git", greeting))), Env: []string{
				"OTEL_EXPORTER_OTLP_ENDPOINT=" + url, "OTEL_EXPORTER_OTLP_PROTOCOL=http/json", "OTEL_BSP_SCHEDULE_DELAY=20", "OTEL_METRICS_EXPORTER=none",
			}})
			host, _ := w.as(era, "")
			host.open("dev")
			host.headers = append(host.headers, "Traceparent", "00-"+trace+"-"+span+"-01")

			host.use("dev", "git", "greet")
			Eventually(named).WithArguments("tools/call greet").WithTimeout(Patience).Should(ConsistOf(
				And(HaveField("TraceID", hexID(trace)), HaveField("ParentSpanID", hexID(span)), HaveField("Links", BeEmpty())),
				And(HaveField("TraceID", hexID(trace)), HaveField("ParentSpanID", Not(Equal(hexID(span))))), // the span of the request to the server
			))
			host.meta = meta
			host.use("dev", "git", "greet")
			Eventually(named).WithArguments("tools/call greet").WithTimeout(Patience).Should(ContainElement(
				And(HaveField("TraceID", hexID(metaTrace)), HaveField("Links", HaveExactElements(And(HaveField("TraceID", hexID(trace)), HaveField("SpanID", hexID(span))))))))
		})
	}
})
