package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"

	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"mcp-workbench/domain"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// errRedirected is the failure of an export that the collector redirected.
var errRedirected = errors.New("the collector redirects, which is not followed")

// maxAnswer is the number of bytes of an answer that are read.
const maxAnswer = 64 << 10

// spanExporter returns an exporter of spans, nil if they are not exported.
func (s *settings) spanExporter(client *http.Client) sdktrace.SpanExporter {
	var exporter sdktrace.SpanExporter
	var err error
	address, _ := lookup(traces, "ENDPOINT")
	switch s.traces {
	case "":
		return nil
	case overGRPC:
		var options []otlptracegrpc.Option
		if address == "" {
			options = append(options, otlptracegrpc.WithInsecure())
		}
		exporter, err = otlptracegrpc.New(context.Background(), options...)
	default:
		options := []otlptracehttp.Option{otlptracehttp.WithProxy(proxy), otlptracehttp.WithMaxResponseSize(maxAnswer)}
		if address == "" {
			options = append(options, otlptracehttp.WithInsecure())
		}
		if client != nil {
			options = append(options, otlptracehttp.WithHTTPClient(client))
		}
		exporter, err = otlptracehttp.New(context.Background(), options...)
	}
	outcome := &outcome{kind: "spans", log: s.log}
	if outcome.note(err); err != nil {
		return nil
	}
	return spanExporter{exporter, outcome}
}

// metricExporter returns an exporter of metrics, nil if they are not exported.
func (s *settings) metricExporter(client *http.Client) sdkmetric.Exporter {
	var exporter sdkmetric.Exporter
	var err error
	address, _ := lookup(metrics, "ENDPOINT")
	switch s.metrics {
	case "":
		return nil
	case overGRPC:
		var options []otlpmetricgrpc.Option
		if address == "" {
			options = append(options, otlpmetricgrpc.WithInsecure())
		}
		exporter, err = otlpmetricgrpc.New(context.Background(), options...)
	default:
		options := []otlpmetrichttp.Option{otlpmetrichttp.WithProxy(proxy), otlpmetrichttp.WithMaxResponseSize(maxAnswer)}
		if address == "" {
			options = append(options, otlpmetrichttp.WithInsecure())
		}
		if client != nil {
			options = append(options, otlpmetrichttp.WithHTTPClient(client))
		}
		exporter, err = otlpmetrichttp.New(context.Background(), options...)
	}
	outcome := &outcome{kind: "metrics", log: s.log}
	if outcome.note(err); err != nil {
		return nil
	}
	return metricExporter{exporter, outcome}
}

// proxy returns the address of the proxy for a request, nil for none. It refuses requests that redirects lead to, so that the
// headers are sent only to the configured address.
func proxy(request *http.Request) (*url.URL, error) {
	if request.Response != nil { // the redirect
		return nil, errRedirected
	}
	return http.ProxyFromEnvironment(request)
}

// spanExporter logs failures of another exporter.
type spanExporter struct {
	sdktrace.SpanExporter
	outcome *outcome
}

// ExportSpans implements sdktrace.SpanExporter.
func (e spanExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	e.outcome.note(e.SpanExporter.ExportSpans(ctx, spans))
	return nil
}

// metricExporter logs failures of another exporter.
type metricExporter struct {
	sdkmetric.Exporter
	outcome *outcome
}

// Export implements sdkmetric.Exporter.
func (e metricExporter) Export(ctx context.Context, metrics *metricdata.ResourceMetrics) error {
	e.outcome.note(e.Exporter.Export(ctx, metrics))
	return nil
}

// outcome is the outcome of the last export of a kind of data. It is used by one goroutine at a time.
type outcome struct {
	kind      string // "spans" or "metrics"
	log       *slog.Logger
	hasFailed bool
}

// note logs a failure unless the previous export failed too.
func (o *outcome) note(err error) {
	if err != nil && !o.hasFailed {
		o.log.Warn("could not export "+o.kind, "error", shownFailure(err))
	}
	o.hasFailed = err != nil
}

// addresses matches addresses in texts of the SDK. That of the collector may have a secret.
var addresses = regexp.MustCompile(`"?https?://\S+`)

// maxFailure is the maximum length of a failure in bytes. It may have the answer of the collector.
const maxFailure = 300

// minSecret is the minimum length of a value of a header that is hidden in bytes. Shorter ones are also in other words.
const minSecret = 4

// shownFailure returns the text of a failure without the address of the collector and without values of headers.
func shownFailure(err error) string {
	text := err.Error()
	for _, name := range eachKind("HEADERS") {
		values, _ := pairs(os.Getenv(name))
		for _, value := range values {
			if len(value) >= minSecret {
				text = strings.ReplaceAll(text, value, "•••")
			}
		}
	}
	text = domain.OneLine(domain.ShownText(addresses.ReplaceAllString(text, "the collector")))
	return strings.ToValidUTF8(text[:min(len(text), maxFailure)], "")
}
