package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"mcp-workbench/domain"
)

// The texts of this package that a model may read. A reason reads on after a colon
// and holds no secret.

// closedReason is why a call ended whose toolbox was closed.
const closedReason = "the toolbox was closed"

// unsetReason is why a server cannot be connected to whose configuration names a
// variable that is not set.
func unsetReason(unset domain.UnsetVariable) string {
	return fmt.Sprintf("environment variable '%s' is not set (%s)", unset.Variable, unset.KeyPath)
}

// connectTimeoutReason is why an attempt failed that took longer than the limit. The
// failure may add to it.
func connectTimeoutReason(limit time.Duration, failure error) string {
	reason := fmt.Sprintf("connection timeout after %gs (limits.connect raises it)", limit.Seconds())
	if unavailable, ok := errors.AsType[*domain.ServerUnavailableError](failure); ok {
		reason += "; " + unavailable.Reason
	}
	return reason
}

// overdueReason is why a server is not in an answer that came before the server was up.
func overdueReason(waited time.Duration, stderr string) string {
	if waited > time.Second {
		waited = waited.Round(100 * time.Millisecond)
	}
	reason := fmt.Sprintf("still starting after %gs; open the toolbox again to see its tools", waited.Seconds())
	if stderr != "" {
		reason += "; the end of its stderr: " + stderr
	}
	return reason
}

// hungReason is why a session was ended whose server did not answer a ping after
// that many calls either.
func hungReason(calls int) string {
	return fmt.Sprintf("the server did not answer %d calls in a row, nor a ping", calls)
}

// pauseReason is why a server that failed for a reason is not tried now.
func pauseReason(reason string, failures int, stopped bool, wait time.Duration) string {
	// Rounded up, so that a caller that waits as long as it says is not too early.
	seconds := (wait + time.Second - 1).Truncate(time.Second).Seconds()
	count := fmt.Sprintf("it failed %d times in a row", failures)
	if stopped {
		count += ", so tries are stopped for a while"
	}
	return fmt.Sprintf("%s; %s; the next try is in %gs", reason, count, seconds)
}

// restartMessage returns the parameters of a log message about a restarted server.
func restartMessage(id domain.ServerID, why string) json.RawMessage {
	text := fmt.Sprintf("Server '%s' of toolbox '%s' was restarted, and what it had in memory is gone: %s", id.Server, id.Toolbox, why)
	return json.RawMessage(`{"level":"warning","data":` + quote(text) + `}`)
}

// quote returns text as a JSON string.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""` // cannot happen: every string has a JSON form
	}
	return string(quoted)
}
