package telemetry

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"

	"mcp-workbench/adapters/downstream/web/certificates"
	"mcp-workbench/adapters/system/safefile"
)

// The kinds of data, as the names of variables have them.
const (
	traces  = "TRACES"
	metrics = "METRICS"
)

// The protocols.
const (
	overGRPC = "grpc"
	overHTTP = "http/protobuf" // or http/json
)

// settings are what the SDK leaves to programs: which kinds of data are exported, and over which protocol, "" for a kind
// that is not exported. The SDK reads the other variables itself.
type settings struct {
	traces, metrics string
	log             *slog.Logger
	problems        []string // that were logged
}

// newSettings reads the variables and logs the problems, which show no values. A variable that cannot be used counts as unset,
// or turns off its kind of data.
func newSettings(log *slog.Logger) *settings {
	read := &settings{log: log}
	if strings.EqualFold(strings.TrimSpace(os.Getenv("OTEL_SDK_DISABLED")), "true") {
		return read
	}
	read.traces, read.metrics = read.protocol(traces), read.protocol(metrics)
	if read.traces == "" && read.metrics == "" || !read.hasCertificates() {
		return &settings{}
	}
	for _, c := range checks {
		for _, name := range c.names {
			if value := os.Getenv(name); value != "" && !c.fits(value) {
				read.wrong(name, c.wanted)
			}
		}
	}
	return read
}

// wrong logs a problem once, even if it concerns both kinds of data.
func (s *settings) wrong(name, wanted string) {
	problem := "telemetry: the variable " + name + " has a value that cannot be used; want " + wanted
	if !slices.Contains(s.problems, problem) {
		s.problems = append(s.problems, problem)
		s.log.Warn(problem)
	}
}

// protocol returns the protocol of a kind of data, "" if it is not exported.
func (s *settings) protocol(kind string) string {
	address, addressName := lookup(kind, "ENDPOINT")
	switch name := "OTEL_" + kind + "_EXPORTER"; os.Getenv(name) {
	case "":
		if address == "" {
			return ""
		}
	case "none":
		return ""
	case "otlp":
	default:
		s.wrong(name, "otlp or none")
		return ""
	}
	parsed, err := url.Parse(address)
	if address != "" && (err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https") {
		s.wrong(addressName, "an http or https address; this kind of data is not exported")
		return ""
	}
	switch protocol, name := lookup(kind, "PROTOCOL"); protocol {
	case "", overHTTP, "http/json":
		return overHTTP
	case overGRPC:
		return overGRPC
	default:
		s.wrong(name, "http/protobuf, http/json or grpc; this kind of data is not exported")
		return ""
	}
}

// hasCertificates reports whether the files of certificates can be read. The SDK would do without a file that it cannot read, and
// read from a pipe forever.
func (s *settings) hasCertificates() bool {
	if _, err := certificates.Roots(); err != nil {
		s.log.Warn("telemetry is off", "error", err)
		return false
	}
	for _, name := range slices.Concat(eachKind("CERTIFICATE"), eachKind("CLIENT_CERTIFICATE"), eachKind("CLIENT_KEY")) {
		if path := os.Getenv(name); path != "" {
			if _, err := safefile.ReadFile(path); err != nil {
				s.wrong(name, "a file that can be read; nothing is exported")
				return false
			}
		}
	}
	return true
}

// generalPrefix begins the names of variables for all kinds of data.
const generalPrefix = "OTEL_EXPORTER_OTLP_"

// lookup returns the value and the name of the variable for a kind of data or, if it is not set, of the variable for
// all kinds.
func lookup(kind, name string) (value, full string) {
	if own := generalPrefix + kind + "_" + name; os.Getenv(own) != "" {
		return os.Getenv(own), own
	}
	return os.Getenv(generalPrefix + name), generalPrefix + name
}

// checks are the variables whose values the SDK would ignore without a word, or with one that has the value.
var checks = []struct {
	names  []string
	wanted string
	fits   func(value string) bool
}{
	{slices.Concat(eachKind("TIMEOUT"), []string{
		"OTEL_BSP_SCHEDULE_DELAY", "OTEL_BSP_EXPORT_TIMEOUT", "OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
		"OTEL_METRIC_EXPORT_INTERVAL", "OTEL_METRIC_EXPORT_TIMEOUT",
	}), "a whole number above 0", func(value string) bool {
		number, err := strconv.Atoi(value)
		return err == nil && number > 0
	}},
	{[]string{"OTEL_TRACES_SAMPLER"}, "always_on, always_off or traceidratio, also with the prefix parentbased_", func(value string) bool {
		return slices.Contains([]string{"always_on", "always_off", "traceidratio"}, strings.TrimPrefix(value, "parentbased_"))
	}},
	{[]string{"OTEL_TRACES_SAMPLER_ARG"}, "a number from 0 to 1", func(value string) bool {
		ratio, err := strconv.ParseFloat(value, 64)
		return err == nil && ratio >= 0 && ratio <= 1
	}},
	{append(eachKind("HEADERS"), "OTEL_RESOURCE_ATTRIBUTES"), "name=value,name=value", func(value string) bool {
		_, ok := pairs(value)
		return ok
	}},
}

// eachKind returns the names of a variable for all kinds of data and for each kind.
func eachKind(name string) []string {
	return []string{generalPrefix + name, generalPrefix + traces + "_" + name, generalPrefix + metrics + "_" + name}
}

// pairs returns the values of a list in the form name=value,name=value, and whether it has that form.
func pairs(list string) (values []string, ok bool) {
	for part := range strings.SplitSeq(list, ",") {
		key, escaped, found := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.TrimSpace(escaped))
		if strings.TrimSpace(key) == "" || !found || err != nil {
			return values, false
		}
		values = append(values, value)
	}
	return values, true
}

// describedProcess returns the attributes of this process. Those in variables take precedence.
func describedProcess(version string) *resource.Resource {
	// A list that cannot be used is a problem that was logged.
	described, _ := resource.New(context.Background(), resource.WithAttributes(
		attribute.String("service.name", name), attribute.String("service.version", version), attribute.String("service.instance.id", rand.Text()),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	return described
}
