package streamablehttp

import (
	"encoding/json"
	"time"

	"mcp-workbench/domain"
)

// Pauses returns the pauses of a stream that was open for each of these times, when its server asked
// for pauses of retry.
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

// ArgumentHeaders returns the headers for a call with these arguments of a tool with this schema.
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

// PauseRenewals makes the pause between two renewals of a session so long, until the returned function is called.
func PauseRenewals(pause time.Duration) (restore func()) {
	before := renewalBackoff
	renewalBackoff = domain.Backoff{First: pause, Max: pause}
	return func() { renewalBackoff = before }
}
