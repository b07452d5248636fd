package streamablehttp

import (
	"encoding/json"
	"time"
)

// Pauses returns how long a stream that ends again and again waits each time until it is opened
// again, after having been open for these times, when its server asked for that long.
func Pauses(retry time.Duration, wasOpen ...time.Duration) (pauses []time.Duration) {
	at := position{retry: retry}
	for _, time := range wasOpen {
		pauses = append(pauses, at.backoff(time))
	}
	return pauses
}

// PausesOfCall is Pauses for the stream of a call.
func PausesOfCall(retry time.Duration, wasOpen ...time.Duration) (pauses []time.Duration) {
	at := position{retry: retry}
	for _, time := range wasOpen {
		pauses = append(pauses, at.pause(time))
	}
	return pauses
}

// ArgumentHeaders returns the headers that a tool with this schema wants for a call with
// these arguments.
func ArgumentHeaders(schema, arguments json.RawMessage) (map[string]string, error) {
	headers, err := argumentHeaders(schema)
	values := map[string]string{}
	for _, header := range headers {
		if value, ok := header.value(arguments); ok {
			values[header.name] = value
		}
	}
	return values, err
}
