package telemetry

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Settings say what is exported, and where to.
type Settings struct {
	// Version is the version of the program.
	Version string
	// Resource are the attributes of all exported data.
	Resource []attribute
	// Traces and Metrics are the endpoints of traces and metrics, nil if they are not exported.
	Traces, Metrics *Endpoint
	// Sampler decides which spans are recorded.
	Sampler Sampler
	// Links says that each request of a host begins a new trace with a link to the host's span. Otherwise the
	// host's span is the parent.
	Links bool

	transport       http.RoundTripper // nil for the network; specs set another one
	queue, batch    int
	delay, interval time.Duration
}

// Endpoint is the address of a collector for one kind of data. It may contain secrets.
type Endpoint struct {
	url     string
	headers map[string]string
	json    bool
	timeout time.Duration
	// The paths of the certificates of authorities, and of the workbench's certificate and key; "" for none.
	authorities, certificate, key string
}

// Defaults of the specification.
const (
	defaultEndpoint = "http://localhost:4318"
	defaultTimeout  = 10 * time.Second
	defaultDelay    = 5 * time.Second
	defaultInterval = time.Minute
	defaultQueue    = 2048
	defaultBatch    = 512
	maxQueue        = 1 << 16
)

// variables reads settings from the environment, and collects the problems.
type variables struct {
	getenv   func(string) string
	problems []error
}

// ReadSettings reads the variables OTEL_*. It returns nil if no data is exported. A variable that cannot be used
// counts as unset or turns off its kind of data, and is among the problems, which show no values.
func ReadSettings(getenv func(string) string, version string) (*Settings, []error) {
	v := &variables{getenv: getenv}
	if strings.EqualFold(strings.TrimSpace(getenv("OTEL_SDK_DISABLED")), "true") {
		return nil, nil
	}
	settings := &Settings{
		Version: version, Traces: v.endpoint("TRACES"), Metrics: v.endpoint("METRICS"),
	}
	if settings.Traces == nil && settings.Metrics == nil {
		return nil, v.problems
	}
	settings.Sampler, settings.Resource = v.sampler(), v.resource(version)
	settings.queue = v.number("OTEL_BSP_MAX_QUEUE_SIZE", defaultQueue, maxQueue)
	settings.batch = min(settings.queue, v.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", defaultBatch, maxQueue))
	settings.delay = v.milliseconds("OTEL_BSP_SCHEDULE_DELAY", defaultDelay)
	settings.interval = v.milliseconds("OTEL_METRIC_EXPORT_INTERVAL", defaultInterval)
	return settings, v.problems
}

func (v *variables) wrong(name, wanted string) {
	v.problems = append(v.problems, fmt.Errorf("the variable %s has a value that cannot be used; want %s", name, wanted))
}

// endpoint returns the endpoint for a kind of data, nil if it is not exported.
func (v *variables) endpoint(kind string) *Endpoint {
	switch exporter := v.getenv("OTEL_" + kind + "_EXPORTER"); exporter {
	case "none":
		return nil
	case "", "otlp":
		if exporter == "" && v.lookup(kind, "ENDPOINT") == "" {
			return nil
		}
	default:
		v.wrong("OTEL_"+kind+"_EXPORTER", "otlp or none")
		return nil
	}
	endpoint := &Endpoint{
		timeout: defaultTimeout, headers: map[string]string{},
		authorities: v.lookup(kind, "CERTIFICATE"), certificate: v.lookup(kind, "CLIENT_CERTIFICATE"), key: v.lookup(kind, "CLIENT_KEY"),
	}
	switch v.lookup(kind, "PROTOCOL") {
	case "", "http/protobuf":
	case "http/json":
		endpoint.json = true
	default:
		v.wrong("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf or http/json; this kind of data is not exported")
		return nil
	}
	endpoint.timeout = v.timeout(kind)
	for _, header := range v.pairs("OTEL_EXPORTER_OTLP_HEADERS", v.lookup(kind, "HEADERS")) {
		endpoint.headers[header.key] = header.value
	}
	var err error
	if endpoint.url, err = v.address(kind); err != nil {
		v.wrong("OTEL_EXPORTER_OTLP_ENDPOINT", "an http or https address; this kind of data is not exported")
		return nil
	}
	return endpoint
}

// lookup returns the variable for a kind of data or, if it is not set, the variable for all kinds.
func (v *variables) lookup(kind, name string) string {
	if own := v.getenv("OTEL_EXPORTER_OTLP_" + kind + "_" + name); own != "" {
		return own
	}
	return v.getenv("OTEL_EXPORTER_OTLP_" + name)
}

func (v *variables) timeout(kind string) time.Duration {
	name := "OTEL_EXPORTER_OTLP_TIMEOUT"
	if own := "OTEL_EXPORTER_OTLP_" + kind + "_TIMEOUT"; v.getenv(own) != "" {
		name = own
	}
	return v.milliseconds(name, defaultTimeout)
}

// address returns the address of a collector. An address for one kind of data is used without a change; the path of
// the kind is appended to an address for all kinds.
func (v *variables) address(kind string) (string, error) {
	own := v.getenv("OTEL_EXPORTER_OTLP_" + kind + "_ENDPOINT")
	given := own
	if given == "" {
		given = v.getenv("OTEL_EXPORTER_OTLP_ENDPOINT")
	}
	if given == "" {
		given = defaultEndpoint
	}
	parsed, err := url.Parse(given)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return "", errors.New("not an address")
	}
	if own == "" {
		parsed = parsed.JoinPath("v1", strings.ToLower(kind))
	}
	return parsed.String(), nil
}

// pairs parses a list in the form name=value,name=value, as in OTEL_EXPORTER_OTLP_HEADERS and
// OTEL_RESOURCE_ATTRIBUTES.
func (v *variables) pairs(name, list string) []attribute {
	var read []attribute
	for part := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, escaped, found := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.TrimSpace(escaped))
		if key = strings.TrimSpace(key); !found || key == "" || err != nil {
			v.wrong(name, "name=value,name=value")
			return nil
		}
		read = append(read, attribute{key, value})
	}
	return read
}

func (v *variables) sampler() Sampler {
	const name, argument = "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"
	ratio := 1.0
	if text := v.getenv(argument); text != "" {
		parsed, err := strconv.ParseFloat(text, 64)
		if err != nil || !(parsed >= 0 && parsed <= 1) {
			v.wrong(argument, "a number from 0 to 1")
		} else {
			ratio = parsed
		}
	}
	wanted := v.getenv(name)
	if wanted == "" {
		wanted = "parentbased_always_on"
	}
	sampler, ok := newSampler(wanted, ratio)
	if !ok {
		v.wrong(name, "always_on, always_off or traceidratio, also with the prefix parentbased_")
		sampler, _ = newSampler("parentbased_always_on", 1)
	}
	return sampler
}

// milliseconds returns a duration from a variable in milliseconds.
func (v *variables) milliseconds(name string, standard time.Duration) time.Duration {
	const longest = 24 * time.Hour
	return time.Duration(v.number(name, int(standard.Milliseconds()), int(longest.Milliseconds()))) * time.Millisecond
}

// number returns a whole number from 1 to a maximum.
func (v *variables) number(name string, standard, maximum int) int {
	text := v.getenv(name)
	if text == "" {
		return standard
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > maximum {
		v.wrong(name, "a whole number from 1 to "+strconv.Itoa(maximum))
		return standard
	}
	return number
}
