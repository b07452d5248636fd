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

// Settings say what is exported, and to where.
type Settings struct {
	// Version is that of the program.
	Version string
	// Resource are the attributes of everything that is exported.
	Resource []attribute
	// Traces and Metrics are where they go; nil for nowhere.
	Traces, Metrics *Endpoint
	// Sampler decides which spans are recorded.
	Sampler Sampler
	// Links begins a trace of its own for each request of a host, with a link to the host's span, which is
	// the parent otherwise.
	Links bool

	transport       http.RoundTripper // nil for the network; specs have another
	queue, batch    int
	delay, interval time.Duration
}

// Endpoint is the address of a collector for one kind of data. It has secrets.
type Endpoint struct {
	url     string
	headers map[string]string
	json    bool
	timeout time.Duration
	// The paths of certificates: of authorities, and of the workbench with its key; "" for none.
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

// variables reads settings from the environment, and notes what is wrong with it.
type variables struct {
	getenv   func(string) string
	problems []error
}

// ReadSettings reads the variables OTEL_*. It returns nil if nothing is to be exported. A variable that cannot be
// used counts as not set, and is among the problems, which show no value.
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

// endpoint returns where data of a kind goes, nil if it is not exported.
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
		v.wrong("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf or http/json; nothing of this kind is exported")
		return nil
	}
	endpoint.timeout = v.timeout(kind)
	for _, header := range v.pairs("OTEL_EXPORTER_OTLP_HEADERS", v.lookup(kind, "HEADERS")) {
		endpoint.headers[header.key] = header.value
	}
	var err error
	if endpoint.url, err = v.address(kind); err != nil {
		v.wrong("OTEL_EXPORTER_OTLP_ENDPOINT", "an http or https address; nothing of this kind is exported")
		return nil
	}
	return endpoint
}

// lookup returns the variable for a kind of data, or else the one for every kind.
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

// address returns the address of a collector. That of one kind of data counts as it is.
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

// pairs reads name=value,… as OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES are written.
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
		v.wrong(name, "always_on, always_off or traceidratio, also with parentbased_ in front")
		sampler, _ = newSampler("parentbased_always_on", 1)
	}
	return sampler
}

// milliseconds returns a length of time that is written in milliseconds.
func (v *variables) milliseconds(name string, standard time.Duration) time.Duration {
	const longest = 24 * time.Hour
	return time.Duration(v.number(name, int(standard.Milliseconds()), int(longest.Milliseconds()))) * time.Millisecond
}

// number returns a number from 1 to the most.
func (v *variables) number(name string, standard, most int) int {
	text := v.getenv(name)
	if text == "" {
		return standard
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > most {
		v.wrong(name, "a whole number from 1 to "+strconv.Itoa(most))
		return standard
	}
	return number
}
