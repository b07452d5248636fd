package http_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"mcp-workbench/tests/fixtures/script"
	. "mcp-workbench/tests/workbenchtest"
)

// tracedSpan is a span that a collector gets.
type tracedSpan struct {
	Name, TraceID, ParentSpanID string
	Links                       []struct{ TraceID, SpanID string }
}

// collected returns a collector, and a function that returns the spans with a name.
func collected() (url string, named func(name string) []tracedSpan) {
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
			url, named := collected()
			w := listen(Launch{Config: Configuration(InDev(Scripted("git", greeting))), Env: []string{
				"OTEL_EXPORTER_OTLP_ENDPOINT=" + url, "OTEL_EXPORTER_OTLP_PROTOCOL=http/json", "OTEL_BSP_SCHEDULE_DELAY=20", "OTEL_METRICS_EXPORTER=none",
			}})
			host, _ := w.as(era, "")
			host.open("dev")
			host.headers = append(host.headers, "Traceparent", "00-"+trace+"-"+span+"-01")

			host.use("dev", "git", "greet")
			Eventually(named).WithArguments("tools/call greet").WithTimeout(Patience).Should(ConsistOf(
				And(HaveField("TraceID", trace), HaveField("ParentSpanID", span), HaveField("Links", BeEmpty())),
				And(HaveField("TraceID", trace), HaveField("ParentSpanID", Not(Equal(span)))), // the span of the request to the server
			))
			host.meta = meta
			host.use("dev", "git", "greet")
			Eventually(named).WithArguments("tools/call greet").WithTimeout(Patience).Should(ContainElement(
				And(HaveField("TraceID", metaTrace), HaveField("Links", HaveExactElements(And(HaveField("TraceID", trace), HaveField("SpanID", span)))))))
		})
	}
})
