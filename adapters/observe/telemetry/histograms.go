package telemetry

import (
	"slices"
	"sort"
	"sync"
	"time"
)

// instrument is the name of a metric in the conventions for MCP. All metrics are histograms of seconds.
type instrument string

// The instruments.
const (
	serverOperations instrument = "mcp.server.operation.duration"
	clientOperations instrument = "mcp.client.operation.duration"
	serverSessions   instrument = "mcp.server.session.duration"
	clientSessions   instrument = "mcp.client.session.duration"
)

var descriptions = map[instrument]string{
	serverOperations: "How long requests of hosts took.",
	clientOperations: "How long requests to servers took.",
	serverSessions:   "How long sessions of hosts lasted.",
	clientSessions:   "How long sessions with servers lasted.",
}

// bounds are the bounds of buckets in the conventions, in seconds.
var bounds = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// maxSeries is the maximum number of series of all instruments. Servers choose the names of tools and the codes
// of errors.
const maxSeries = 1000

// histograms are the histograms since the start. Safe for concurrent use.
type histograms struct {
	begun time.Time

	mu     sync.Mutex // guards series
	series map[operation]*histogram
}

type histogram struct {
	counts          []uint64 // one more than bounds
	count           uint64
	sum             float64
	lowest, highest float64
}

func newHistograms(now time.Time) *histograms {
	return &histograms{begun: now, series: map[operation]*histogram{}}
}

// record counts an operation and its duration. Above maxSeries, operations are counted in one overflow series for
// each instrument.
func (h *histograms) record(counted operation, took time.Duration) {
	seconds := max(0, took.Seconds())
	h.mu.Lock()
	defer h.mu.Unlock()
	found := h.series[counted]
	if found == nil && len(h.series) >= maxSeries {
		counted = operation{instrument: counted.instrument, overflow: true}
		found = h.series[counted]
	}
	if found == nil {
		found = &histogram{counts: make([]uint64, len(bounds)+1), lowest: seconds}
		h.series[counted] = found
	}
	found.counts[sort.SearchFloat64s(bounds, seconds)]++
	found.count++
	found.sum += seconds
	found.lowest, found.highest = min(found.lowest, seconds), max(found.highest, seconds)
}

// messages returns a Metric for each instrument that was used.
func (h *histograms) messages(now time.Time) []message {
	h.mu.Lock()
	defer h.mu.Unlock()
	points := map[instrument][]message{}
	for counted, numbers := range h.series {
		points[counted.instrument] = append(points[counted.instrument], message{
			{9, "attributes", attributeMessages(counted.attributes())},
			{2, "startTimeUnixNano", nanoseconds(h.begun)},
			{3, "timeUnixNano", nanoseconds(now)},
			{4, "count", fixed64(numbers.count)},
			{5, "sum", double(numbers.sum)},
			{6, "bucketCounts", slices.Clone(numbers.counts)},
			{7, "explicitBounds", bounds},
			{11, "min", double(numbers.lowest)},
			{12, "max", double(numbers.highest)},
		})
	}
	var metrics []message
	for _, used := range []instrument{serverOperations, clientOperations, serverSessions, clientSessions} {
		if len(points[used]) == 0 {
			continue
		}
		const cumulative = 2
		metrics = append(metrics, message{
			{1, "name", text(used)},
			{2, "description", text(descriptions[used])},
			{3, "unit", text("s")},
			{9, "histogram", message{{1, "dataPoints", points[used]}, {2, "aggregationTemporality", enum(cumulative)}}},
		})
	}
	return metrics
}
