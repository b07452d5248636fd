package telemetry_test

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

const (
	hostTrace = "0af7651916cd43dd8448eb211c80319c"
	hostSpan  = "b7ad6b7169203331"
	sampled   = `"traceparent":"00-` + hostTrace + "-" + hostSpan + `-01"`
	unsampled = `"traceparent":"00-` + hostTrace + "-" + hostSpan + `-00"`
)

var git = domain.ToolIdentifier{Toolbox: "dev", Server: "git", Tool: "log"}

// use calls a tool through a host and a session that record.
func use(t *telemetry.Telemetry, to *server, tool domain.ToolIdentifier, meta string) {
	GinkgoHelper()
	session, err := t.NewHost(true, "").Connector(to).Connect(context.Background(), domain.Server{ID: tool.ServerID()}, nil, nil)
	Expect(err).NotTo(HaveOccurred())
	replies := 0
	call(context.Background(), t.NewHost(true, "ABCDEFGH"), session, tool,
		ports.ToolCall{Arguments: []byte(`{"secret":"s3cr3t"}`), Meta: []byte(meta)},
		func(answer ports.Answer, err error) {
			replies++
			Expect(answer).To(Equal(to.answer))
			Expect(errors.Is(err, to.err)).To(BeTrue())
		})
	Expect(replies).To(Equal(1))
}

