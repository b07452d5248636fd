package using_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// exportedSpan is a span in the JSON of OTLP.
type exportedSpan struct {
	TraceID      string `json:"traceId"`
	SpanID       string `json:"spanId"`
	ParentSpanID string `json:"parentSpanId"`
	Name         string
	Kind         int
	Links        []struct {
		TraceID string `json:"traceId"`
	}
	Attributes []struct {
		Key   string
		Value struct{ StringValue string }
	}
}

func (s exportedSpan) attribute(key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.StringValue
		}
	}
	return ""
}

// otlpCollector keeps the telemetry that it gets.
type otlpCollector struct {
	*httptest.Server
	mu     sync.Mutex
	bodies map[string]string // by path
}

func newCollector() *otlpCollector {
	c := &otlpCollector{bodies: map[string]string{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bodies[r.URL.Path] += string(body)
		_, _ = io.WriteString(w, "{}")
	}))
	DeferCleanup(c.Close)
	return c
}

func (c *otlpCollector) body(path string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bodies[path]
}

func (c *otlpCollector) spans() (spans []exportedSpan) {
	GinkgoHelper()
	decoder := json.NewDecoder(strings.NewReader(c.body("/v1/traces")))
	for decoder.More() {
		var request struct {
			ResourceSpans []struct {
				ScopeSpans []struct{ Spans []exportedSpan }
			}
		}
		Expect(decoder.Decode(&request)).To(Succeed())
		for _, resource := range request.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, exported := range scope.Spans { // ids can have digits of either case
					exported.TraceID, exported.SpanID, exported.ParentSpanID = strings.ToLower(exported.TraceID), strings.ToLower(exported.SpanID), strings.ToLower(exported.ParentSpanID)
					spans = append(spans, exported)
				}
			}
		}
	}
	return spans
}

var _ = Describe("OpenTelemetry", func() {
	const trace, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	const meta = `"traceparent":"00-` + trace + "-" + span + `-01","tracestate":"a=1","baggage":"k=v"`

	files := func() Server {
		s := WithTools("read", "fail")
		s.Rules = []script.Rule{script.Answer("read", script.Text("s3cr3t result")), script.Answer("fail", `{"content":[],"isError":true}`)}
		return Scripted("files", s, `"env": {"TOKEN": "s3cr3t-token"}`)
	}
	serve := func(server Server, setting, endpoint string) Host {
		GinkgoHelper()
		w := Start(Launch{
			Config: strings.Replace(Configuration(InDev(server)), "{", "{"+setting, 1),
			Env: []string{
				"OTEL_EXPORTER_OTLP_ENDPOINT=" + endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL=http/json", "OTEL_EXPORTER_OTLP_HEADERS=x-key=s3cr3t-key",
				"OTEL_BSP_SCHEDULE_DELAY=20", "OTEL_METRIC_EXPORT_INTERVAL=20",
			},
		})
		host := Connect(w, false, "{}")
		host.Open("dev")
		return host
	}

	It("gets the spans of a call, below the host's span, and the server gets the workbench's", Label("TL02"), func() {
		c, server := newCollector(), files()
		w := serve(server, "", c.URL)
		w.Use("dev", "files", "read", `{"path":"s3cr3t path"}`, meta)
		w.Use("dev", "files", "fail", `{}`)
		w.Use("dev", "files", "made-up", `{}`)
		Eventually(c.spans).WithTimeout(Patience).Should(HaveLen(6))
		Eventually(c.body).WithArguments("/v1/metrics").WithTimeout(Patience).Should(And(
			ContainSubstring("mcp.server.operation.duration"), ContainSubstring("mcp.client.operation.duration")))
		Expect(w.End()).To(Equal(0))

		named := map[string][]exportedSpan{}
		for _, exported := range c.spans() {
			named[exported.Name] = append(named[exported.Name], exported)
		}
		Expect(named["tools/call open_toolbox"]).To(HaveLen(1))
		Expect(named["tools/call"]).To(HaveExactElements(HaveField("Kind", 2)), "whose name a caller made up")
		Expect(named["tools/call fail"]).To(HaveLen(2))
		Expect(named["tools/call fail"][0].attribute("error.type")).To(Equal("tool_error"))
		read := named["tools/call read"]
		Expect(read).To(HaveLen(2))
		client, host := read[0], read[1]
		Expect(host).To(And(HaveField("Kind", 2), HaveField("TraceID", trace), HaveField("ParentSpanID", span)))
		Expect(client).To(And(HaveField("Kind", 3), HaveField("TraceID", trace), HaveField("ParentSpanID", host.SpanID)))
		Expect(host.attribute("mcp_workbench.server")).To(Equal("files"))
		Expect(server.ReceivedWith("tools/call")[0]).To(And(
			ContainSubstring(`"traceparent":"00-`+trace+"-"+client.SpanID+`-01"`), ContainSubstring(`"tracestate":"a=1"`), ContainSubstring(`"baggage":"k=v"`)))

		Expect(c.body("/v1/traces") + c.body("/v1/metrics")).NotTo(Or(ContainSubstring("s3cr3t"), ContainSubstring("made-up")))
	})
})
