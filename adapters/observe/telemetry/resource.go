package telemetry

import (
	"crypto/rand"
	"slices"
)

// serviceName is the default name of the service.
const serviceName = "mcp-workbench"

// resource returns the attributes of this process, including those of OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME.
func (v *variables) resource(version string) []attribute {
	known := []attribute{{"service.name", serviceName}, {"service.version", version}, {"service.instance.id", rand.Text()}}
	given := v.pairs("OTEL_RESOURCE_ATTRIBUTES", v.getenv("OTEL_RESOURCE_ATTRIBUTES"))
	if name := v.getenv("OTEL_SERVICE_NAME"); name != "" {
		given = append(given, attribute{"service.name", name})
	}
	for _, a := range given {
		if at := slices.IndexFunc(known, func(k attribute) bool { return k.key == a.key }); at >= 0 {
			known[at] = a
		} else {
			known = append(known, a)
		}
	}
	return known
}