var _ = Describe("The spans of a call", func() {
	result := ports.Answer{Result: []byte(`{"content":[{"text":"s3cr3t"}]}`)}
	kept := `"tracestate":"a=1","baggage":"k=v","com.example/x":{"n":1.0}`

	It("are of the kinds SERVER and CLIENT, below the span of the host", spec.InBubble(func(*testing.T) {
		c, to := &collector{}, &server{answer: result}
		t, _ := startExporting(c, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "OTEL_SERVICE_NAME=mine", "OTEL_RESOURCE_ATTRIBUTES=deployment.environment=a%20b")
		begun := time.Now()
		use(t, to, git, sampled+","+kept)
		t.Close()

		spans := c.spans()
		Expect(spans).To(HaveLen(2))
		client, host := spans[0], spans[1]
		Expect(host.Name).To(Equal("tools/call log"))
		Expect(host.Kind).To(Equal(tracepb.Span_SPAN_KIND_SERVER))
		Expect(hex.EncodeToString(host.TraceId)).To(Equal(hostTrace))
		Expect(hex.EncodeToString(host.ParentSpanId)).To(Equal(hostSpan))
		Expect(host.TraceState).To(Equal("a=1"))
		Expect(host.Flags).To(BeEquivalentTo(0x301))
		Expect(host.StartTimeUnixNano).To(BeEquivalentTo(begun.UnixNano()))
		Expect(host.Status.GetCode()).To(Equal(tracepb.Status_STATUS_CODE_UNSET))
		Expect(texts(host.Attributes)).To(Equal(map[string]string{
			"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "log", "network.transport": "tcp",
			"mcp_workbench.toolbox": "dev", "mcp_workbench.server": "git", "mcp.session.id": "ABCDEFGH",
		}))
		Expect(client.Name).To(Equal("tools/call log"))
		Expect(client.Kind).To(Equal(tracepb.Span_SPAN_KIND_CLIENT))
		Expect(client.TraceId).To(Equal(host.TraceId))
		Expect(client.ParentSpanId).To(Equal(host.SpanId))
		Expect(client.Flags).To(BeEquivalentTo(0x101))
		Expect(texts(client.Attributes)).To(And(HaveKeyWithValue("network.transport", "pipe"), HaveKeyWithValue("gen_ai.tool.name", "log")))

		Expect("{" + string(to.call.Meta) + "}").To(MatchJSON(
			`{` + strings.Replace(kept, `"tracestate":"a=1",`, "", 1) + `,"traceparent":"00-` + hostTrace + "-" + hex.EncodeToString(client.SpanId) + `-01","tracestate":"a=1"}`))
		Expect(c.requests[0].URL.String()).To(HavePrefix("http://collector.test:4318/v1/"))
		Expect(texts(c.traces[0].ResourceSpans[0].Resource.Attributes)).To(And(
			HaveKeyWithValue("service.name", "mine"), HaveKeyWithValue("service.version", "v1"), HaveKeyWithValue("deployment.environment", "a b")))
		Expect(c.traces[0].String() + c.metrics[0].String()).NotTo(ContainSubstring("s3cr3t"))
	}))

	It("begin a trace if the host sends none or an invalid one", Label("TL03"), spec.InBubble(func(*testing.T) {
		c, to := &collector{}, &server{answer: result}
		t, _ := startExporting(c)
		for _, meta := range []string{
			"", `"traceparent":7`, `"traceparent":"00-1-2-01"`, `"traceparent":"ff-` + hostTrace + "-" + hostSpan + `-01"`,
			`"traceparent":"00-` + strings.Repeat("0", 32) + "-" + hostSpan + `-01","tracestate":"a=1"`,
			`"traceparent":"00-` + strings.ToUpper(hostTrace) + "-" + hostSpan + `-01"`,
			`"traceparent":"00-` + hostTrace + "-" + hostSpan + `-01-more"`,
		} {
			use(t, to, git, meta)
			Expect(string(to.call.Meta)).To(MatchRegexp(`^"traceparent":"00-[0-9a-f]{32}-[0-9a-f]{16}-01"$`))
			Expect(string(to.call.Meta)).NotTo(ContainSubstring(hostTrace))
		}
		use(t, to, git, `"traceparent":"01-`+hostTrace+"-"+hostSpan+`-01-of a later version"`)
		Expect(string(to.call.Meta)).To(ContainSubstring(hostTrace))
		t.Close()

		spans := c.spans()
		Expect(spans).To(HaveLen(16))
		for i := 0; i < 14; i += 2 {
			Expect(spans[i+1].ParentSpanId).To(BeEmpty())
			Expect(spans[i+1].TraceState).To(BeEmpty())
			Expect(spans[i].TraceId).To(Equal(spans[i+1].TraceId))
		}
	}))

	It("have a link to the span of the transport, or are below it if the call has none", spec.InBubble(func(*testing.T) {
		const trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
		inTransport := ports.WithTransportTrace(context.Background(), "00-"+trace+"-"+span+"-01")
		c := &collector{}
		t, _ := startExporting(c)
		host, to := t.NewHost(true, ""), &server{answer: result}
		for _, meta := range []string{sampled, ""} {
			call(inTransport, host, to, git, ports.ToolCall{Meta: []byte(meta)}, func(ports.Answer, error) {})
		}
		call(ports.WithTransportTrace(inTransport, "00-1-2-01"), host, to, git, ports.ToolCall{}, func(ports.Answer, error) {})
		t.Close()

		named, unnamed, wrong := c.spans()[0], c.spans()[1], c.spans()[2]
		Expect(hex.EncodeToString(named.TraceId)).To(Equal(hostTrace))
		Expect(named.Links).To(HaveLen(1))
		Expect(hex.EncodeToString(named.Links[0].TraceId)).To(Equal(trace))
		Expect(hex.EncodeToString(named.Links[0].SpanId)).To(Equal(span))
		Expect(hex.EncodeToString(unnamed.TraceId)).To(Equal(trace))
		Expect(hex.EncodeToString(unnamed.ParentSpanId)).To(Equal(span))
		Expect(unnamed.Links).To(BeEmpty())
		Expect(wrong.ParentSpanId).To(BeEmpty())
		Expect(wrong.Links).To(BeEmpty())
	}))

	It("begin a trace with a link to the host's span, if the settings say so", spec.InBubble(func(*testing.T) {
		c, to := &collector{}, &server{answer: result}
		t, _ := startTelemetry(c, true, "OTEL_EXPORTER_OTLP_ENDPOINT=http://x")
		use(t, to, git, unsampled+","+kept)
		t.Close()

		host := c.spans()[1]
		Expect(host.ParentSpanId).To(BeEmpty())
		Expect(hex.EncodeToString(host.TraceId)).NotTo(Equal(hostTrace))
		Expect(host.Links).To(HaveLen(1))
		Expect(hex.EncodeToString(host.Links[0].TraceId)).To(Equal(hostTrace))
		Expect(hex.EncodeToString(host.Links[0].SpanId)).To(Equal(hostSpan))
		Expect(string(to.call.Meta)).To(And(ContainSubstring(`"baggage":"k=v"`), Not(ContainSubstring("tracestate")), Not(ContainSubstring(hostTrace))))
	}))

	DescribeTable("have the outcome", func(answer ports.Answer, err error, errorType, status, name string) {
		spec.Bubble(func(*testing.T) {
			c := &collector{}
			t, _ := startExporting(c)
			use(t, &server{answer: answer, err: err}, git, "")
			t.Close()

			host := c.spans()[1]
			Expect(host.Name).To(Equal(name))
			Expect(texts(host.Attributes)["error.type"]).To(Equal(errorType))
			Expect(texts(host.Attributes)["rpc.response.status_code"]).To(Equal(status))
			Expect(host.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR).To(Equal(errorType != ""))
			Expect(host.Status.GetMessage()).To(BeEmpty())
		})
	},
		Entry("of success", result, nil, "", "", "tools/call log"),
		Entry("of a failure of the tool", ports.Answer{Result: []byte(`{"isError":true}`)}, nil, "tool_error", "", "tools/call log"),
		Entry("of an error from the server", ports.Answer{Error: []byte(`{"code":-32602,"message":"s3cr3t"}`)}, nil, "-32602", "-32602", "tools/call log"),
		Entry("of a timeout", ports.Answer{}, domain.ErrTimedOut, "timeout", "", "tools/call log"),
		Entry("of a cancellation by the host", ports.Answer{}, context.Canceled, "cancelled", "", "tools/call log"),
		Entry("of a call that the user did not confirm", ports.Answer{}, domain.ErrNotConfirmed, "refused", "", "tools/call log"),
		Entry("of an unknown tool, whose name a caller made up", ports.Answer{}, domain.ErrToolNotFound, "refused", "", "tools/call"),
	)

	It("have names of a bounded length", spec.InBubble(func(*testing.T) {
		c := &collector{}
		t, _ := startExporting(c)
		long := git
		long.Tool = strings.Repeat("é", 5000) + "\xff"
		use(t, &server{answer: result}, long, "")
		t.Close()
		Expect(len(c.spans()[1].Name)).To(BeNumerically("<", 150))
	}))

	DescribeTable("are recorded if the sampler decides so:", func(sampler, argument, meta string, count int) {
		spec.Bubble(func(*testing.T) {
			c, to := &collector{}, &server{answer: result}
			t, _ := startExporting(c, "OTEL_TRACES_SAMPLER="+sampler, "OTEL_TRACES_SAMPLER_ARG="+argument)
			use(t, to, git, meta)
			t.Close()

			Expect(c.spans()).To(HaveLen(count))
			Expect(string(to.call.Meta)).To(MatchRegexp(`"traceparent":"00-[0-9a-f]{32}-[0-9a-f]{16}-0` + map[int]string{0: "0", 2: "1"}[count] + `"`))
			Expect(c.points("mcp.server.operation.duration")).To(HaveLen(1), "metrics are not sampled")
		})
	},
		Entry("by default like the host's span", "", "", unsampled, 0),
		Entry("by default without a host's span", "", "", "", 2),
		Entry("always", "always_on", "", unsampled, 2),
		Entry("never", "always_off", "", sampled, 0),
		Entry("never without a parent", "parentbased_always_off", "", "", 0),
		Entry("like the parent", "parentbased_always_off", "", sampled, 2),
		Entry("by a ratio of 0", "traceidratio", "0", sampled, 0),
		Entry("by a ratio of 1", "traceidratio", "1", unsampled, 2),
		Entry("by a trace id above the ratio", "traceidratio", "0.02", sampled, 0),
		Entry("by a trace id below the ratio", "traceidratio", "0.6", sampled, 2),
		Entry("like the parent, before the ratio", "parentbased_traceidratio", "0", sampled, 2),
	)
})
