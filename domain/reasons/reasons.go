// Package reasons words why a server cannot be used, or was restarted. The policy of
// sessions decides when; a reason reads on after a colon, may be read by a model and
// holds no secret.
package reasons

import (
	"errors"
	"fmt"
	"time"

	"mcp-workbench/domain"
)

// Closed is why a call ended whose toolbox was closed.
const Closed = "the toolbox was closed"

// Replaced is why a server was started again that has other settings now.
const Replaced = "its configuration changed"

// ReplacedMeanwhile is why an opening did not wait for a server that was starting.
const ReplacedMeanwhile = "its configuration changed meanwhile; open the toolbox again"

// AtNextStart is why a server is not started that came while the workbench runs.
const AtNextStart = "it was added while the workbench runs, or its program or address changed, and the configuration " +
	"allows nothing new before the next start of the workbench"

// Unset is why a server cannot be connected to whose configuration names a
// variable that is not set, or empty where it must not be.
func Unset(unset domain.UnsetVariable) string {
	return fmt.Sprintf("environment variable '%s' is %s (%s)", unset.Variable, unset.State(), unset.KeyPath)
}

// ConnectTimeout is why an attempt failed that took longer than the limit. The
// failure may add to it.
func ConnectTimeout(limit time.Duration, failure error) string {
	reason := fmt.Sprintf("connection timeout after %gs (limits.connect raises it)", limit.Seconds())
	if unavailable, ok := errors.AsType[*domain.ServerUnavailableError](failure); ok {
		reason += "; " + unavailable.Reason
	}
	return reason
}

// StillStarting is why a server is not in an answer that came before the server was up.
func StillStarting(waited time.Duration, stderr string) string {
	reason := fmt.Sprintf("still starting after %s; open the toolbox again to see its tools", seconds(waited))
	if stderr != "" {
		reason += "; the end of its stderr: " + stderr
	}
	return reason
}

// StillInstalling is StillStarting for a server whose package is being installed.
func StillInstalling(waited time.Duration, installing string) string {
	return fmt.Sprintf("its package %s is still being installed after %s, and that goes on; open the toolbox again to see its tools",
		installing, seconds(waited))
}

func seconds(waited time.Duration) string {
	if waited > time.Second {
		waited = waited.Round(100 * time.Millisecond)
	}
	return fmt.Sprintf("%gs", waited.Seconds())
}

// Hung is why a session was ended whose server did not answer a ping after
// that many calls either.
func Hung(calls int) string {
	return fmt.Sprintf("the server did not answer %d calls in a row, nor a ping", calls)
}

// HungForAnother is why hosts lose a session that they share, in which another one found that the
// server hangs.
const HungForAnother = "the server did not answer the calls of another host, nor a ping"

// Disconnected is why calls end whose host gives the session up.
const Disconnected = "the connection to the server was closed"

// Paused is why a server that failed for a reason is not tried now.
func Paused(reason string, failures int, stopped bool, wait time.Duration) string {
	// Rounded up, so that a caller that waits as long as it says is not too early.
	seconds := (wait + time.Second - 1).Truncate(time.Second).Seconds()
	count := fmt.Sprintf("it failed %d times in a row", failures)
	if stopped {
		count += ", so tries are stopped for a while"
	}
	return fmt.Sprintf("%s; %s; the next try is in %gs", reason, count, seconds)
}

// Restarted is what a host is told of a server that was restarted, and why.
func Restarted(id domain.ServerID, why string) string {
	return fmt.Sprintf("Server %s of toolbox %s was restarted, and what it had in memory is gone: %s",
		domain.QuotedName(id.Server), domain.QuotedName(id.Toolbox), why)
}
