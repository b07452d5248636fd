package telemetry

import (
	"cmp"
	"crypto/rand"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcp-workbench/adapters/downstream/web/certificates"
)

// Settings say what is exported, and where to.
type Settings struct {
	// Version is the version of the program.
	Version string
	// Resource are the attributes of all exported data.
	Resource []attribute
	// Traces and Metrics are the endpoints of traces and metrics, nil if they are not exported.
	Traces, Metrics *Endpoint
	// Links says that each request of a host begins a new trace with a link to the host's span. Otherwise the
	// host's span is the parent.
	Links bool

	// Traces whose id has its last 63 bits below this bound are recorded; with parentBased a span with a parent
	// follows the parent's decision.
	recordedBelow   uint64
	parentBased     bool
	transport       http.RoundTripper // nil for the network; specs set another one
	queue, batch    int
	delay, interval time.Duration
}

// Endpoint is the address of a collector for one kind of data. It may contain secrets.
type Endpoint struct {
	kind        string // "spans" or "metrics"
	url         string
	headers     []attribute
	timeout     time.Duration
	authorities string              // the path of the certificates of authorities, "" for the system's
	own         certificates.Client // the workbench's certificate
}

// maxQueue is the maximum number of spans that can wait.
const maxQueue = 1 << 16

// variables reads settings from the environment, and collects the problems.
type variables struct {
	getenv   func(string) string
	problems []string
}

// ReadSettings reads the variables OTEL_*, whose defaults are those of the specification. It returns nil if no data
// is exported. A variable that cannot be used counts as unset or turns off its kind of data, and is among the
// problems, which show no values.
func ReadSettings(getenv func(string) string, version string) (*Settings, []string) {
	v := &variables{getenv: getenv}
	if strings.EqualFold(strings.TrimSpace(getenv("OTEL_SDK_DISABLED")), "true") {
		return nil, nil
	}
	settings := &Settings{Version: version, Traces: v.endpoint("TRACES"), Metrics: v.endpoint("METRICS")}
	if settings.Traces == nil && settings.Metrics == nil {
		return nil, v.problems
	}
	settings.Resource = v.resource(version)
	settings.recordedBelow, settings.parentBased = v.sampler()
	settings.queue = v.number("OTEL_BSP_MAX_QUEUE_SIZE", 2048, maxQueue)
	settings.batch = min(settings.queue, v.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512, maxQueue))
	settings.delay = v.duration("OTEL_BSP_SCHEDULE_DELAY", 5*time.Second)
	settings.interval = v.duration("OTEL_METRIC_EXPORT_INTERVAL", time.Minute)
	return settings, v.problems
}

func (v *variables) wrong(name, wanted string) {
	v.note("the variable " + name + " has a value that cannot be used; want " + wanted)
}

// note adds a problem once, even if it concerns both kinds of data.
func (v *variables) note(problem string) {
	if !slices.Contains(v.problems, problem) {
		v.problems = append(v.problems, problem)
	}
}

// endpoint returns the endpoint for a kind of data, nil if it is not exported.
func (v *variables) endpoint(kind string) *Endpoint {
	address, addressName := v.lookup(kind, "ENDPOINT")
	switch name := "OTEL_" + kind + "_EXPORTER"; v.getenv(name) {
	case "", "none":
		if address == "" || v.getenv(name) == "none" {
			return nil
		}
	case "otlp":
		address = cmp.Or(address, "http://localhost:4318")
	default:
		v.wrong(name, "otlp or none")
		return nil
	}
	switch protocol, name := v.lookup(kind, "PROTOCOL"); protocol {
	case "", "http/json":
	case "http/protobuf":
		v.note("the variable " + name + " wants http/protobuf; http/json is sent instead")
	default:
		v.wrong(name, "http/json; this kind of data is not exported")
		return nil
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		v.wrong(addressName, "an http or https address; this kind of data is not exported")
		return nil
	}
	if addressName == generalPrefix+"ENDPOINT" { // the address for one kind of data is used without a change
		parsed = parsed.JoinPath("v1", strings.ToLower(kind))
	}
	endpoint := &Endpoint{kind: map[string]string{"TRACES": "spans", "METRICS": "metrics"}[kind], url: parsed.String()}
	endpoint.headers = v.pairs(v.lookup(kind, "HEADERS"))
	_, timeout := v.lookup(kind, "TIMEOUT")
	endpoint.timeout = v.duration(timeout, 10*time.Second)
	endpoint.authorities, _ = v.lookup(kind, "CERTIFICATE")
	endpoint.own.File, _ = v.lookup(kind, "CLIENT_CERTIFICATE")
	endpoint.own.KeyFile, _ = v.lookup(kind, "CLIENT_KEY")
	return endpoint
}

