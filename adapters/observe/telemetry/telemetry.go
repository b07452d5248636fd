package telemetry

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/observe/figures"
)

// Telemetry records and exports spans and metrics. A nil Telemetry records nothing, and its hosts are nil. Safe for concurrent use.
type Telemetry struct {
	settings Settings
	log      *slog.Logger
	begun    time.Time
	spans    chan *span // that wait to be exported; nil if spans are not exported
	dropped  atomic.Int64
	numbers  *figures.Series[operation, figures.Histogram] // nil if metrics are not exported

	stop    context.CancelFunc // cancels exports
	ending  chan struct{}      // closed when the last data is to be exported
	endOnce sync.Once
	running sync.WaitGroup
}

// finishTime is how long Close waits for a collector.
const finishTime = time.Second

// maxSeries is the maximum number of series of all metrics. Servers choose the names of tools and the codes of errors.
// Further operations are counted in one series for each metric.
const maxSeries = 1000

// Start returns the telemetry that the variables OTEL_* configure, nil if they turn it off or cannot be used. The
// argument links is the value of Settings.Links. Problems are logged.
func Start(getenv func(string) string, version string, links bool, log *slog.Logger) *Telemetry {
	settings, problems := ReadSettings(getenv, version)
	for _, problem := range problems {
		log.Warn("telemetry: " + problem)
	}
	if settings == nil {
		return nil
	}
	settings.Links = links
	started, err := New(*settings, log)
	if err != nil {
		log.Warn("telemetry is off", "error", err)
		return nil
	}
	return started
}

// New returns telemetry that exports according to the settings until Close. A failure is logged once until an export
// succeeds again.
//
// Failures: certificates that cannot be read.
func New(settings Settings, log *slog.Logger) (*Telemetry, error) {
	t := &Telemetry{settings: settings, log: log, begun: time.Now(), ending: make(chan struct{})}
	exporting, stop := context.WithCancel(context.Background())
	t.stop = stop
	for i, endpoint := range []*Endpoint{settings.Traces, settings.Metrics} {
		if endpoint == nil {
			continue
		}
		to, err := newExporter(endpoint, settings.transport, log)
		switch {
		case err != nil:
			t.Close()
			return nil, err
		case i == 0:
			t.spans = make(chan *span, settings.queue)
			t.running.Go(func() { t.exportSpans(exporting, to) })
		default:
			t.numbers = &figures.Series[operation, figures.Histogram]{}
			t.running.Go(func() { t.exportMetrics(exporting, to) })
		}
	}
	return t, nil
}

// Close exports the last data for up to a second, and stops. It can be called more than once.
func (t *Telemetry) Close() {
	if t == nil {
		return
	}
	t.endOnce.Do(func() { close(t.ending) })
	limit := time.AfterFunc(finishTime, t.stop)
	t.running.Wait()
	limit.Stop()
	t.stop()
}

// exportSpans exports spans when a batch is full and after each pause, until Close.
func (t *Telemetry) exportSpans(ctx context.Context, to *exporter) {
	defer to.client.CloseIdleConnections()
	ticker := time.NewTicker(t.settings.delay)
	defer ticker.Stop()
	for isEnding := false; !isEnding; {
		var batch []*span
		for isDue := false; !isDue && len(batch) < t.settings.batch; {
			select {
			case ended := <-t.spans:
				batch = append(batch, ended)
			case <-ticker.C:
				isDue = true
			case <-t.ending:
				isEnding = len(t.spans) == 0
				isDue = isEnding
			}
		}
		if len(batch) > 0 && ctx.Err() == nil {
			to.export(ctx, t.settings.request("Spans", batch))
		}
		if dropped := t.dropped.Swap(0); dropped > 0 {
			t.log.Warn("dropped spans, since the collector is slower than they are recorded", "count", dropped)
		}
	}
}

// exportMetrics exports metrics after each pause, and at the end.
func (t *Telemetry) exportMetrics(ctx context.Context, to *exporter) {
	defer to.client.CloseIdleConnections()
	ticker := time.NewTicker(t.settings.interval)
	defer ticker.Stop()
	for isEnding := false; !isEnding; {
		select {
		case <-ticker.C:
		case <-t.ending:
			isEnding = true
		}
		if metrics := t.metrics(time.Now()); len(metrics) > 0 {
			to.export(ctx, t.settings.request("Metrics", metrics))
		}
	}
}

// request returns the body of a request with a list of "Spans" or "Metrics".
func (s Settings) request(kind string, list any) object {
	scope := object{"scope": object{"name": "mcp-workbench", "version": s.Version}, strings.ToLower(kind): list}
	return object{"resource" + kind: []object{{"resource": object{"attributes": s.Resource}, "scope" + kind: []object{scope}}}}
}

// metric is a metric in the conventions for MCP. All are histograms of seconds.
type metric struct{ name, description string }

var (
	serverOperations = metric{"mcp.server.operation.duration", "How long requests of hosts took."}
	clientOperations = metric{"mcp.client.operation.duration", "How long requests to servers took."}
	serverSessions   = metric{"mcp.server.session.duration", "How long sessions of hosts lasted."}
	clientSessions   = metric{"mcp.client.session.duration", "How long sessions with servers lasted."}
)

// bounds are the bounds of buckets in the conventions.
var bounds = []time.Duration{
	10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
}

// count counts an operation.
func (t *Telemetry) count(counted operation, took time.Duration) {
	if t.numbers != nil {
		t.numbers.At(counted, operation{metric: counted.metric, overflow: true}, maxSeries).Add(took)
	}
}

// metrics returns the metrics that were used, as the protocol has them. Numbers of 64 bits are texts there.
func (t *Telemetry) metrics(now time.Time) (metrics []object) {
	points := map[metric][]object{}
	for counted, durations := range t.numbers.All() {
		count, buckets, limits := 0, make([]string, len(bounds)+1), make([]float64, len(bounds))
		for i, number := range durations.Buckets(bounds) {
			count += number
			buckets[i] = strconv.Itoa(number)
		}
		for i, bound := range bounds {
			limits[i] = bound.Seconds()
		}
		extremes := durations.Percentiles()
		points[counted.metric] = append(points[counted.metric], object{
			"attributes": counted.attributes(), "startTimeUnixNano": strconv.FormatInt(t.begun.UnixNano(), 10), "timeUnixNano": strconv.FormatInt(now.UnixNano(), 10),
			"count": strconv.Itoa(count), "sum": durations.Sum().Seconds(), "bucketCounts": buckets, "explicitBounds": limits,
			"min": extremes.Shortest.Seconds(), "max": extremes.Longest.Seconds(),
		})
	}
	for of, measured := range points {
		const cumulative = 2
		metrics = append(metrics, object{
			"name": of.name, "description": of.description, "unit": "s",
			"histogram": object{"dataPoints": measured, "aggregationTemporality": cumulative},
		})
	}
	return metrics
}
