package wording

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcp-workbench/domain"
)

// lockPackages says how the user can pin packages again.
const lockPackages = "; the user can run `mcp-workbench lock --packages`"

// Reason says for a model why something could not be done. The text follows a colon. A cause that
// is not one of the domain's failures is not shown.
func Reason(err error) string {
	if text, ok := reason(err); ok {
		return text
	}
	return "internal error"
}

// UserReason is Reason for users at a terminal, who are shown every cause.
func UserReason(err error) string { return ForUser(wholeReason(err)) }

// toUser has what texts for a model say about its user, and what the user reads instead.
var toUser = strings.NewReplacer(", for the user to correct", "", "the user can ", "", "Ask the user to look", "Look")

// ForUser returns a text for a model in the words for its user at a terminal.
func ForUser(text string) string { return toUser.Replace(text) }

// wholeReason is Reason with every cause.
func wholeReason(err error) string {
	if text, ok := reason(err); ok {
		return text
	}
	return err.Error()
}

func reason(err error) (text string, ok bool) {
	if unavailable, ok := errors.AsType[*domain.ServerUnavailableError](err); ok {
		return unavailableReason(unavailable.Reason), true
	}
	if required, ok := errors.AsType[*domain.LoginRequiredError](err); ok {
		return loginReason(required), true
	}
	if timedOut, ok := errors.AsType[*domain.TimedOutError](err); ok {
		if timedOut.Output != "" {
			return fmt.Sprintf("no answer within %s; what it wrote meanwhile is not MCP: %s", timedOut.Waited.Round(time.Second/10), timedOut.Output), true
		}
		return fmt.Sprintf("no answer within %s (%s raises the limit)", timedOut.Waited.Round(time.Second/10), timedOut.Limit), true
	}
	switch {
	case errors.Is(err, domain.ErrToolboxNotOpen):
		return domain.ErrToolboxClosed.Error(), true
	case errors.Is(err, domain.ErrShuttingDown), errors.Is(err, context.Canceled):
		return domain.ErrShuttingDown.Error(), true
	}
	return "", false
}

// maxStarting is the number of servers that a report about starts names.
const maxStarting = 5

// Starting says, for a host that asked for progress, which servers are starting. There may be none.
func Starting(servers []domain.ServerID) string {
	names := domain.FirstNames(servers, maxStarting, func(server domain.ServerID) string { return domain.QuotedName(server.Server) })
	switch len(servers) {
	case 0:
		return "the toolbox is being opened"
	case 1:
		return "server " + names + " is starting"
	}
	return "servers " + names + " are starting"
}

const raisesConnect = " (limits.connect raises it)"

// unavailableReason adds what to do next to the reason why a server cannot be used.
func unavailableReason(reason error) string {
	switch reason := reason.(type) { //nolint:errorlint // a reason is not wrapped
	case *domain.ConnectTimeoutError:
		text := fmt.Sprintf("connection timeout after %gs", reason.Limit.Seconds())
		cause, ok := errors.AsType[*domain.ServerUnavailableError](reason.Cause)
		if !ok {
			return text + raisesConnect
		}
		if _, isOutput := errors.AsType[*domain.OutputError](cause.Reason); !isOutput {
			text += raisesConnect
		}
		return text + "; " + unavailableReason(cause.Reason)
	case *domain.StillStartingError:
		again := "; open the toolbox again to see its tools"
		if reason.InUse {
			again = "; try again later"
		}
		switch {
		case reason.Installing != "":
			return reason.Error() + ", which continues" + again
		case reason.Output != "":
			return reason.Error() + again + "; " + (&domain.OutputError{Output: reason.Output, Stderr: reason.Stderr}).Error()
		case reason.Stderr != "":
			return reason.Error() + again + "; the end of its stderr: " + reason.Stderr
		}
		return reason.Error() + again
	case *domain.PausedError:
		return pausedReason(reason)
	case *domain.PackageError:
		switch {
		case reason.CanBePinned():
			return reason.Error() + lockPackages
		case reason.Lock != "" && reason.Pin != nil:
			return reason.Error() + "; the user can restore it"
		}
	}
	if errors.Is(reason, domain.ErrReplacedMeanwhile) {
		return reason.Error() + "; open the toolbox again"
	}
	return reason.Error()
}

func pausedReason(paused *domain.PausedError) string {
	text := fmt.Sprintf("%s; it failed %d times in a row", wholeReason(paused.Failure), paused.Failures)
	if paused.Stopped {
		text += ", so the workbench stopped trying for a while"
	}
	// It is rounded up, so that a caller that waits that long is not too early.
	wait := (paused.Wait + time.Second - 1).Truncate(time.Second)
	return fmt.Sprintf("%s; the next try is in %gs", text, wait.Seconds())
}

// loginReason says why a login is required, and how to log in.
func loginReason(required *domain.LoginRequiredError) string {
	place := string(required.ID.Toolbox) + "/" + string(required.ID.Server)
	if strings.ContainsRune(place, ' ') {
		place = `"` + place + `"`
	}
	why := required.Why + required.Wanted
	if required.ByOperator {
		return fmt.Sprintf("%s; the operator of the workbench can log in there with `mcp-workbench login %s`; then try again", why, place)
	}
	text := fmt.Sprintf("%s; to log in, the user can run `mcp-workbench login %s`", why, place)
	if required.Link != "" {
		text += fmt.Sprintf(" or open %s (%s)", required.Link, LoginHosts(required.Hosts))
	}
	return text + "; then try again"
}

// LoginHosts says at which hosts the login page and the server are.
func LoginHosts(hosts domain.LoginHosts) string {
	return fmt.Sprintf("the page is at %s, the server at %s", hosts.Page, hosts.Server)
}

// LoginPrompt says for which server the user is asked to log in.
func LoginPrompt(server domain.ServerID, hosts domain.LoginHosts) string {
	return fmt.Sprintf("%s\nThe server %s of the toolbox %s needs you to log in: %s.",
		domain.WorkbenchAsks, domain.QuotedName(server.Server), domain.QuotedName(server.Toolbox), LoginHosts(hosts))
}

// Restarted says that a server was restarted, and why.
func Restarted(id domain.ServerID, why error) string {
	return fmt.Sprintf("Server %s of toolbox %s was restarted, and what it had in memory is gone: %s",
		domain.QuotedName(id.Server), domain.QuotedName(id.Toolbox), wholeReason(why))
}
