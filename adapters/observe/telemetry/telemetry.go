package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/sdk/metric/exemplar"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Telemetry records and exports spans and metrics. A nil Telemetry records nothing, and its hosts are nil. Safe for
// concurrent use.
type Telemetry struct {
	links     bool // see Start
	tracer    trace.Tracer
	durations map[string]metric.Float64Histogram // by the names of metrics; empty if metrics are not exported
	shutdowns []func(context.Context) error
}

// name is the name of the program in exported data.
const name = "mcp-workbench"

// finishTime is how long Close waits for a collector.
const finishTime = time.Second

// maxSeries is the maximum number of series of a metric. Servers choose the names of tools and the codes of errors. Further
// operations are counted in one series.
const maxSeries = 1000

// Start returns the telemetry that the variables OTEL_* configure, nil if they turn it off or cannot be used. With
// links, each request of a host begins a new trace with a link to the host's span, which otherwise is the parent.
// Problems are logged. The caller closes the telemetry.
func Start(version string, links bool, log *slog.Logger) *Telemetry {
	return start(version, links, log, nil)
}

// start is Start with a client for exports over HTTP, nil for one that the variables configure.
func start(version string, links bool, log *slog.Logger, client *http.Client) *Telemetry {
	read := newSettings(log)
	if read.traces == "" && read.metrics == "" {
		return nil
	}
	// The texts of the SDK contain values of variables.
	otel.SetLogger(logr.Discard())
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {}))
	t := &Telemetry{links: links, tracer: noop.NewTracerProvider().Tracer(name)}
	described := describedProcess(version)
	if exporter := read.spanExporter(client); exporter != nil {
		provider := sdktrace.NewTracerProvider(sdktrace.WithResource(described), sdktrace.WithBatcher(exporter))
		t.tracer = provider.Tracer(name, trace.WithInstrumentationVersion(version))
		t.shutdowns = append(t.shutdowns, provider.Shutdown)
	}
	if exporter := read.metricExporter(client); exporter != nil {
		provider := sdkmetric.NewMeterProvider(sdkmetric.WithResource(described), sdkmetric.WithReader(sdkmetric.NewPeriodicReader(exporter)),
			sdkmetric.WithCardinalityLimit(maxSeries), sdkmetric.WithExemplarFilter(exemplar.AlwaysOffFilter))
		t.durations = newDurations(provider.Meter(name, metric.WithInstrumentationVersion(version)))
		t.shutdowns = append(t.shutdowns, provider.Shutdown)
	}
	if len(t.shutdowns) == 0 {
		return nil
	}
	return t
}

// Close exports the last data for up to a second, and stops. It can be called more than once.
func (t *Telemetry) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), finishTime)
	defer cancel()
	var running sync.WaitGroup
	for _, shutdown := range t.shutdowns {
		running.Go(func() { _ = shutdown(ctx) }) // failed exports are logged
	}
	running.Wait()
}

// The metrics in the conventions for MCP. All are histograms of seconds.
const (
	serverOperations = "mcp.server.operation.duration"
	clientOperations = "mcp.client.operation.duration"
	serverSessions   = "mcp.server.session.duration"
	clientSessions   = "mcp.client.session.duration"
)

// newDurations returns the metrics by their names, with the bounds of buckets in the conventions.
func newDurations(meter metric.Meter) map[string]metric.Float64Histogram {
	durations := map[string]metric.Float64Histogram{}
	for name, description := range map[string]string{
		serverOperations: "How long requests of hosts took.",
		clientOperations: "How long requests to servers took.",
		serverSessions:   "How long sessions of hosts lasted.",
		clientSessions:   "How long sessions with servers lasted.",
	} {
		// It fails for names that are not valid.
		durations[name], _ = meter.Float64Histogram(name, metric.WithDescription(description), metric.WithUnit("s"),
			metric.WithExplicitBucketBoundaries(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300))
	}
	return durations
}

// count counts an operation.
func (t *Telemetry) count(counted operation, duration time.Duration) {
	if durations, isExported := t.durations[counted.metric]; isExported {
		durations.Record(context.Background(), duration.Seconds(), metric.WithAttributes(counted.attributes()...))
	}
}