// generalPrefix begins the names of variables for all kinds of data.
const generalPrefix = "OTEL_EXPORTER_OTLP_"

// lookup returns the value and the name of the variable for a kind of data or, if it is not set, of the variable for
// all kinds.
func (v *variables) lookup(kind, name string) (value, full string) {
	if own := generalPrefix + kind + "_" + name; v.getenv(own) != "" {
		return v.getenv(own), own
	}
	return v.getenv(generalPrefix + name), generalPrefix + name
}

// pairs parses a list in the form name=value,name=value.
func (v *variables) pairs(list, name string) []attribute {
	var read []attribute
	for _, part := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		key, escaped, found := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.TrimSpace(escaped))
		if key = strings.TrimSpace(key); key != "" && found && err == nil {
			read = append(read, attribute{key, value})
		} else if key != "" || found {
			v.wrong(name, "name=value,name=value")
			return nil
		}
	}
	return read
}

// resource returns the attributes of this process. A later one takes precedence over an earlier one of the same name.
func (v *variables) resource(version string) []attribute {
	const name = "OTEL_RESOURCE_ATTRIBUTES"
	known := []attribute{{"service.name", "mcp-workbench"}, {"service.version", version}, {"service.instance.id", rand.Text()}}
	given := v.pairs(v.getenv(name), name)
	if name := v.getenv("OTEL_SERVICE_NAME"); name != "" {
		given = append(given, attribute{"service.name", name})
	}
	for _, a := range given {
		known = append(slices.DeleteFunc(known, func(k attribute) bool { return k.key == a.key }), a)
	}
	return known
}

// sampler returns which traces are recorded, as Settings has it.
func (v *variables) sampler() (below uint64, parentBased bool) {
	const name, argument = "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"
	ratio, err := strconv.ParseFloat(cmp.Or(v.getenv(argument), "1"), 64)
	if err != nil || !(ratio >= 0 && ratio <= 1) {
		v.wrong(argument, "a number from 0 to 1")
		ratio = 1
	}
	kind, parentBased := strings.CutPrefix(cmp.Or(v.getenv(name), "parentbased_always_on"), "parentbased_")
	switch kind {
	case "always_on":
		ratio = 1
	case "always_off":
		ratio = 0
	case "traceidratio":
	default:
		v.wrong(name, "always_on, always_off or traceidratio, also with the prefix parentbased_")
		ratio, parentBased = 1, true
	}
	if ratio == 1 {
		return math.MaxUint64, parentBased
	}
	return uint64(ratio * (1 << 63)), parentBased
}

// duration returns a duration from a variable in milliseconds.
func (v *variables) duration(name string, standard time.Duration) time.Duration {
	longest := 24 * time.Hour
	return time.Duration(v.number(name, int(standard.Milliseconds()), int(longest.Milliseconds()))) * time.Millisecond
}

// number returns a whole number from 1 to a maximum.
func (v *variables) number(name string, standard, maximum int) int {
	number, err := strconv.Atoi(cmp.Or(v.getenv(name), strconv.Itoa(standard)))
	if err != nil || number < 1 || number > maximum {
		v.wrong(name, "a whole number from 1 to "+strconv.Itoa(maximum))
		return standard
	}
	return number
}
