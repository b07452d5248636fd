package streamablehttp

import "time"

// PauseAfter returns how long a stream that ended waits until it is opened again, the
// first time and after many failures, when its server asked for that long.
func PauseAfter(retry time.Duration) (first, last time.Duration) {
	backoff := position{retry: retry}.backoff()
	return backoff.Pause(1), backoff.Pause(20)
}
