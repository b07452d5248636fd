package activity

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"mcp-workbench/domain"
)

const (
	// maxCalls exceeds the number of calls that can share an entry. Larger numbers were not written by a record.
	maxCalls = 1 << 30
	// maxName is the maximum length of a name in an entry, in bytes.
	maxName = 256
	// maxLine exceeds the length of every line. Longer lines in a file are skipped.
	maxLine = 16 << 10
)

// Entry is a recorded activity. Its texts come from hosts, servers and files: escape them for a terminal or
// a page.
type Entry struct {
	// Time is when the activity ended, in milliseconds. Clocks jump, so entries need not be in the order of time.
	Time time.Time `json:"time"`
	// Workbench is the id of the process and its start in seconds since 1970, as in "4711-1774260000".
	Workbench string `json:"workbench"`
	// Host and HostVersion are the name and version that the host reports, "" if it reports none.
	Host        string `json:"host,omitempty"`
	HostVersion string `json:"hostVersion,omitempty"`
	// Identity names the caller over HTTP, "" if callers do not authenticate.
	Identity string              `json:"identity,omitempty"`
	Kind     domain.ActivityKind `json:"kind"`
	// Toolbox, Server and Tool are the subject, as in domain.Activity. If Unknown is set, these are names
	// that a caller made up.
	Toolbox string         `json:"toolbox,omitempty"`
	Server  string         `json:"server,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	Unknown bool           `json:"unknown,omitempty"`
	Outcome domain.Outcome `json:"outcome"`
	// Code is the code of the server's JSON-RPC error, 0 for none.
	Code int `json:"code,omitempty"`
	// Calls is the number of calls that share the entry, 0 for one call. They have the same tool, host and
	// outcome. Then Time is that of the last call, Milliseconds is the average, and the other numbers are
	// sums.
	Calls int64 `json:"calls,omitempty"`
	// Milliseconds is the duration. An end has the duration of the whole session.
	Milliseconds float64 `json:"ms"`
	// BytesIn and BytesOut are the sizes of the arguments and of the server's answer.
	BytesIn  int64 `json:"bytesIn,omitempty"`
	BytesOut int64 `json:"bytesOut,omitempty"`
	// Tokens is the approximate number of tokens in the answer that the host was shown.
	Tokens int64 `json:"tokens,omitempty"`
}

// Count returns the number of calls, openings, starts or ends in the entry: 1, or Calls.
func (e Entry) Count() int { return int(max(e.Calls, 1)) }

// Failed reports whether the entry is a failure. A cancelled call has not failed.
func (e Entry) Failed() bool { return e.Outcome.HasFailed() }

// Place returns the subject of the entry, as in "dev/git/log".
func (e Entry) Place() string {
	place := e.Toolbox
	for _, name := range []string{e.Server, e.Tool} {
		if name != "" {
			place += "/" + name
		}
	}
	return place
}

// IsAbout reports whether the subject of the entry is a place or something in it. Every subject is in "".
func (e Entry) IsAbout(place string) bool {
	behind, found := strings.CutPrefix(e.Place(), place)
	return place == "" || found && (behind == "" || behind[0] == '/')
}

// line returns the entry as a line of the record.
func (e Entry) line() []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(struct { // all of its types can be encoded
		Time string `json:"time"` // replaces that of the entry
		Entry
	}{e.Time.UTC().Format("2006-01-02T15:04:05.000Z"), e})
	return text.Bytes()
}

// shortName cuts a name that is longer than maxName, with an ellipsis.
func shortName(name string) string {
	const ellipsis = "…"
	if len(name) <= maxName {
		return name
	}
	end := maxName - len(ellipsis)
	for end > maxName-2*utf8.UTFMax && !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end] + ellipsis
}

// parse reads a line, without its end. It reports false for a line that is not an entry.
func parse(line []byte) (entry Entry, ok bool) {
	if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
		return Entry{}, false
	}
	if err := json.Unmarshal(line, &entry); err != nil || entry.Time.IsZero() || entry.Kind == "" || entry.Outcome == "" {
		return Entry{}, false
	}
	entry.Milliseconds, entry.BytesIn = max(entry.Milliseconds, 0), max(entry.BytesIn, 0)
	entry.BytesOut, entry.Tokens = max(entry.BytesOut, 0), max(entry.Tokens, 0)
	entry.Calls = min(max(entry.Calls, 0), maxCalls)
	return entry, true
}
