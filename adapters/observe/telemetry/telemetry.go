package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"mcp-workbench/domain"
)

// Telemetry records and exports spans and metrics. A nil Telemetry records nothing, and its hosts return their
// arguments without wrapping them. Safe for concurrent use.
type Telemetry struct {
	settings Settings
	log      *slog.Logger
	spans    *spans      // nil if spans are not exported
	numbers  *histograms // nil if metrics are not exported

	stop     context.CancelFunc // cancels exports
	ending   chan struct{}      // closed when the last data is to be exported
	endOnce  sync.Once
	running  sync.WaitGroup
	isFailed [2]atomic.Bool // whether the last export of spans and of metrics failed, which was logged
}

// finishTime is how long Close waits for a collector.
const finishTime = time.Second

// Start returns the telemetry that the variables OTEL_* configure, nil if they turn it off or cannot be used. The
// argument links is the value of Settings.Links. Problems are logged.
func Start(getenv func(string) string, version string, links bool, log *slog.Logger) *Telemetry {
	settings, problems := ReadSettings(getenv, version)
	for _, problem := range problems {
		log.Warn("telemetry: " + problem.Error())
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
	t := &Telemetry{settings: settings, log: log, ending: make(chan struct{})}
	var exporting context.Context
	exporting, t.stop = context.WithCancel(context.Background())
	var exporters [2]*exporter
	for i, endpoint := range []*Endpoint{settings.Traces, settings.Metrics} {
		if endpoint == nil {
			continue
		}
		var err error
		if exporters[i], err = newExporter(endpoint, settings.transport); err != nil {
			t.stop()
			return nil, err
		}
	}
	if exporters[0] != nil {
		t.spans = newSpans(settings)
		t.running.Go(func() { t.exportSpans(exporting, exporters[0]) })
	}
	if exporters[1] != nil {
		t.numbers = newHistograms(time.Now())
		t.running.Go(func() { t.exportNumbers(exporting, exporters[1]) })
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
	defer to.close()
	ticker := time.NewTicker(t.settings.delay)
	defer ticker.Stop()
	for isEnding := false; !isEnding; {
		select {
		case <-ticker.C:
		case <-t.spans.full:
		case <-t.ending:
			isEnding = true
		}
		for batch := t.spans.take(); len(batch) > 0 && ctx.Err() == nil; batch = t.spans.take() {
			t.report(0, "spans", to.export(ctx, t.settings.spansRequest(batch)))
			if len(batch) < t.settings.batch {
				break // newer spans wait for the next export
			}
		}
		if dropped := t.spans.takeDropped(); dropped > 0 {
			t.log.Warn("dropped spans, since the collector is slower than they are recorded", "count", dropped)
		}
	}
}

// exportNumbers exports metrics after each pause, and at the end.
func (t *Telemetry) exportNumbers(ctx context.Context, to *exporter) {
	defer to.close()
	ticker := time.NewTicker(t.settings.interval)
	defer ticker.Stop()
	for isEnding := false; !isEnding; {
		select {
		case <-ticker.C:
		case <-t.ending:
			isEnding = true
		}
		if metrics := t.numbers.messages(time.Now()); len(metrics) > 0 {
			t.report(1, "metrics", to.export(ctx, t.settings.metricsRequest(metrics)))
		}
	}
}

// report logs that an export failed, unless the previous one of its kind failed too.
func (t *Telemetry) report(kind int, what string, err error) {
	switch {
	case err == nil:
		t.isFailed[kind].Store(false)
	case !t.isFailed[kind].Swap(true):
		t.log.Warn("could not export "+what, "error", err)
	}
}

// current is a span in progress and its operation.
type current struct {
	telemetry *Telemetry
	operation operation
	session   string
	span      span
	isSampled bool
}

// begin begins a span. If the settings say so, the parent becomes a link.
func (t *Telemetry) begin(kind uint64, parent spanContext, about operation) *current {
	begun := &current{telemetry: t, operation: about, span: span{kind: kind, parent: parent, begun: time.Now()}}
	if t.settings.Links && kind == kindServer {
		begun.span.parent = spanContext{}
		begun.span.addLink(parent)
	}
	begun.span.context = begun.span.parent.child()
	if begun.isSampled = t.settings.Sampler.samples(begun.span.parent, begun.span.context); begun.isSampled {
		begun.span.context.flags = sampledFlag
	}
	return begun
}

// end ends the span, and counts the operation.
func (c *current) end(outcome domain.Outcome, code int) {
	c.span.ended = time.Now()
	c.operation = c.operation.end(outcome, code)
	c.telemetry.count(c.operation, c.span.ended.Sub(c.span.begun))
	if c.telemetry.spans == nil || !c.isSampled {
		return
	}
	c.span.name, c.span.attributes, c.span.failed = c.operation.name(), c.operation.attributes(), c.operation.errorType != ""
	if c.session != "" {
		c.span.attributes = append(c.span.attributes, attribute{"mcp.session.id", c.session})
	}
	c.telemetry.spans.add(&c.span)
}

// count counts an operation.
func (t *Telemetry) count(counted operation, took time.Duration) {
	if t.numbers != nil {
		t.numbers.record(counted, took)
	}
}
