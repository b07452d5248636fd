package mcpclient

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"mcp-workbench/adapters/jsonrpc"
	"mcp-workbench/domain"
	"mcp-workbench/domain/rawjson"
)

// NotMCPError says that a server wrote something else than a message of MCP where an answer was due.
type NotMCPError struct {
	What  string // such as "its answer is not valid JSON"
	quote string
}

func (e *NotMCPError) Error() string { return e.What + ": " + e.quote }

// Quote implements QuotingError.
func (e *NotMCPError) Quote() (quote, without string) { return e.quote, e.What }

const (
	// maxQuoted is the number of characters that are quoted of output that is not MCP, and before the
	// number of those in front of the first wrong byte.
	maxQuoted, before = 60, 20
	// maxKept is the number of bytes of such a line that are kept. It is larger than a quote, so that a
	// secret is found before the text is cut.
	maxKept = 4 << 10
)

// quoted returns what a message shows of output that is not MCP, from a little before the byte at on.
func quoted(redact func(string) string, text []byte, at int) string {
	at = min(max(at, 0), len(text))
	from := max(0, at-maxKept)
	window := text[from:min(len(text), at+maxKept)]
	shown := []rune(domain.OneLine(domain.ShownText(redact(string(window)))))
	start := len([]rune(domain.OneLine(domain.ShownText(redact(string(window[:at-from]))))))
	start = max(0, min(start, len(shown))-before)
	end := min(len(shown), start+maxQuoted)
	return strconv.Quote(string(shown[start:end]))
}

// Unreadable returns the error for an answer that is not a message, and why it is not.
func (c *Conversation) Unreadable(text []byte, why error) *NotMCPError {
	what, at := "its answer is not a message of JSON-RPC 2.0", 0
	if syntax, ok := errors.AsType[*rawjson.SyntaxError](why); ok {
		what, at = "its answer is "+syntax.Error(), syntax.At
	}
	return &NotMCPError{What: what, quote: quoted(c.messages.redact, text, at)}
}

// Unanswered returns the failure of a request whose answer has ended without a result, with the output that came instead.
func (c *Conversation) Unanswered(id uint64, what string) error {
	instead := ""
	c.updateInFlight(func(state *inFlight) {
		if request, waits := state.Outgoing(id); waits {
			instead = state.outputSince(request.begun, c.messages.redact)
		}
	})
	if instead == "" {
		return errors.New(what)
	}
	return &NotMCPError{What: what, quote: instead}
}

// framing is the first line of a message in the framing of LSP.
var framing = regexp.MustCompile(`^(?i:content-length): *[0-9]+\s*$`)

// utf16Name is the middle of "jsonrpc" in UTF-16 of either byte order, in which PowerShell and .NET may write.
var utf16Name = []byte("\x00s\x00o\x00n\x00r\x00p\x00")

// reject handles a line that is not a message. If the line has the id of a request, that request fails
// at once, since no other answer to it will come. Any other line is ignored, unless it shows that the
// server frames messages in another way.
func (c *Conversation) reject(line []byte, why error) {
	if id, ok := requestID(jsonrpc.SalvageID(line, line)); ok && c.End(id, Answer{}, c.Unreadable(line, why)) {
		c.log.Warn("the server's answer is not MCP", "bytes", len(line), "why", why)
		return
	}
	switch {
	case framing.Match(line):
		c.failHandshake(&NotMCPError{What: "it frames its messages as LSP does, and not in lines as MCP wants", quote: quoted(c.messages.redact, line, 0)})
	case bytes.Contains(line, utf16Name):
		c.failHandshake(&NotMCPError{What: "it writes UTF-16, and MCP wants UTF-8", quote: quoted(c.messages.redact, line, 0)})
	}
	c.log.Debug(IgnoredLine, "bytes", len(line), "why", why)
	c.noteOutput(line)
}

// noteOutput keeps the beginning of a line that is not a message, for the error of a request that is
// never answered.
func (c *Conversation) noteOutput(line []byte) {
	line = line[:min(len(line), maxKept)]
	c.updateInFlight(func(state *inFlight) {
		if state.firstOutput == nil {
			state.firstOutput = bytes.Clone(line)
		}
		state.lastOutput, state.lastOutputAt = append(state.lastOutput[:0], line...), time.Now()
	})
}

// noteUnfinished keeps the beginning of a line whose end has not come, such as a question, nil once it came.
func (c *Conversation) noteUnfinished(text []byte) {
	c.updateInFlight(func(state *inFlight) {
		state.unfinished = append(state.unfinished[:0], text...)
		state.unfinishedAt = time.Now()
	})
}

// Output returns the first line of the server's output that is not MCP, or else one that has no end yet, in quotation
// marks, "" for none.
func (c *Conversation) Output() (shown string) {
	c.updateInFlight(func(state *inFlight) {
		if output := cmp.Or(string(state.firstOutput), string(state.unfinished)); output != "" {
			shown = quoted(c.messages.redact, []byte(output), 0)
		}
	})
	return shown
}

// outputSince returns the last line of the output that is not MCP, if it came after a time.
func (f *inFlight) outputSince(begun time.Time, redact func(string) string) string {
	if len(f.unfinished) > 0 && !f.unfinishedAt.Before(begun) {
		return quoted(redact, f.unfinished, 0)
	}
	if f.lastOutputAt.IsZero() || f.lastOutputAt.Before(begun) {
		return ""
	}
	return quoted(redact, f.lastOutput, 0)
}

// failHandshake fails the handshake that waits for its answer, if there is one.
func (c *Conversation) failHandshake(why error) {
	if id, method := c.only(); IsHandshake(method) {
		c.End(id, Answer{}, why)
	}
}

// IsHandshake reports whether a request of the method is a handshake.
func IsHandshake(method mcp.MCPMethod) bool {
	return method == mcp.MethodInitialize || method == mcp.MethodServerDiscover
}

// only returns the request in flight if there is exactly one besides subscriptions.
func (c *Conversation) only() (only uint64, method mcp.MCPMethod) {
	c.updateInFlight(func(state *inFlight) {
		if int64(state.OutgoingCount())-state.subscriptions != 1 {
			return
		}
		for id, request := range state.AllOutgoing() {
			if !isSubscription(request.method) {
				only, method = id, request.method
			}
		}
	})
	return only, method
}

// rejectUnnamed handles an answer with the id null or 0, which the workbench gives to no request. If
// it can belong to one request only, that request fails.
//
// Decision: an error without an id may be about a notification, which servers do answer. So it fails a
// handshake only, before which there are no notifications.
func (c *Conversation) rejectUnnamed(message jsonrpc.Message, line []byte) {
	isError := !rawjson.IsNull(message.Error)
	failure := &NotMCPError{What: "its answer does not name the request (id null or 0)", quote: quoted(c.messages.redact, line, 0)}
	if id, method := c.only(); IsHandshake(method) || method != "" && !isError {
		c.End(id, Answer{}, failure)
		return
	}
	c.noteOutput(line)
}
