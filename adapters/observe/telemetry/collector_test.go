package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"mcp-workbench/adapters/observe/telemetry"
	"mcp-workbench/application"
	"mcp-workbench/domain"
	"mcp-workbench/ports"
	"mcp-workbench/tests/spec"
)

func TestTelemetry(t *testing.T) { spec.Run(t, "Telemetry") }

// collector receives exports. It decodes them with the published definitions of the protocol.
type collector struct {
	mu       sync.Mutex
	requests []*http.Request
	traces   []*tracepb.TracesData
	metrics  []*metricspb.MetricsData
	problems []error
	// answer returns the answer to a request. If answer or its result is nil, the export succeeds.
	answer func(*http.Request) (*http.Response, error)
}

// RoundTrip implements http.RoundTripper.
func (c *collector) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	c.mu.Lock()
	c.requests = append(c.requests, request)
	answer := c.answer
	c.mu.Unlock()
	if answer != nil {
		if response, err := answer(request); response != nil || err != nil {
			return response, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if strings.HasSuffix(request.URL.Path, "/traces") {
		data := &tracepb.TracesData{}
		err = errors.Join(err, read(request, body, data))
		c.traces = append(c.traces, data)
	} else {
		data := &metricspb.MetricsData{}
		err = errors.Join(err, read(request, body, data))
		c.metrics = append(c.metrics, data)
	}
	c.problems = append(c.problems, err)
	return response(http.StatusOK), nil
}

func response(status int, headers ...string) *http.Response {
	answer := &http.Response{StatusCode: status, Status: strconv.Itoa(status), Header: http.Header{}, Body: io.NopCloser(strings.NewReader(""))}
	for i := 0; i < len(headers); i += 2 {
		answer.Header.Set(headers[i], headers[i+1])
	}
	return answer
}

// read decodes a body.
func read(request *http.Request, body []byte, to proto.Message) error {
	if kind := request.Header.Get("Content-Type"); kind != "application/x-protobuf" {
		return errors.New(kind)
	}
	return proto.Unmarshal(body, to)
}

func (c *collector) check() {
	GinkgoHelper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, problem := range c.problems {
		Expect(problem).NotTo(HaveOccurred())
	}
}

// spans returns the exported spans in order.
func (c *collector) spans() (spans []*tracepb.Span) {
	GinkgoHelper()
	c.check()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, data := range c.traces {
		for _, resource := range data.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				spans = append(spans, scope.Spans...)
			}
		}
	}
	return spans
}

// points returns the points of a metric in the last export.
func (c *collector) points(name string) []*metricspb.HistogramDataPoint {
	GinkgoHelper()
	c.check()
	c.mu.Lock()
	defer c.mu.Unlock()
	Expect(c.metrics).NotTo(BeEmpty())
	for _, metric := range c.metrics[len(c.metrics)-1].ResourceMetrics[0].ScopeMetrics[0].Metrics {
		if metric.Name == name {
			Expect(metric.Unit).To(Equal("s"))
			Expect(metric.GetHistogram().AggregationTemporality).To(Equal(metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE))
			return metric.GetHistogram().DataPoints
		}
	}
	return nil
}

// texts returns attributes as a map.
func texts(attributes []*commonpb.KeyValue) map[string]string {
	values := map[string]string{}
	for _, a := range attributes {
		values[a.Key] = a.Value.GetStringValue()
	}
	return values
}

// logBuffer collects the log. Safe for concurrent use.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// setVariables sets environment variables, in the form NAME=value, until the end of the spec.
func setVariables(list ...string) {
	GinkgoHelper()
	for _, variable := range list {
		name, value, _ := strings.Cut(variable, "=")
		GinkgoT().Setenv(name, value)
	}
}

// startExporting returns telemetry that exports to a collector, and its log.
func startExporting(c *collector, list ...string) (*telemetry.Telemetry, *logBuffer) {
	return startTelemetry(c, false, append(list, "OTEL_EXPORTER_OTLP_ENDPOINT=http://collector.test:4318")...)
}

// startTelemetry returns telemetry that a list of variables configures and that exports to a collector, and its log.
func startTelemetry(c *collector, links bool, list ...string) (*telemetry.Telemetry, *logBuffer) {
	GinkgoHelper()
	lines := &logBuffer{}
	setVariables(list...)
	exported := telemetry.StartOver(c, links, slog.New(slog.NewTextHandler(lines, nil)))
	Expect(lines.String()).To(BeEmpty())
	Expect(exported).NotTo(BeNil())
	return exported, lines
}

// server is a session that answers calls and keeps the last one.
type server struct {
	ports.Session
	call   ports.ToolCall
	answer ports.Answer
	err    error
}

func (s *server) Connect(context.Context, domain.Server, ports.Host, ports.ServerPolicy) (ports.Session, error) {
	return s, nil
}

func (s *server) CallTool(_ context.Context, call ports.ToolCall, reply ports.Reply) {
	s.call = call
	reply(s.answer, s.err)
}

func (s *server) Err() error { return nil }

func (s *server) Close(context.Context) error { return nil }

// call makes a call of a host through a session.
func call(ctx context.Context, host *telemetry.Host, session ports.Session, tool domain.ToolIdentifier, call ports.ToolCall, reply ports.Reply) {
	ctx, reply = observers(host).Call(ctx, tool, call, reply)
	call.Name = tool.Tool
	session.CallTool(ctx, call, reply)
}

// open opens a toolbox for a host, which takes a time.
func open(ctx context.Context, host *telemetry.Host, duration time.Duration) {
	_, end := observers(host).Opening(ctx, "dev")
	time.Sleep(duration)
	end(domain.OpenedToolbox{}, nil)
}

func observers(host *telemetry.Host) *application.Observers {
	return &application.Observers{Calls: []ports.CallObserver{host}}
}
