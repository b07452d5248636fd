package activity

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"mcp-workbench/domain"
)

// Entry is something that happened, as it was recorded. Its texts come from hosts, servers and files: none
// is fit for a terminal or a page as it is.
type Entry struct {
	// Time is when it ended, in milliseconds. Clocks jump, so entries need not be in the order of time.
	Time time.Time `json:"time"`
	// Workbench is the number of the process, and when it started in seconds since 1970, as in
	// "4711-1774260000".
	Workbench string `json:"workbench"`
	// Host and HostVersion are what the host says of itself, "" if nothing.
	Host        string `json:"host,omitempty"`
	HostVersion string `json:"hostVersion,omitempty"`
	// Identity names the caller over HTTP, "" if callers do not authenticate.
	Identity string              `json:"identity,omitempty"`
	Kind     domain.ActivityKind `json:"kind"`
	// Toolbox, Server and Tool are what it is about, as in domain.Activity. If Unknown is set, these are
	// names that a caller made up.
	Toolbox string         `json:"toolbox,omitempty"`
	Server  string         `json:"server,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	Unknown bool           `json:"unknown,omitempty"`
	Outcome domain.Outcome `json:"outcome"`
	// Code is the code of the JSON-RPC error that the server answered with, 0 for none.
	Code int `json:"code,omitempty"`
	// Milliseconds is how long it took: of an end, how long the session lasted.
	Milliseconds float64 `json:"ms"`
	// BytesIn and BytesOut are the sizes of the arguments and of the server's answer.
	BytesIn  int64 `json:"bytesIn,omitempty"`
	BytesOut int64 `json:"bytesOut,omitempty"`
	// Tokens is about how many tokens of the answer the host was shown.
	Tokens int64 `json:"tokens,omitempty"`
}

// Failed reports whether the entry is about something that did not end as it should have. A cancelled call
// has not failed.
func (e Entry) Failed() bool {
	return e.Outcome != domain.OutcomeOK && e.Outcome != domain.OutcomeCancelled
}

// Place returns what the entry is about, as in "dev/git/log".
func (e Entry) Place() string {
	place := e.Toolbox
	for _, name := range []string{e.Server, e.Tool} {
		if name != "" {
			place += "/" + name
		}
	}
	return place
}

// IsAbout reports whether the entry is about what a place names, or something in it. Everything is in "".
func (e Entry) IsAbout(place string) bool {
	behind, found := strings.CutPrefix(e.Place(), place)
	return place == "" || found && (behind == "" || behind[0] == '/')
}

// parse reads the line of an entry, without its end. It reports false for what is none.
func parse(line []byte) (entry Entry, ok bool) {
	if line = bytes.TrimSpace(line); len(line) == 0 || line[0] != '{' {
		return Entry{}, false
	}
	if err := json.Unmarshal(line, &entry); err != nil || entry.Time.IsZero() || entry.Kind == "" || entry.Outcome == "" {
		return Entry{}, false
	}
	entry.Milliseconds, entry.BytesIn = max(entry.Milliseconds, 0), max(entry.BytesIn, 0)
	entry.BytesOut, entry.Tokens = max(entry.BytesOut, 0), max(entry.Tokens, 0)
	return entry, true
}
