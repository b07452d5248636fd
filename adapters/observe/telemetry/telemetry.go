package telemetry

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/adapters/observe/figures"
)

// Telemetry records and exports spans and metrics. A nil Telemetry records nothing, and its hosts are nil. Safe for concurrent use.
type Telemetry struct {
	version  string
	resource []attribute // of all exported data
	links    bool        // see Start

	// traces and metrics export spans and metrics, nil if they are not exported.
	traces, metrics *exporter

	// Traces whose id has its last 63 bits below this bound are recorded; with parentBased a span with a parent
	// follows the parent's decision.
	recordedBelow   uint64
	parentBased     bool
	queue, batch    int
	delay, interval time.Duration

	log   *slog.Logger
	begun time.Time
	// series are the durations of operations.
	series figures.Series[operation, figures.Histogram]

	mu      sync.Mutex // guards waiting
	waiting []*span    // to be exported
	dropped atomic.Int64

	full    chan struct{}      // has an element when a batch waits
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

// Start returns the telemetry that the variables OTEL_* configure, nil if they turn it off or cannot be used. With
// links, each request of a host begins a new trace with a link to the host's span, which otherwise is the parent.
// Problems are logged. The caller closes the telemetry.
func Start(getenv func(string) string, version string, links bool, log *slog.Logger) *Telemetry {
	return start(getenv, version, links, log, nil)
}

// start is Start with a transport for exports, nil for the network.
func start(getenv func(string) string, version string, links bool, log *slog.Logger, transport http.RoundTripper) *Telemetry {
	v := &variables{getenv: getenv}
	t := v.telemetry(version, transport)
	for _, problem := range v.problems {
		log.Warn("telemetry: " + problem)
	}
	if v.failure != nil {
		log.Warn("telemetry is off", "error", v.failure)
	}
	if t == nil {
		return nil
	}
	t.links, t.log, t.begun, t.full, t.ending = links, log, time.Now(), make(chan struct{}, 1), make(chan struct{})
	exporting, stop := context.WithCancel(context.Background())
	t.stop = stop
	if t.traces != nil {
		t.running.Go(func() { t.export(t.delay, t.full, func() { t.exportSpans(exporting) }) })
	}
	if t.metrics != nil {
		t.running.Go(func() { t.export(t.interval, nil, func() { t.exportMetrics(exporting) }) })
	}
	return t
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

// export calls send after each pause, when the channel due has an element, and at the end.
func (t *Telemetry) export(pause time.Duration, due <-chan struct{}, send func()) {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for isEnding := false; !isEnding; {
		select {
		case <-ticker.C:
		case <-due:
		case <-t.ending:
			isEnding = true
		}
		send()
	}
}

// add adds an ended span to those that wait, unless there are too many.
func (t *Telemetry) add(ended *span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == t.queue {
		t.dropped.Add(1)
		return
	}
	if t.waiting = append(t.waiting, ended); len(t.waiting) >= t.batch {
		select {
		case t.full <- struct{}{}:
		default:
		}
	}
}

func (t *Telemetry) exportSpans(ctx context.Context) {
	t.mu.Lock()
	spans := t.waiting
	t.waiting = nil
	t.mu.Unlock()
	for batch := range slices.Chunk(spans, t.batch) {
		t.traces.export(ctx, t.request("Spans", batch), t.log)
	}
	if dropped := t.dropped.Swap(0); dropped > 0 {
		t.log.Warn("dropped spans, since the collector is slower than they are recorded", "count", dropped)
	}
}

func (t *Telemetry) exportMetrics(ctx context.Context) {
	if metrics := t.usedMetrics(time.Now()); len(metrics) > 0 {
		t.metrics.export(ctx, t.request("Metrics", metrics), t.log)
	}
}

// request returns the body of a request with a list of "Spans" or "Metrics".
func (t *Telemetry) request(kind string, list any) object {
	scope := object{"scope": object{"name": "mcp-workbench", "version": t.version}, strings.ToLower(kind): list}
	return object{"resource" + kind: []object{{"resource": object{"attributes": t.resource}, "scope" + kind: []object{scope}}}}
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
func (t *Telemetry) count(counted operation, duration time.Duration) {
	if t.metrics != nil {
		t.series.At(counted, operation{metric: counted.metric, overflow: true}, maxSeries).Add(duration)
	}
}

// usedMetrics returns the metrics that were used, as the protocol has them. Numbers of 64 bits are texts there.
func (t *Telemetry) usedMetrics(now time.Time) (metrics []object) {
	points := map[metric][]object{}
	for counted, durations := range t.series.All() {
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
	for kind, dataPoints := range points {
		const cumulative = 2
		metrics = append(metrics, object{
			"name": kind.name, "description": kind.description, "unit": "s",
			"histogram": object{"dataPoints": dataPoints, "aggregationTemporality": cumulative},
		})
	}
	return metrics
}
