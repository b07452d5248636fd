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
)

// maxQueue is the maximum number of spans that can wait.
const maxQueue = 1 << 16

// variables reads settings from the environment, and collects the problems.
type variables struct {
	getenv   func(string) string
	problems []string
	failure  error // why certificates cannot be read, nil if they can
}

// telemetry returns the telemetry that the variables OTEL_* configure, before it starts; their defaults are those of the
// specification. It returns nil if no data is exported. A variable that cannot be used counts as unset or turns off its kind
// of data, and is among the problems, which show no values.
func (v *variables) telemetry(version string, transport http.RoundTripper) *Telemetry {
	if strings.EqualFold(strings.TrimSpace(v.getenv("OTEL_SDK_DISABLED")), "true") {
		return nil
	}
	read := &Telemetry{version: version, traces: v.exporter("TRACES", "spans", transport), metrics: v.exporter("METRICS", "metrics", transport)}
	if v.failure != nil || read.traces == nil && read.metrics == nil {
		return nil
	}
	read.resource = v.resource(version)
	read.recordedBelow, read.parentBased = v.sampler()
	read.queue = v.number("OTEL_BSP_MAX_QUEUE_SIZE", 2048, maxQueue)
	read.batch = min(read.queue, v.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512, maxQueue))
	read.delay = v.milliseconds("OTEL_BSP_SCHEDULE_DELAY", 5000)
	read.interval = v.milliseconds("OTEL_METRIC_EXPORT_INTERVAL", 60_000)
	return read
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

// exporter returns the exporter of a kind of data, nil if it is not exported.
func (v *variables) exporter(kind, noun string, transport http.RoundTripper) *exporter {
	address, addressName := v.lookup(kind, "ENDPOINT")
	switch name := "OTEL_" + kind + "_EXPORTER"; v.getenv(name) {
	case "":
		if address == "" {
			return nil
		}
	case "none":
		return nil
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
	if transport == nil {
		authorities, _ := v.lookup(kind, "CERTIFICATE")
		certificate, _ := v.lookup(kind, "CLIENT_CERTIFICATE")
		key, _ := v.lookup(kind, "CLIENT_KEY")
		if transport, err = newTransport(authorities, certificate, key); err != nil {
			v.failure = err
			return nil
		}
	}
	_, timeout := v.lookup(kind, "TIMEOUT")
	// The headers are sent only to the configured address.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &exporter{
		kind: noun, address: parsed.String(), headers: v.pairs(v.lookup(kind, "HEADERS")),
		client: &http.Client{Transport: transport, CheckRedirect: stay, Timeout: v.milliseconds(timeout, 10_000)},
	}
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
	attributes := []attribute{{"service.name", "mcp-workbench"}, {"service.version", version}, {"service.instance.id", rand.Text()}}
	given := v.pairs(v.getenv(name), name)
	if name := v.getenv("OTEL_SERVICE_NAME"); name != "" {
		given = append(given, attribute{"service.name", name})
	}
	for _, a := range given {
		attributes = append(slices.DeleteFunc(attributes, func(b attribute) bool { return b.key == a.key }), a)
	}
	return attributes
}

// sampler returns which traces are recorded, as Telemetry has it.
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

// milliseconds returns a duration from a variable in milliseconds, up to a day.
func (v *variables) milliseconds(name string, standard int) time.Duration {
	return time.Duration(v.number(name, standard, 24*60*60*1000)) * time.Millisecond
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
